//! The English function words and phrases of questions, with what each one does.
//! Knows no schema: nothing here names a thing that a database may hold.

use super::plan::{Aggregate, Comparison, Pattern};

/// What a word or phrase does in a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// Says nothing that changes the query.
    Filler,
    Comma,
    /// `show`, `list`, `what is`: a part that says what to return begins.
    Lead,
    /// `which`, `who`: as Lead at the beginning, as Clause later.
    Which,
    Who,
    When,
    Where,
    HowMany,
    NumberOf,
    HowMuch,
    Aggregate(Aggregate),
    /// `most`, `highest`, `oldest`.
    Extreme(Extreme),
    /// `most common`.
    Frequency {
        descending: bool,
    },
    Compare(Comparison, Hint),
    Between,
    Not,
    /// `without`, `has no`.
    Without,
    Each,
    OrderBy,
    Direction {
        descending: bool,
    },
    Alphabetical,
    Distinct,
    Like(Pattern),
    Both,
    Either,
    And,
    Or,
    /// `who`, `that`, `with`: a condition begins.
    Clause,
    Whose,
    Of,
    Prep,
    Have,
    Be,
    Do,
    Any,
    Top,
    Everything,
    Named,
    /// `their`, `its`.
    Their,
    Null {
        negated: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    pub descending: bool,
    pub hint: Hint,
}

/// The kind of column that an adjective speaks of. `flips` where a birth date or year turns it around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    None,
    Age,
    Time,
    Price,
    Weight,
    Height,
    Length,
    Speed,
    Pay,
    Wealth,
}

impl Hint {
    /// Words in names of columns that the hint may mean, best first; true where a larger value means less of it.
    #[must_use]
    pub fn columns(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::None => &[],
            Self::Age => &[
                ("age", false),
                ("年龄", false),
                ("birth", true),
                ("birthday", true),
                ("dob", true),
                ("year", true),
                ("date", true),
            ],
            Self::Time => &[
                ("date", false),
                ("日期", false),
                ("年份", false),
                ("时间", false),
                ("year", false),
                ("datetime", false),
                ("time", false),
                ("start", false),
            ],
            Self::Price => &[
                ("price", false),
                ("cost", false),
                ("fee", false),
                ("价格", false),
                ("单价", false),
            ],
            Self::Weight => &[("weight", false), ("mass", false), ("重量", false)],
            Self::Height => &[
                ("height", false),
                ("elevation", false),
                ("高度", false),
                ("身高", false),
            ],
            Self::Length => &[
                ("length", false),
                ("duration", false),
                ("distance", false),
                ("长度", false),
            ],
            Self::Speed => &[("speed", false), ("time", true)],
            Self::Pay => &[
                ("salary", false),
                ("pay", false),
                ("wage", false),
                ("工资", false),
                ("薪水", false),
                ("income", false),
            ],
            Self::Wealth => &[
                ("worth", false),
                ("wealth", false),
                ("money", false),
                ("budget", false),
                ("income", false),
            ],
        }
    }
}

const fn up(hint: Hint) -> Role {
    Role::Extreme(Extreme {
        descending: true,
        hint,
    })
}

const fn down(hint: Hint) -> Role {
    Role::Extreme(Extreme {
        descending: false,
        hint,
    })
}

const fn more(hint: Hint) -> Role {
    Role::Compare(Comparison::Greater, hint)
}

const fn less(hint: Hint) -> Role {
    Role::Compare(Comparison::Less, hint)
}

/// Phrases by role; each text holds alternatives between bars, in folded words.
pub const ENGLISH: &[(&str, Role)] = &[
    (
        "the|a|an|single|a single|please|kindly|me|us|can you|could you|i want to|i would like to|we|do we have|all|all the|every single|total of|in total",
        Role::Filler,
    ),
    (
        "there|exist|exists|here|also|as|then|so|this|these|those|such|it|they|them|he|she|you|i|our|my|overall|currently|value|values|corresponding|respective|respectively|database|record|records|entries|listed|available|exactly|if|together|us know|too|been|being|to|up|out|given|associated|whole|possible|existing|just|only|did|some|certain|s",
        Role::Filler,
    ),
    (
        "what is|what are|what was|what were|what s|whats|what|show|show me|list|list out|list down|find|find out|give|give me|return|tell me|tell|display|get|select|compute|calculate|report|present|provide|retrieve|state|name all|fetch|look up|print|describe|enumerate|see",
        Role::Lead,
    ),
    ("which|which of the", Role::Which),
    ("who|who is|who are|whom", Role::Who),
    ("when|when is|when was|when did", Role::When),
    ("where|where is|where are|where was", Role::Where),
    (
        "how many|count|count the number of|how many different kinds of|what number of|count how many",
        Role::HowMany,
    ),
    (
        "number of|the number of|the number|total number of|count of|total count of",
        Role::NumberOf,
    ),
    (
        "how much|how old|how long|how tall|how large|how big",
        Role::HowMuch,
    ),
    (
        "average|mean|avg|on average",
        Role::Aggregate(Aggregate::Average),
    ),
    (
        "sum|total|sum of|sum up|total amount of|combined",
        Role::Aggregate(Aggregate::Sum),
    ),
    ("minimum|min", Role::Aggregate(Aggregate::Minimum)),
    ("maximum|max", Role::Aggregate(Aggregate::Maximum)),
    (
        "most|highest|largest|greatest|biggest|maximal|top most|best|the most number of|the largest number of|the greatest number of|the highest number of|most number of|largest number of|greatest number of|highest number of|largest amount of|highest amount of",
        up(Hint::None),
    ),
    (
        "least|lowest|smallest|fewest|minimal|worst|least number of|lowest number of|smallest number of|fewest number of|smallest amount of|lowest amount of",
        down(Hint::None),
    ),
    ("oldest|eldest", up(Hint::Age)),
    ("youngest", down(Hint::Age)),
    (
        "latest|most recent|most recently|newest|last|lastest",
        up(Hint::Time),
    ),
    ("earliest|first", down(Hint::Time)),
    ("most expensive|priciest|costliest", up(Hint::Price)),
    ("cheapest|least expensive", down(Hint::Price)),
    ("heaviest", up(Hint::Weight)),
    ("lightest", down(Hint::Weight)),
    ("tallest", up(Hint::Height)),
    ("shortest", down(Hint::Length)),
    ("longest", up(Hint::Length)),
    ("fastest|quickest", up(Hint::Speed)),
    ("slowest", down(Hint::Speed)),
    ("best paid|highest paid", up(Hint::Pay)),
    ("richest|wealthiest", up(Hint::Wealth)),
    ("poorest", down(Hint::Wealth)),
    (
        "most common|most popular|most frequent|most frequently|most often|most times|the most times|the most often|most commonly|most used",
        Role::Frequency { descending: true },
    ),
    (
        "least common|least popular|least frequent|least often|least frequently|rarest|least used",
        Role::Frequency { descending: false },
    ),
    (
        "more than|greater than|larger than|higher than|bigger than|over|above|exceeding|exceeds|exceed|more|greater|higher|larger|no fewer than and not|in excess of|exceeds than",
        more(Hint::None),
    ),
    (
        "less than|fewer than|smaller than|lower than|under|below|fewer|less|smaller|lower",
        less(Hint::None),
    ),
    (
        "at least|no less than|no fewer than|not less than|or more|minimum of|greater than or equal to|more than or equal to",
        Role::Compare(Comparison::GreaterOrEqual, Hint::None),
    ),
    (
        "at most|no more than|not more than|up to|or less|or fewer|maximum of|less than or equal to",
        Role::Compare(Comparison::LessOrEqual, Hint::None),
    ),
    (
        "equal to|equals|equal|same as",
        Role::Compare(Comparison::Equal, Hint::None),
    ),
    (
        "not equal to|other than|different from|except|except for|excluding|apart from",
        Role::Compare(Comparison::NotEqual, Hint::None),
    ),
    (
        "older than|older|elder than|above age|over the age of",
        more(Hint::Age),
    ),
    (
        "younger than|younger|below age|under the age of",
        less(Hint::Age),
    ),
    ("after|later than|since|newer than|later", more(Hint::Time)),
    ("before|earlier than|prior to|earlier", less(Hint::Time)),
    ("heavier than|heavier", more(Hint::Weight)),
    ("lighter than|lighter", less(Hint::Weight)),
    ("longer than|longer", more(Hint::Length)),
    ("shorter than|shorter", less(Hint::Length)),
    ("taller than|taller", more(Hint::Height)),
    ("cheaper than|cheaper", less(Hint::Price)),
    ("faster than|faster", more(Hint::Speed)),
    ("slower than|slower", less(Hint::Speed)),
    ("more expensive than", more(Hint::Price)),
    (
        "between|ranging from|in the range of|in between",
        Role::Between,
    ),
    (
        "not|never|don t|dont|didn t|doesn t|isn t|aren t|wasn t|weren t|haven t|hasn t|doesnt|didnt|isnt|arent|havent|hasnt|cannot|nor|not been|neither",
        Role::Not,
    ),
    (
        "without|without any|has no|have no|had no|with no|lack|lacks|lacking|no",
        Role::Without,
    ),
    (
        "each|every|per|for each|for every|of each|in each|by each|for each of the|each of the|grouped by|group by|for all the different|broken down by",
        Role::Each,
    ),
    (
        "ordered by|sorted by|order by|sort by|sorted|ordered|sort|order|ranked by|in order of|in the order of|rank by|order the results by|sort the results by|sort them by|ranked|arranged by|sort the list by|order them by|ordering by|sorting by|listed by",
        Role::OrderBy,
    ),
    (
        "ascending|ascending order|in ascending order|in ascending order of|increasing|increasing order|from low to high|low to high|from lowest to highest|from smallest to largest|from youngest to oldest|from oldest to newest|ascending order of|in increasing order of|from the smallest to the largest|from earliest to latest|in the ascending order of",
        Role::Direction { descending: false },
    ),
    (
        "descending|descending order|in descending order|in descending order of|decreasing|decreasing order|from high to low|high to low|from highest to lowest|from largest to smallest|from oldest to youngest|reverse|reversed|reverse order|reverse alphabetical order|reverse alphabetical|reversed alphabetical order|in reverse alphabetical order|in reverse order of|in decreasing order of|descending order of|from newest to oldest|from most to least|from latest to earliest|in the descending order of|reversed lexicographical order|reverse lexicographical order|lexicographically descending",
        Role::Direction { descending: true },
    ),
    (
        "alphabetical|alphabetically|lexicographical|lexicographically|lexicographic|alphabetical order|lexicographical order|in alphabetical order|in lexicographical order|alphabetic order|in alphabetical order of|alphabetical order by|in alphabetical order by",
        Role::Alphabetical,
    ),
    (
        "kinds of|types of|different kinds of|different types of|sorts of|distinct|different|unique|various|distinctive",
        Role::Distinct,
    ),
    (
        "contain|contains|containing|include|includes|including|has the word|have the word|contain the word|contains the word|with the word|that contains|has the substring|have the substring|contain the substring|contains the substring|containing the word|containing the letter|contain the letter|contains the letter|contain the text|contains the text|containing the text|includes the text|include the text|with the substring|includes the word|include the word|contain the string|contains the string|the word|the letter|the substring|the phrase|like|has the letter|have the letter|with the letter",
        Role::Like(Pattern::Contains),
    ),
    (
        "start with|starts with|starting with|begin with|begins with|beginning with|started with|start with the letter|starts with the letter|starting with the letter|begins with the letter|starting with letter",
        Role::Like(Pattern::StartsWith),
    ),
    (
        "end with|ends with|ending with|ended with|end in|ends in|ending in|ends with the letter|end with the letter|ending with the letter",
        Role::Like(Pattern::EndsWith),
    ),
    ("both|at the same time", Role::Both),
    ("either", Role::Either),
    (
        "and|as well as|along with|together with|plus|and also|but also|but",
        Role::And,
    ),
    ("or", Role::Or),
    (
        "that|with|having|while|whereas|among|when the|using|use|uses|used",
        Role::Clause,
    ),
    (
        "whose|where the|for which the|in which the|of which the",
        Role::Whose,
    ),
    ("of", Role::Of),
    (
        "in|from|for|by|at|on|to|within|into|across|inside|during|through|about|around|under the|belong to|belongs to|belonging to|of all|with respect to|according to|in the year|in year|located in|located at|based on|based in|made by|owned by",
        Role::Prep,
    ),
    (
        "have|has|had|having had|own|owns|possess|possesses|hold|holds|got",
        Role::Have,
    ),
    ("is|are|was|were|be", Role::Be),
    ("do|does|did the", Role::Do),
    ("any|any of the|at all|ever", Role::Any),
    ("top", Role::Top),
    (
        "everything|all information|all the information|all details|all the details|the details|all info|full information|complete information|all columns|all fields|all information about|all the information about|all about|every column",
        Role::Everything,
    ),
    (
        "named|called|titled|with name|with the name|name is|with title|with the title",
        Role::Named,
    ),
    ("their|its|his|her", Role::Their),
    (
        "unknown|missing|null|empty|blank|not specified|not given|not available",
        Role::Null { negated: false },
    ),
    ("not null|not empty|known", Role::Null { negated: true }),
];

/// Words that carry little: a question that has one left over is still understood.
#[must_use]
pub fn is_light(folded: &str) -> bool {
    const LIGHT: &str = " happened happen happens took take taken takes place offered offer offers used done made make makes \
        made produced produce built build held hold performed perform received receive got get worked work works living live \
        lives lived located released release published publish recorded registered record records caused cause caused \
        shown showed found made contained kept stored had goes go went come comes came corresponds correspond belonging belong \
        belongs owned called known working going play played plays participated participate attended attend joined join \
        involved involve born people person persons one ones time times ever kind kinds type types type group list results result \
        information info detail details data table ordered whether own visited visit visits issued issue made assigned assign \
        actually respectively current once yet first rate amount number level total full name names instance instances occurrence set \
        appear appears appeared occur occurs operate operates operated run runs ran use uses using hired hire teach teaches \
        written wrote directed today now nowadays currently world worldwide sold bought paid spent ";
    LIGHT.contains(&format!(" {folded} "))
}

/// Nouns for a person from somewhere, with the places' usual names.
#[must_use]
pub fn places(demonym: &str) -> &'static [&'static str] {
    match demonym {
        "american" | "americans" | "us" | "usa" | "america" | "united states" => &[
            "united states",
            "usa",
            "us",
            "united states of america",
            "america",
            "u s",
        ],
        "british" | "english" | "uk" | "britain" => &[
            "united kingdom",
            "uk",
            "england",
            "great britain",
            "britain",
        ],
        "french" => &["france"],
        "german" | "germans" => &["germany"],
        "dutch" => &["netherlands", "holland"],
        "spanish" => &["spain"],
        "italian" | "italians" => &["italy"],
        "chinese" => &["china"],
        "japanese" => &["japan"],
        "indian" | "indians" => &["india"],
        "canadian" | "canadians" => &["canada"],
        "australian" | "australians" => &["australia"],
        "russian" | "russians" => &["russia", "russian federation"],
        "brazilian" | "brazilians" => &["brazil"],
        "mexican" | "mexicans" => &["mexico"],
        "korean" | "koreans" => &["korea", "south korea"],
        "swedish" => &["sweden"],
        "swiss" => &["switzerland"],
        "irish" => &["ireland"],
        "scottish" => &["scotland"],
        "polish" => &["poland"],
        "portuguese" => &["portugal"],
        "greek" | "greeks" => &["greece"],
        "turkish" => &["turkey"],
        "danish" => &["denmark"],
        "norwegian" => &["norway"],
        "finnish" => &["finland"],
        "belgian" => &["belgium"],
        "austrian" => &["austria"],
        "argentine" | "argentinian" => &["argentina"],
        "european" => &["europe"],
        "asian" => &["asia"],
        "african" => &["africa"],
        _ => &[],
    }
}
