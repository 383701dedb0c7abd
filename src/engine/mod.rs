//! The engine's edge: what the page and the worker say to each other, as plain data.
//! The parts that run inside the worker are generic over [`Sqlite`], so that they are tested on native SQLite.

pub mod blocks;
pub mod column;
#[cfg(feature = "engine")]
pub mod count;
#[cfg(feature = "engine")]
pub mod doctor;
#[cfg(feature = "engine")]
pub mod guard;
#[cfg(feature = "engine")]
pub mod index;
#[cfg(feature = "engine")]
pub mod introspect;
#[cfg(feature = "engine")]
pub mod order;
pub mod pages;
pub mod protocol;
#[cfg(feature = "engine")]
pub mod run;
pub mod sqlite;
pub mod time;
#[cfg(feature = "engine")]
pub mod wal;
pub mod window;
#[cfg(all(feature = "engine", target_arch = "wasm32"))]
pub mod worker;

pub use protocol::{
    Budget, Cap, Finding, Fingerprint, Part, QueryError, Reply, Request, RequestId, ResultId,
    ResultMeta, SortOrder, WindowOf,
};
pub use sqlite::Sqlite;
