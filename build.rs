//! Link options of the page.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The page's wasm is split after linking, which needs to know what refers to what.
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo:rustc-link-arg-bin=assent=--emit-relocs");
    }
}
