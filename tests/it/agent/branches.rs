//! A question can be asked again in other words. Nothing of what followed it before is lost.

use super::desk::Desk;
use assent::agent::branches::Branch;
use assent::agent::protocol::Op;
use assent::agent::run::Phase;

const COUNT: &str = "SELECT count(*) FROM orders";
const NAMES: &str = "SELECT name FROM customers";

fn again(desk: &mut Desk, turn: usize, text: &str) {
    let turn = desk.run.turns()[turn].id;
    desk.op(Op::AskAgain {
        turn,
        text: text.into(),
    });
}

fn show(desk: &mut Desk, turn: usize, index: usize) {
    let turn = desk.run.turns()[turn].id;
    desk.op(Op::ShowBranch { turn, index });
}

fn questions(desk: &Desk) -> Vec<&str> {
    desk.run
        .turns()
        .iter()
        .map(|t| t.question.as_str())
        .collect()
}

fn answered(desk: &mut Desk, question: &str, sql: &str) {
    desk.ask(question).propose(sql).approve().text("Here.");
}

#[test]
fn the_model_sees_only_the_branch_on_show() {
    let mut desk = Desk::open();
    answered(&mut desk, "How many orders?", COUNT);
    answered(&mut desk, "And who?", NAMES);
    again(&mut desk, 0, "Which customers?");
    let request = desk.last_request();
    assert!(request.contains("Which customers?"));
    assert!(!request.contains("How many orders?") && !request.contains("And who?"));
    assert_eq!(questions(&desk), ["Which customers?"]);
    assert_eq!(desk.run.branch(0), Some(Branch { index: 1, of: 2 }));

    desk.propose(NAMES).approve().text("These.");
    show(&mut desk, 0, 0);
    assert_eq!(questions(&desk), ["How many orders?", "And who?"]);
    desk.ask("And when?");
    let request = desk.last_request();
    assert!(request.contains("How many orders?") && request.contains("And who?"));
    assert!(!request.contains("Which customers?"));
    assert_eq!(desk.run.other_branches().len(), 1);
}

#[test]
fn a_card_that_waits_in_another_branch_can_still_be_approved() {
    let mut desk = Desk::open();
    desk.ask("How many orders?").propose(COUNT);
    let card = desk.pending();
    again(&mut desk, 0, "Which customers?");
    desk.propose(NAMES);
    assert_eq!(desk.pending().sql, NAMES);
    show(&mut desk, 0, 0);
    assert_eq!(desk.pending(), card);
    desk.approve().text("There are 3 orders.");
    show(&mut desk, 0, 1);
    assert_eq!(desk.pending().sql, NAMES);
    // The card of one branch decides nothing in the other.
    desk.op(Op::Decide {
        approval: card.id,
        decision: assent::agent::approval::Decision::Approve {
            shown: card.receipt.sql,
        },
    });
    assert_eq!(desk.pending().sql, NAMES);
}

#[test]
fn branches_of_branches_keep_their_places() {
    let mut desk = Desk::open();
    for question in ["one", "two", "three"] {
        answered(&mut desk, question, COUNT);
    }
    again(&mut desk, 2, "three, again");
    desk.text("Three.");
    again(&mut desk, 1, "two, again");
    desk.text("Two.");
    again(&mut desk, 1, "two, once more");
    desk.text("Two.");
    assert_eq!(questions(&desk), ["one", "two, once more"]);
    assert_eq!(desk.run.branch(1), Some(Branch { index: 2, of: 3 }));
    assert_eq!(desk.run.branch(2), None);
    show(&mut desk, 1, 0);
    assert_eq!(questions(&desk), ["one", "two", "three, again"]);
    assert_eq!(desk.run.branch(2), Some(Branch { index: 1, of: 2 }));
    show(&mut desk, 2, 0);
    assert_eq!(questions(&desk), ["one", "two", "three"]);
    show(&mut desk, 1, 1);
    assert_eq!(questions(&desk), ["one", "two, again"]);
}

#[test]
fn nothing_moves_while_work_is_under_way() {
    let mut desk = Desk::open();
    answered(&mut desk, "How many orders?", COUNT);
    again(&mut desk, 0, "Which customers?");
    assert!(matches!(desk.run.phase(), Phase::CallingModel { .. }));
    show(&mut desk, 0, 0);
    again(&mut desk, 0, "Something else");
    assert_eq!(questions(&desk), ["Which customers?"]);
    desk.text("Ann, Bo and Cy.");
    desk.file_open = false;
    again(&mut desk, 0, "Without a file");
    assert_eq!(questions(&desk), ["Which customers?"]);
}
