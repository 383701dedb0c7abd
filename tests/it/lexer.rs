//! The tokeniser and the gate on any input.

use assent::sql::gate::gate;
use assent::sql::lex::{Kind, tokens};
use proptest::prelude::*;

/// Pieces that make trouble when they meet.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("'"),
        Just("\""),
        Just("`"),
        Just("["),
        Just("]"),
        Just("--"),
        Just("\n"),
        Just("/*"),
        Just("*/"),
        Just("/"),
        Just("*"),
        Just(";"),
        Just("x'"),
        Just("X'0"),
        Just("0x"),
        Just("1e"),
        Just("."),
        Just("5_0"),
        Just("?"),
        Just("$"),
        Just("@a("),
        Just("::"),
        Just("->"),
        Just(">"),
        Just("|"),
        Just("!"),
        Just("\u{feff}"),
        Just("é"),
        Just("表"),
        Just("\u{b}"),
        Just(" "),
        Just("SELECT"),
        Just("DELETE"),
        Just("EXPLAIN"),
        Just("WITH"),
        Just("PRAGMA"),
        Just("\0"),
        Just("()"),
    ]
    .prop_map(str::to_owned)
}

fn troublesome() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

fn covered(sql: &str) {
    let mut at = 0;
    for token in tokens(sql) {
        assert_eq!(token.range.start, at, "{sql:?}");
        assert!(token.range.end > at, "{sql:?}");
        assert!(sql.is_char_boundary(token.range.end), "{sql:?}");
        at = token.range.end;
    }
    assert_eq!(at, sql.len(), "{sql:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn every_byte_of_any_text_is_in_exactly_one_token(sql in any::<String>()) {
        covered(&sql);
        let _ = gate(&sql);
    }

    #[test]
    fn every_byte_of_a_troublesome_text_is_in_exactly_one_token(sql in troublesome()) {
        covered(&sql);
        let _ = gate(&sql);
    }

    #[test]
    fn what_passes_the_gate_is_one_statement_that_begins_as_a_query(sql in troublesome()) {
        if let Ok(gated) = gate(&sql) {
            let solid: Vec<_> = gated.tokens.iter().filter(|t| t.is_solid()).collect();
            let last = solid.iter().rposition(|t| !t.is(&sql, ";")).unwrap();
            let first = solid.iter().position(|t| !t.is(&sql, ";")).unwrap();
            prop_assert!(solid[first..=last].iter().all(|t| !t.is(&sql, ";")));
            prop_assert!(solid.iter().all(|t| t.kind != Kind::Unterminated));
            let query = &sql[gated.query..].to_ascii_uppercase();
            prop_assert!(["SELECT", "WITH", "VALUES"].iter().any(|w| query.starts_with(w)));
        }
    }
}
