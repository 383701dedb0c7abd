//! The worker: a second small binary, so that the page never links what only the engine needs.

fn main() {
    #[cfg(target_arch = "wasm32")]
    assent::engine::worker::start();
}
