//! The translator that needs no model: a small set of its own, behind the same kernel and guard as a model.

use crate::agent::desk::Desk;
use crate::native::{Native, clock, introspected};
use assent::agent::run::Phase;
use assent::builtin::{Translator, respond, suggest};
use assent::engine::guard;
use assent::engine::index::index_values;
use assent::engine::introspect::Introspection;
use assent::link::{Names, rank, words};
use assent::llm::Turn;
use assent::settings::Language;
use assent::sql::Verdict;
use assent::transcript::{Message, Part};
use proptest::prelude::*;
use serde_json::Value as Json;
use std::cell::RefCell;

const BAKERY: &str = include_str!("../fixtures/eval/bakery.sql");
const FLOWERS: &str = include_str!("../fixtures/eval/huadian.sql");
const MARKET: &str = include_str!("../fixtures/eval/market.sql");
const QUESTIONS: &str = include_str!("../fixtures/eval/questions.jsonl");

struct Shop {
    db: Native,
    known: Introspection,
    translator: Translator,
}

impl Shop {
    fn open(script: &str) -> Self {
        let mut db = Native::memory(script);
        let known = introspected(&mut db);
        let names = Names::new(&known.schema);
        let values = index_values(&mut db, &names, &clock()).unwrap();
        Self {
            translator: Translator::new(&known.schema, values),
            known,
            db,
        }
    }

    fn ask(&self, question: &str) -> (String, Json) {
        called(&respond(
            &self.translator,
            &[Message::User {
                text: question.into(),
            }],
        ))
    }

    fn rows(&mut self, sql: &str) -> Vec<String> {
        let width = assent::engine::sqlite::rows(&mut self.db, sql, |row| {
            (0..8)
                .map(|c| row.optional_text(c).unwrap_or_default())
                .collect::<Vec<_>>()
                .join("|")
        });
        let mut rows = width.unwrap();
        rows.sort();
        rows
    }
}

fn called(turn: &Turn) -> (String, Json) {
    match turn.parts.first() {
        Some(Part::Call(call)) => (
            call.name.clone(),
            serde_json::from_str(&call.arguments).unwrap(),
        ),
        other => panic!("no call in {other:?}"),
    }
}

/// Every question that is answered is answered right, and nearly all are answered.
#[test]
fn the_small_set_is_answered_right() {
    let mut shops = [
        ("bakery", Shop::open(BAKERY)),
        ("huadian", Shop::open(FLOWERS)),
        ("market", Shop::open(MARKET)),
    ];
    let (mut answered, mut all) = (0, 0);
    for line in QUESTIONS.lines() {
        let item: Json = serde_json::from_str(line).unwrap();
        let text = |key: &str| item[key].as_str().unwrap().to_owned();
        let (_, shop) = shops
            .iter_mut()
            .find(|(name, _)| *name == text("db"))
            .unwrap();
        let (tool, arguments) = shop.ask(&text("question"));
        all += 1;
        if tool != "run_sql" {
            println!("{tool}: {}", text("question"));
            continue;
        }
        answered += 1;
        let sql = arguments["sql"].as_str().unwrap().to_owned();
        let (own, gold) = (shop.rows(&sql), shop.rows(&text("gold")));
        let sorted = |rows: &[String]| {
            let mut rows: Vec<Vec<String>> = rows
                .iter()
                .map(|r| {
                    let mut cells: Vec<String> = r.split('|').map(str::to_owned).collect();
                    cells.sort();
                    cells
                })
                .collect();
            rows.sort();
            rows
        };
        assert_eq!(sorted(&own), sorted(&gold), "{}\n{sql}", text("question"));
    }
    assert!(answered * 100 >= all * 90, "{answered} of {all}");
}

#[test]
fn what_it_does_not_understand_it_says() {
    let shop = Shop::open(BAKERY);
    for question in [
        "Will it rain tomorrow in the mountains?",
        "Delete all bakers",
        "",
        "?",
        "How many unicorns won a medal in 1912?",
    ] {
        let (tool, arguments) = shop.ask(question);
        assert_eq!(tool, "cannot_answer", "{question}: {arguments}");
        assert!(!arguments["reason"].as_str().unwrap().is_empty());
    }
}

/// Two dates fit "date", and nothing in the question tells them apart: the person decides.
#[test]
fn a_word_that_fits_two_columns_is_asked_about() {
    let shop = Shop::open(
        "CREATE TABLE rentals(rental_id INTEGER PRIMARY KEY, boat_name TEXT, pickup_place TEXT, drop_place TEXT);
         INSERT INTO rentals VALUES (1, 'Heron', 'Elbow Quay', 'Fig Bay'), (2, 'Tern', 'Fig Bay', 'Elbow Quay');",
    );
    for question in [
        "List the boat name and the place",
        "How many rentals in Elbow Quay?",
    ] {
        let (tool, arguments) = shop.ask(question);
        assert_eq!(tool, "ask_user_questions", "{question}: {arguments}");
        let options = arguments["questions"][0]["options"].as_array().unwrap();
        let label = |n: usize| options[n]["label"].as_str().unwrap().to_owned();
        assert_eq!(options.len(), 2, "{arguments}");
        assert!(label(0).contains("_place") && label(1).contains("_place"));
    }
    let (tool, arguments) = shop.ask("How many rentals with drop place Elbow Quay?");
    assert_eq!(tool, "run_sql");
    assert!(
        arguments["sql"]
            .as_str()
            .unwrap()
            .contains("drop_place = 'Elbow Quay'")
    );
}

/// Readings that look complete and answer something else are not shown.
#[test]
fn an_answer_to_another_question_is_refused() {
    let shop = Shop::open(BAKERY);
    for question in [
        // The only thing returned would be what the question says.
        "Describe the bread Baguette",
        // No table here holds people who sell ovens.
        "Who repaired the cheapest bread?",
        // A condition that nothing in the file answers.
        "How many bakers are in retirement?",
        "How many organic breads are there?",
    ] {
        let (tool, arguments) = shop.ask(question);
        assert_eq!(tool, "cannot_answer", "{question}: {arguments}");
    }
}

#[test]
fn a_negation_is_never_lost() {
    let mut shop = Shop::open(MARKET);
    for question in [
        "Find the customers that have orders with status 'shipped' but not with 'open'.",
        "Which customers have orders from 'shipped' but not from 'open'?",
    ] {
        let (tool, arguments) = shop.ask(question);
        assert_eq!(tool, "run_sql", "{question}: {arguments}");
        let rows = shop.rows(arguments["sql"].as_str().unwrap());
        let names: Vec<&str> = rows.iter().map(|r| r.trim_end_matches('|')).collect();
        assert_eq!(names, ["Marta Olsen"], "{arguments}");
    }
}

#[test]
fn a_request_to_write_is_told_that_nothing_writes() {
    let shop = Shop::open(BAKERY);
    let flowers = Shop::open(FLOWERS);
    for (shop, question, says) in [
        (
            &shop,
            "Please delete the bakers older than 40",
            "only reads",
        ),
        (&shop, "Update the price of Baguette to 3", "only reads"),
        (&flowers, "删除所有订单", "只读取"),
        (&flowers, "请把陈晓的工资改成5000", "只读取"),
    ] {
        let (tool, arguments) = shop.ask(question);
        assert_eq!(tool, "cannot_answer", "{question}");
        let reason = arguments["reason"].as_str().unwrap();
        assert!(reason.contains(says), "{question}: {reason}");
    }
}

/// All that is said to a person who asks in Chinese is Chinese, but for names and SQL.
#[test]
fn a_chinese_question_is_answered_in_chinese() {
    let shop = Shop::open(FLOWERS);
    let english = |text: &str| {
        text.split(|c: char| !c.is_ascii_alphabetic())
            .filter(|w| w.len() > 3 && *w != "Assent")
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (tool, arguments) = shop.ask("工资高于平均工资的店员有哪些？");
    assert_eq!(tool, "run_sql");
    for part in ["reasoning", "analysis", "final_check"] {
        let text = arguments[part].as_str().unwrap();
        assert_eq!(english(text), [""; 0], "{part}: {text}");
    }
    assert!(
        arguments["analysis"]
            .as_str()
            .unwrap()
            .starts_with("读取 店员。")
    );
    let (tool, arguments) = shop.ask("明天会下雨吗？");
    assert_eq!(tool, "cannot_answer");
    let reason = arguments["reason"].as_str().unwrap();
    assert!(reason.starts_with("内置翻译器") && english(reason).is_empty());

    let (_, arguments) = Shop::open(BAKERY).ask("Which bakers are older than 40?");
    assert_eq!(
        arguments["analysis"].as_str().unwrap(),
        "Reads bakers. Keeps rows where bakers.age > 40."
    );
}

#[test]
fn suggested_questions_run() {
    for (script, language) in [
        (BAKERY, Language::English),
        (MARKET, Language::English),
        (FLOWERS, Language::Chinese),
        (MARKET, Language::Chinese),
    ] {
        let mut shop = Shop::open(script);
        let questions = suggest(&shop.translator, language, 4);
        assert!(questions.len() >= 2, "{questions:?}");
        for question in questions {
            let (tool, arguments) = shop.ask(&question);
            assert_eq!(tool, "run_sql", "{question}");
            shop.rows(arguments["sql"].as_str().unwrap());
        }
    }
}

/// A question from asking to a sentence from the rows, through the loop.
#[test]
fn the_loop_takes_it_for_a_model() {
    let mut desk = Desk::with(BAKERY);
    let shop = Shop::open(BAKERY);
    desk.ask("How many bakers are there?");
    let turn = respond(&shop.translator, &desk.requests.last().unwrap().messages);
    desk.turn(turn.parts, turn.finish.unwrap());
    desk.approve();
    let turn = respond(&shop.translator, &desk.requests.last().unwrap().messages);
    assert_eq!(turn.parts, [Part::Text("count(*): **6**.".into())]);
    desk.turn(turn.parts, turn.finish.unwrap());
    assert!(matches!(desk.run.phase(), Phase::Idle));
}

#[test]
fn after_a_failure_it_ends_honestly() {
    let mut desk = Desk::with(BAKERY);
    let shop = Shop::open(BAKERY);
    desk.ask("How many bakers are there?");
    let turn = respond(&shop.translator, &desk.requests.last().unwrap().messages);
    desk.turn(turn.parts, turn.finish.unwrap());
    desk.reject(Some("I wanted something else"));
    let turn = respond(&shop.translator, &desk.requests.last().unwrap().messages);
    assert_eq!(called(&turn).0, "cannot_answer");
}

#[test]
fn linking_ranks_what_the_question_names() {
    let shop = Shop::open(BAKERY);
    let names = &shop.translator.names;
    for (question, table, column) in [
        ("Who bakes the Country Sourdough?", "breads", "name"),
        ("What do workers earn?", "bakers", "salary"),
        ("sales in Milford", "towns", "name"),
    ] {
        let ranked = rank(&words(question), names, &shop.translator.values);
        let tables: Vec<&str> = ranked
            .tables
            .iter()
            .take(3)
            .map(|(t, _)| names.tables[*t].name.as_str())
            .collect();
        assert!(tables.contains(&table), "{question}: {tables:?}");
        let columns: Vec<(&str, &str)> = ranked
            .columns
            .iter()
            .take(8)
            .map(|((t, c), _)| {
                (
                    names.tables[*t].name.as_str(),
                    names.tables[*t].columns[*c].name.as_str(),
                )
            })
            .collect();
        assert!(
            columns.contains(&(table, column)),
            "{question}: {columns:?}"
        );
    }
}

thread_local! {
    static OPEN: RefCell<Shop> = RefCell::new(Shop::open(BAKERY));
}

/// Words that make the passes meet in odd ways, and any text at all.
fn questions() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("how many"),
        Just("bakers"),
        Just("name of"),
        Just("the most"),
        Just("top"),
        Just("3"),
        Just("bread"),
        Just("Milford"),
        Just("not"),
        Just("without"),
        Just("each"),
        Just("and"),
        Just("or"),
        Just("both"),
        Just("price"),
        Just("more than"),
        Just("average"),
        Just("between"),
        Just("1"),
        Just("'x\"y'"),
        Just("ordered by"),
        Just("descending"),
        Just("contains"),
        Just("towns"),
        Just("sales"),
        Just("oldest"),
        Just("2015"),
        Just("after"),
        Just("?"),
        Just(","),
        Just("which"),
        Just("have"),
        Just("different"),
        Just("最多"),
        Just("每个"),
        Just("的"),
        Just("names"),
        Just("recipes"),
        Just("flour"),
        Just("most common"),
    ];
    prop_oneof![
        proptest::collection::vec(word, 0..14).prop_map(|w| w.join(" ")),
        ".{0,80}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any text ends in a well-formed turn, and no proposal is refused or unknown to SQLite.
    #[test]
    fn any_text_gives_a_turn_that_the_guard_allows(question in questions()) {
        OPEN.with_borrow_mut(|shop| {
            for candidate in shop.translator.translate(&question).candidates {
                let known = &shop.known;
                let verdict = guard::check(&mut shop.db, &known.catalog, &known.schema, &candidate.sql).unwrap();
                prop_assert!(matches!(verdict, Verdict::Allow(_)), "{question}\n{}\n{verdict:?}", candidate.sql);
            }
            let (tool, _) = shop.ask(&question);
            prop_assert!(["run_sql", "ask_user_questions", "cannot_answer"].contains(&tool.as_str()));
            Ok(())
        })?;
    }
}
