//! The engine's edge: what the page and the worker say to each other, as plain data.
//! The parts that run inside the worker are generic over [`Sqlite`], so that they are tested on native SQLite.

pub mod protocol;

pub use protocol::{
    Budget, Finding, Fingerprint, QueryError, Reply, Request, RequestId, ResultId, ResultMeta,
};
