use super::*;

fn t(text: &str) -> Value {
    Value::Text(text.into())
}

fn n(i: i64) -> Value {
    Value::Integer(i)
}

fn kind(columns: &[&str], rows: Vec<Vec<Value>>) -> Option<ChartKind> {
    let columns: Vec<String> = columns.iter().map(|c| (*c).to_owned()).collect();
    choose(&columns, &rows).map(|c| c.kind)
}

#[test]
fn the_types_choose_the_chart() {
    use ChartKind::{Bar, Line, Number, Scatter};
    let many = |len: i64| (0..len).map(|i| vec![t(&format!("c{i}")), n(i)]).collect();
    for (columns, rows, expected) in [
        (vec!["n"], vec![vec![n(5)]], Some(Number)),
        (vec!["n"], vec![vec![t("x")]], None),
        (vec!["region", "n"], many(3), Some(Bar)),
        (vec!["region", "n"], many(40), Some(Bar)),
        (vec!["region", "n"], many(41), None),
        (
            vec!["month", "n"],
            vec![vec![t("2024-01"), n(1)], vec![t("2024-02"), n(2)]],
            Some(Line),
        ),
        (
            vec!["year", "n"],
            vec![vec![n(2023), n(1)], vec![n(2024), n(2)]],
            Some(Line),
        ),
        (
            vec!["price", "units"],
            vec![vec![n(5), n(9)], vec![n(7), n(2)], vec![n(1), n(4)]],
            Some(Scatter),
        ),
        (
            vec!["rank", "units"],
            vec![vec![n(1), n(9)], vec![n(2), n(2)], vec![n(3), n(4)]],
            None,
        ),
        (vec!["a"], vec![vec![t("x")], vec![t("y")]], None),
        (vec!["a"], vec![], None),
    ] {
        assert_eq!(kind(&columns, rows), expected, "{columns:?}");
    }
}

#[test]
fn a_second_category_becomes_lines_over_time() {
    let columns: Vec<String> = ["month", "region", "n"].map(String::from).to_vec();
    let rows = vec![
        vec![t("2024-02"), t("N"), n(2)],
        vec![t("2024-01"), t("N"), n(1)],
        vec![t("2024-01"), t("S"), n(7)],
    ];
    let choice = choose(&columns, &rows).unwrap();
    assert_eq!(choice.labels, ["2024-01", "2024-02"]);
    assert_eq!(choice.series[0].values, [Some(1.0), Some(2.0)]);
    assert_eq!(choice.series[1].values, [Some(7.0), None]);
    assert_eq!(
        choice.summary,
        "n · month: min 2024-01 · N 1, max 2024-01 · S 7"
    );
}

#[test]
fn few_shares_become_a_pie_and_counts_stay_bars() {
    use ChartKind::{Bar, Pie};
    let r = |v: f64| Value::Real(v);
    let rows = |values: &[Value]| {
        let rows = values.iter().enumerate();
        rows.map(|(i, v)| vec![t(&format!("c{i}")), v.clone()])
            .collect::<Vec<_>>()
    };
    for (name, values, expected) in [
        ("share", vec![n(60), n(30), n(10)], Pie),
        ("占比", vec![r(12.5), r(80.0)], Pie),
        ("n", vec![r(0.25), r(0.5), r(0.25)], Pie),
        ("n", vec![n(60), n(40)], Bar),
        ("share", vec![n(100)], Bar),
        ("share", vec![n(-10), n(110)], Bar),
        ("share", vec![n(60), Value::Null], Bar),
        ("share", (0..7).map(n).collect(), Bar),
    ] {
        let rows = rows(&values);
        if rows.len() > 1 {
            assert_eq!(
                kind(&["city", name], rows),
                Some(expected),
                "{name} {values:?}"
            );
        }
    }
}

#[test]
fn only_kinds_that_tell_the_truth_are_offered() {
    use ChartKind::{Bar, Line, Pie, Scatter};
    let of = |columns: &[&str], rows: Vec<Vec<Value>>| {
        let columns: Vec<String> = columns.iter().map(|c| (*c).to_owned()).collect();
        kinds(&choose(&columns, &rows).unwrap())
    };
    let bars = |len: i64| (0..len).map(|i| vec![t(&format!("c{i}")), n(i)]).collect();
    assert_eq!(of(&["city", "n"], bars(3)), [Bar, Line, Pie]);
    assert_eq!(of(&["city", "n"], bars(9)), [Bar, Line]);
    let days = |len: i64| (0..len).map(|i| vec![n(1900 + i), n(i)]).collect();
    assert_eq!(of(&["year", "n"], days(9)), [Line, Bar]);
    assert_eq!(of(&["year", "n"], days(41)), [Line]);
    let pairs = vec![vec![n(5), n(9)], vec![n(7), n(2)], vec![n(1), n(4)]];
    assert_eq!(of(&["a", "b"], pairs), [Scatter]);
}

#[test]
fn a_chart_of_all_rows_knows_its_columns() {
    let columns: Vec<String> = ["n", "day", "m"].map(String::from).to_vec();
    let rows = vec![
        vec![n(1), t("2024-01-01"), n(2)],
        vec![n(3), t("2024-01-02"), n(4)],
    ];
    let source = choose(&columns, &rows).unwrap().source.unwrap();
    assert_eq!((source.x, source.y, source.time), (1, vec![0, 2], true));
}

#[test]
fn ticks_are_round_and_cover() {
    assert_eq!(ticks(0.0, 97.0, 4), [0.0, 25.0, 50.0, 75.0, 100.0]);
    assert_eq!(ticks(0.0, 0.0, 4), [0.0]);
    assert!(ticks(-1e308, 1e308, 4).len() < 10);
    assert!(ticks(f64::NAN, 1.0, 4).len() < 3);
}

#[test]
fn numbers_are_short() {
    for (value, text) in [
        (0.0, "0"),
        (12.5, "12.5"),
        (9_999.0, "9999"),
        (12_431.0, "12.43k"),
        (2_000_000.0, "2M"),
        (-0.25, "-0.25"),
        (100.0, "100"),
    ] {
        assert_eq!(short(value), text);
    }
}
