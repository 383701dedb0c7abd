//! The loop, without IO.

pub mod approval;
pub mod protocol;
pub mod questions;
