//! A model's endpoint as the source: what the page would send goes out, what comes back is decoded by the
//! same decoders. A failure that no other question would escape ends the evaluation.

use crate::desk::Source;
use crate::http::Endpoint;
use crate::set::Database;
use assent::agent::record::NoticeRecord;
use assent::llm::{ModelError, ModelErrorKind, ModelRequest, Turn};
use assent::settings::Language;
use assent::view::notices::notice;
use std::cell::RefCell;
use std::rc::Rc;

/// One endpoint for all questions: what it refused once is not sent again.
#[derive(Clone)]
pub struct Model(Rc<RefCell<Endpoint>>);

impl Model {
    pub fn new(endpoint: Endpoint) -> Self {
        Self(Rc::new(RefCell::new(endpoint)))
    }
}

impl Source for Model {
    fn turn(&mut self, request: &ModelRequest, _database: &Database) -> Result<Turn, ModelError> {
        let turn = self.0.borrow_mut().turn(request);
        if let Err(error) = &turn
            && is_final(error.kind)
        {
            let words = notice(&NoticeRecord::ModelError(error.clone()), Language::English);
            eprintln!("{}\n{}\n{}", words.text, error.message, words.next);
            std::process::exit(1);
        }
        turn
    }
}

fn is_final(kind: ModelErrorKind) -> bool {
    matches!(
        kind,
        ModelErrorKind::Unauthorised
            | ModelErrorKind::Forbidden
            | ModelErrorKind::ModelNotFound
            | ModelErrorKind::WrongAddress
            | ModelErrorKind::NotJson
            | ModelErrorKind::NotConfigured
            | ModelErrorKind::QuotaExceeded
            | ModelErrorKind::NoTools
            | ModelErrorKind::Unreachable
    )
}
