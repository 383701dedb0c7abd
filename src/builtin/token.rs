//! The tokens of a tagged question. Plain data: knows neither words nor names.

use super::lexicon::Role;

/// What a span of words may stand for in the schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    Table(usize),
    Column(usize, usize),
    /// A stored text of that column, as stored.
    Value(usize, usize, String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub target: Target,
    /// 0 to 1.
    pub score: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Tag {
    Role(Role),
    Mention(Vec<Candidate>),
    Number(String),
    /// A quoted text that is no stored value.
    Quoted(String),
    /// A word without a meaning here; light ones cost less.
    Unknown {
        light: bool,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    pub tag: Tag,
    pub text: String,
    pub quoted: bool,
    /// Candidate values for a number that is also a stored text.
    pub values: Vec<Candidate>,
    pub stem: String,
}

impl Token {
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        match self.tag {
            Tag::Role(role) => Some(role),
            _ => None,
        }
    }

    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        match &self.tag {
            Tag::Mention(list) => list,
            _ => &[],
        }
    }

    /// The best table that this may be, with its score.
    #[must_use]
    pub fn table(&self) -> Option<(usize, f32)> {
        self.candidates()
            .iter()
            .filter_map(|c| match c.target {
                Target::Table(t) => Some((t, c.score)),
                _ => None,
            })
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    pub fn columns(&self) -> impl Iterator<Item = (usize, usize, f32)> + '_ {
        self.candidates().iter().filter_map(|c| match c.target {
            Target::Column(t, col) => Some((t, col, c.score)),
            _ => None,
        })
    }

    pub fn stored(&self) -> impl Iterator<Item = (usize, usize, &str, f32)> + '_ {
        self.candidates()
            .iter()
            .chain(&self.values)
            .filter_map(|c| match &c.target {
                Target::Value(t, col, text) => Some((*t, *col, text.as_str(), c.score)),
                _ => None,
            })
    }

    #[must_use]
    pub fn is_value(&self) -> bool {
        self.stored().next().is_some()
    }

    #[must_use]
    pub fn column_score(&self) -> f32 {
        self.columns().map(|c| c.2).fold(0.0, f32::max)
    }

    #[must_use]
    pub fn value_score(&self) -> f32 {
        self.stored().map(|c| c.3).fold(0.0, f32::max)
    }
}
