#![cfg(target_arch = "wasm32")]

use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn text_crosses_to_javascript_and_back_unchanged() {
    let text = "销售额 · São Paulo · 🦀";
    assert_eq!(JsValue::from_str(text).as_string().as_deref(), Some(text));
}
