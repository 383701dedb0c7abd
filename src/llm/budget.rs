//! A cap on tokens that stops with a question: what is spent, and what may be. Must not know who asks.

use serde::{Deserialize, Serialize};

/// Counts against one cap. Going on after a stop allows as much again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    pub spent: u64,
    /// Set by a stop: the cap that holds from then on.
    allowed: Option<u64>,
}

impl Meter {
    pub fn add(&mut self, tokens: u64) {
        self.spent = self.spent.saturating_add(tokens);
    }

    /// Whether the next request has to wait for the person. `cap` of 0 is none. Asking counts as the stop:
    /// the request after it goes through.
    pub fn stops(&mut self, cap: u64) -> bool {
        if cap == 0 || self.spent < self.allowed.unwrap_or(cap).max(cap) {
            return false;
        }
        self.allowed = Some(self.spent.saturating_add(cap));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_asked_once_for_each_cap() {
        let mut meter = Meter::default();
        assert!(!meter.stops(100));
        meter.add(120);
        assert!(!meter.stops(0) && !meter.stops(121));
        assert!(meter.stops(100) && !meter.stops(100));
        meter.add(99);
        assert!(!meter.stops(100));
        meter.add(1);
        assert!(meter.stops(100) && !meter.stops(100));
    }
}
