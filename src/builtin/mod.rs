//! The translator that needs no model: plain questions to SQL, by rules, behind the same seam as a model.
//!
//! ```text
//! question ─ words ─▶ tags ─ passes ─▶ draft ─ joins ─▶ plan ─ print ─▶ SQL
//! ```
//!
//! [`respond`] yields a [`Turn`](crate::llm::Turn): a proposal, a question card, or "cannot answer" with
//! what was understood. It knows names, values and joins (`link`) and the neutral model types; never a
//! database, a wire format or the page. The same question over the same schema gives the same turn.

mod assemble;
mod chinese;
mod conditions;
mod draft;
mod lexicon;
pub mod plan;
mod print;
mod read;
mod respond;
mod suggest;
mod tag;
mod token;
mod translate;
mod wording;

pub use lexicon::places;
pub use print::print;
pub use respond::respond;
pub use suggest::suggest;
pub use translate::{Candidate, Translation, Translator};
