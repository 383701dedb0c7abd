//! What becomes of a finished result: sorted, whole cells, whole columns, and why it is not complete.

use crate::guard::{budget, run};
use crate::native::{Native, introspected};
use assent::engine::column;
use assent::engine::order::order;
use assent::engine::window::{decode, encode_part};
use assent::engine::{Budget, Cap, Part, ResultId, SortOrder, WindowOf};
use assent::sql::Value;

fn wide() -> Budget {
    Budget {
        rows_max: 1 << 40,
        bytes_max: 1 << 40,
        time_ms: 60_000,
        ..budget()
    }
}

fn of(part: Part, first: u64, order: Option<SortOrder>) -> WindowOf {
    WindowOf {
        result: ResultId(1),
        first,
        count: 3,
        order,
        part,
    }
}

const ODD: &str = "
    CREATE TABLE t(v, n);
    INSERT INTO t(v) VALUES (3), (NULL), ('b'), (x'02'), (2.5), (-1), ('B'), (x''), (''), (9007199254740993),
        (9007199254740992.0), (9007199254740992), (1e999), (-1e999), (9223372036854775807), (9223372036854775807.0),
        (-9223372036854775808), (-9223372036854775808.0), (2.5), ('b'), (NULL), (x'0201'), ('名'), (3.0), (0),
        (-0.0), ('ab'), (0.5), (-0.5), (1), (-9.3e18), (9.3e18);
    UPDATE t SET n = rowid;";

#[test]
fn any_column_sorts_as_sqlite_sorts_it_up_and_down_and_stable() {
    let mut db = Native::memory(ODD);
    let known = introspected(&mut db);
    let (_, pages) = run(&mut db, &known, "SELECT v, n FROM t ORDER BY n", wide()).unwrap();
    for descending in [false, true] {
        let by = SortOrder {
            column: 0,
            descending,
        };
        let rows = order(&pages, by).unwrap();
        let direction = if descending { "DESC" } else { "ASC" };
        let sql = format!("SELECT n FROM t ORDER BY v {direction}, n");
        let (_, expected) = run(&mut db, &known, &sql, wide()).unwrap();
        let expected: Vec<_> = (0..expected.rows())
            .map(|row| expected.cell(row, 0))
            .collect();
        let sorted: Vec<_> = rows
            .iter()
            .map(|row| pages.cell(u64::from(*row), 1))
            .collect();
        assert_eq!(sorted, expected, "{direction}");
        let bytes = encode_part(&pages, Some(&rows), &of(Part::Glance, 4, Some(by))).unwrap();
        let shown: Vec<Value> = decode(&bytes)
            .unwrap()
            .rows
            .iter()
            .map(|row| row[1].clone())
            .collect();
        let wanted: Vec<Value> = sorted[4..7]
            .iter()
            .map(|cell| cell.unwrap().to_value(9))
            .collect();
        assert_eq!(shown, wanted);
    }
    let beyond = SortOrder {
        column: 2,
        descending: false,
    };
    assert_eq!(order(&pages, beyond), None);
}

#[test]
fn a_cut_cell_crosses_whole_when_it_is_asked_for() {
    let mut db = Native::memory(
        "CREATE TABLE t(a, b, c); INSERT INTO t VALUES (1, replace(hex(zeroblob(5000)), '0', 'é'), zeroblob(300))",
    );
    let known = introspected(&mut db);
    let (_, pages) = run(&mut db, &known, "SELECT * FROM t", wide()).unwrap();
    let part = |part: Part| {
        encode_part(&pages, None, &of(part, 0, None))
            .map(|bytes| decode(&bytes).unwrap().rows.remove(0))
    };
    let text = Value::Text("é".repeat(10_000));
    let blob = Value::Blob {
        head: vec![0; 300],
        bytes: 300,
    };
    assert!(matches!(
        &part(Part::Glance).unwrap()[1],
        Value::TextHead { bytes: 20_000, .. }
    ));
    let whole = [Value::Integer(1), text, blob];
    assert_eq!(part(Part::Whole).unwrap(), whole);
    assert_eq!(part(Part::Cell(1)).unwrap(), whole[1..2]);
    assert_eq!(part(Part::Cell(2)).unwrap(), whole[2..]);
    assert_eq!(part(Part::Cell(3)), None);
}

#[test]
fn a_column_crosses_as_numbers_and_dates_as_milliseconds() {
    let mut db = Native::memory(
        "CREATE TABLE t(v); INSERT INTO t VALUES (1), (NULL), ('x'), (2.5), (x'00'), ('1970-01-02')",
    );
    let known = introspected(&mut db);
    let (_, pages) = run(&mut db, &known, "SELECT v FROM t", wide()).unwrap();
    let bytes = column::encode(&pages, 0, 100).unwrap();
    let numbers = column::decode(&bytes).unwrap();
    assert_eq!(
        (numbers[0], numbers[3], numbers[5], numbers.len()),
        (1.0, 2.5, 86_400_000.0, 6)
    );
    assert!([1, 2, 4].iter().all(|at: &usize| numbers[*at].is_nan()));
    let first = column::encode(&pages, 0, 1).unwrap();
    assert_eq!(column::decode(&first), Some(vec![1.0]));
    assert_eq!(column::encode(&pages, 1, 100), None);
    assert_eq!(column::decode(&bytes[..bytes.len() - 1]), None);
    assert_eq!(column::decode(b"AWN1"), None);
}

#[test]
fn a_run_says_which_cap_ended_it() {
    let mut db = Native::memory("");
    let known = introspected(&mut db);
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, hex(zeroblob(50)) FROM n";
    let mut cap = |budget: Budget| run(&mut db, &known, sql, budget).unwrap().0.cap;
    let rows = Budget {
        rows_max: 10,
        ..wide()
    };
    let bytes = Budget {
        bytes_max: 10_000,
        ..wide()
    };
    let time = Budget {
        time_ms: 20,
        ..wide()
    };
    assert_eq!(cap(rows), Some(Cap::Rows));
    assert_eq!(cap(bytes), Some(Cap::Bytes));
    assert_eq!(cap(time), Some(Cap::Time));
    assert_eq!(
        run(&mut db, &known, "SELECT 1", wide()).unwrap().0.cap,
        None
    );
}
