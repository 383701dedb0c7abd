//! The worker's page filler: a small wasm module that is kept as text and as bytes.

use std::path::Path;

/// The bytes are checked in, so that no build needs an assembler. `ASSENT_WRITE=1` writes them anew.
#[test]
fn the_fillers_bytes_are_its_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/worker");
    let bytes = wat::parse_file(folder.join("filler.wat")).unwrap();
    let kept = folder.join("filler.wasm");
    if std::env::var_os("ASSENT_WRITE").is_some() {
        std::fs::write(&kept, &bytes).unwrap();
    }
    assert!(
        std::fs::read(&kept).is_ok_and(|kept| kept == bytes),
        "run `ASSENT_WRITE=1 cargo test --test it filler`"
    );
}
