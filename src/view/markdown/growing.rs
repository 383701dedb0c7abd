//! A text that grows: what is whole is not read again.

use super::{Block, blocks};
use std::sync::Arc;

/// Blocks at the end that more text may still change: the last one, and the one before it, which may have ended
/// only because the last line is not whole yet.
const OPEN_BLOCKS: usize = 2;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Growing {
    whole: Vec<Arc<Block>>,
    /// The text that the whole blocks were read from.
    whole_text: String,
    open: Vec<Arc<Block>>,
}

impl Growing {
    /// Reads the text as it is now. It costs the end of it only, where it begins with the text read before.
    pub fn read(&mut self, text: &str) {
        let rest = text.strip_prefix(self.whole_text.as_str());
        let rest = rest.unwrap_or_else(|| {
            self.whole.clear();
            self.whole_text.clear();
            text
        });
        let lines: Vec<&str> = rest.lines().collect();
        let mut placed = blocks::read_placed(&lines, 0);
        let open = placed.split_off(placed.len().saturating_sub(OPEN_BLOCKS));
        if let (false, Some((line, _))) = (placed.is_empty(), open.first()) {
            let bytes: usize = rest.split_inclusive('\n').take(*line).map(str::len).sum();
            self.whole_text
                .push_str(rest.get(..bytes).unwrap_or_default());
            self.whole
                .extend(placed.into_iter().map(|(_, block)| Arc::new(block)));
        }
        self.open = open.into_iter().map(|(_, block)| Arc::new(block)).collect();
    }

    #[must_use]
    pub fn blocks(&self) -> Vec<Arc<Block>> {
        self.whole.iter().chain(&self.open).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Growing;
    use crate::view::markdown::shared;
    use proptest::prelude::*;

    fn check(text: &str) {
        let mut growing = Growing::default();
        let mut begun = String::new();
        for c in text.chars() {
            begun.push(c);
            growing.read(&begun);
            assert_eq!(growing.blocks(), shared(&begun), "{begun:?}");
        }
    }

    #[test]
    fn what_has_grown_reads_as_if_it_had_come_at_once() {
        check(
            "# T\n\n1. a\n\n2. b\n   > q\n\npara\n- x\n\n|a|b|\n|-|-|\n|1|2|\n\n```sql\nSELECT\n\n1\n```\n---\nend **b**\r\n\r\nlast",
        );
    }

    #[test]
    fn a_text_that_was_replaced_is_read_anew() {
        let mut growing = Growing::default();
        growing.read("a\n\nb\n\nc\n\nd");
        growing.read("other\n\ntext");
        assert_eq!(growing.blocks(), shared("other\n\ntext"));
    }

    proptest! {
        #[test]
        fn any_text_grows_as_it_reads(parts in prop::collection::vec(
            prop::sample::select(vec!["a", " ", "\n", "\n\n", "- ", "1. ", "|", "|-|", "```", "# ", "> ", "---", "**", "`", "  "]), 0..40)) {
            check(&parts.concat());
        }
    }
}
