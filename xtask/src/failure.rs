//! What went wrong, and what to do next. Every failure says both.

use std::fmt;

#[derive(Debug)]
pub struct Failure {
    cause: String,
    next: String,
}

impl Failure {
    pub fn new(cause: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            next: next.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}\nnext:  {}", self.cause, self.next.trim_end())
    }
}
