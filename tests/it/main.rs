//! The native tests in one binary.

mod wire;
