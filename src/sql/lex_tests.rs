use super::*;

fn kinds(sql: &str) -> Vec<(Kind, &str)> {
    tokens(sql)
        .iter()
        .filter(|t| t.kind != Kind::Space)
        .map(|t| (t.kind, t.text(sql)))
        .collect()
}

#[test]
fn the_keyword_list_is_sorted() {
    assert!(KEYWORDS.is_sorted());
    assert!(is_keyword("Select") && !is_keyword("selects"));
}

#[test]
fn strings_names_and_comments_hide_keywords_and_semicolons() {
    use Kind::*;
    assert_eq!(
        kinds("SELECT 'a;''DROP' \"x\"\"y\", [a]b]`c``;`--;\n/*;*/x'0F'"),
        [
            (Keyword, "SELECT"),
            (Text, "'a;''DROP'"),
            (QuotedName, "\"x\"\"y\""),
            (Operator, ","),
            (QuotedName, "[a]"),
            (Name, "b"),
            (Illegal, "]"),
            (QuotedName, "`c``;`"),
            (Comment, "--;"),
            (Comment, "/*;*/"),
            (Blob, "x'0F'"),
        ]
    );
}

#[test]
fn numbers_variables_and_operators_are_cut_as_sqlite_cuts_them() {
    use Kind::*;
    assert_eq!(
        kinds("1.5e-3 .5 0xFF 1_000 1abc ?12 :a @b $c::d(e) a->>'$' b||c!=!"),
        [
            (Number, "1.5e-3"),
            (Number, ".5"),
            (Number, "0xFF"),
            (Number, "1_000"),
            (Illegal, "1abc"),
            (Variable, "?12"),
            (Variable, ":a"),
            (Variable, "@b"),
            (Variable, "$c::d(e)"),
            (Name, "a"),
            (Operator, "->>"),
            (Text, "'$'"),
            (Name, "b"),
            (Operator, "||"),
            (Name, "c"),
            (Operator, "!="),
            (Illegal, "!"),
        ]
    );
}

#[test]
fn what_is_not_closed_is_named() {
    for sql in ["'a", "\"a", "[a", "`a", "/*", "/*/", "/* *", "x'0", "'a''"] {
        assert_eq!(kinds(sql), [(Kind::Unterminated, sql)], "{sql}");
    }
}

#[test]
fn quotes_are_undone_in_names() {
    let sql = "\"a\"\"b\" [c]]";
    let names: Vec<_> = tokens(sql).iter().filter_map(|t| t.name(sql)).collect();
    assert_eq!(names, ["a\"b", "c"]);
}
