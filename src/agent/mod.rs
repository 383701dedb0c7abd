//! The loop, without IO.
//!
//! A [`Run`](run::Run) is one chat. The driver feeds it an [`Input`](protocol::Input) and executes *all*
//! [`Effect`](protocol::Effect)s that come back; each answer is fed back with its effect's id, and answers
//! with a stale id are dropped. Time, schema and settings are arguments ([`run::Context`]); the run can be
//! saved between any two inputs, and [`run::Run::resume`] gives the pending effects of a loaded one again.
//!
//! ```text
//! Ask ──▶ CallModel ──▶ ModelDone(run_sql …) ──▶ Check ──▶ Checked(Allow) ──▶ AskUser
//!   Decide(Approve) ──▶ RunSql ──▶ Ran ──▶ CallModel ──▶ ModelDone(text) ──▶ answered
//! ```
//!
//! It knows the neutral model types of `llm`, never a wire family; it plans through `tools`, and words
//! for the model come from `prompt`.

pub mod approval;
mod book;
pub mod branches;
mod calls;
mod decisions;
mod fallback;
pub mod grounding;
pub mod limits;
pub mod protocol;
pub mod questions;
pub mod record;
pub mod restore;
pub mod run;
mod turns;
