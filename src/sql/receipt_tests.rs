use super::*;

fn op(opcode: &str, p1: i64, p2: i64, p3: i64, p4: &str) -> Instruction {
    Instruction {
        opcode: opcode.into(),
        p1,
        p2,
        p3,
        p4: p4.into(),
    }
}

fn catalog() -> Catalog {
    let root = |table: &str, slots: &[&str], rowid: Option<&str>| Root {
        table: table.into(),
        slots: slots.iter().map(|s| Some((*s).to_owned())).collect(),
        rowid: rowid.map(str::to_owned),
    };
    Catalog {
        roots: [
            (2, root("orders", &["id", "city", "total"], Some("id"))),
            (3, root("orders", &["city"], None)),
        ]
        .into(),
        ..Catalog::default()
    }
}

#[test]
fn the_lists_are_sorted() {
    assert!(READING.is_sorted());
    assert!(TELLING_PRAGMAS.is_sorted());
}

#[test]
fn tables_and_columns_come_from_cursors() {
    let program = [
        op("OpenRead", 0, 2, 0, "3"),
        op("OpenRead", 1, 3, 0, "k(2,,)"),
        op("SeekGE", 1, 9, 1, "1"),
        op("Column", 0, 2, 4, ""),
        op("Rowid", 0, 5, 0, ""),
        op("OpenRead", 2, 99, 0, ""),
    ];
    let read = read_program(&program, &catalog(), &BTreeSet::new()).unwrap();
    assert_eq!(
        read.reads,
        [
            TableRead {
                table: "orders".into(),
                columns: vec!["city".into(), "total".into(), "id".into()]
            },
            TableRead {
                table: "(root page 99)".into(),
                columns: vec![]
            }
        ]
    );
}

#[test]
fn writes_side_effects_and_the_unknown_are_refused() {
    for (bad, rule, token) in [
        (
            op("Transaction", 0, 1, 0, ""),
            Rule::Writes,
            "write transaction",
        ),
        (op("OpenWrite", 0, 2, 0, ""), Rule::Writes, "OpenWrite"),
        (op("JournalMode", 0, 0, 0, ""), Rule::Writes, "JournalMode"),
        (op("Newfangled", 0, 0, 0, ""), Rule::Writes, "Newfangled"),
        (
            op("Function", 0, 0, 0, "load_extension(1)"),
            Rule::Function,
            "load_extension",
        ),
    ] {
        let denial =
            read_program(std::slice::from_ref(&bad), &catalog(), &BTreeSet::new()).unwrap_err();
        assert_eq!((denial.rule, denial.token.as_str()), (rule, token));
    }
}
