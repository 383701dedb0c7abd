//! Files from drops, pickers, stored handles and the built-in sample.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, FilePropertyBag, Response};

/// The sample database's address, relative to the page.
const SAMPLE: &str = "sample/shop.db";

/// The files of one drop or picker: one database, and the `-wal` beside it if it came along.
pub enum Chosen {
    Nothing,
    One {
        file: File,
        wal: Option<File>,
    },
    /// More than one database: the names.
    Several(Vec<String>),
}

/// Sorts out what was dropped.
#[must_use]
pub fn choose(files: Vec<File>) -> Chosen {
    let (side, mut main): (Vec<File>, Vec<File>) = files
        .into_iter()
        .partition(|f| f.name().ends_with("-wal") || f.name().ends_with("-shm"));
    match main.len() {
        0 => match side.into_iter().next() {
            // A lone -wal is named by the doctor like any other file that is no database.
            Some(file) => Chosen::One { file, wal: None },
            None => Chosen::Nothing,
        },
        1 => match main.pop() {
            Some(file) => {
                let wanted = format!("{}-wal", file.name());
                let wal = side.into_iter().find(|f| f.name() == wanted);
                Chosen::One { file, wal }
            }
            None => Chosen::Nothing,
        },
        _ => Chosen::Several(main.iter().map(File::name).collect()),
    }
}

/// The built-in sample as a file.
///
/// # Errors
/// A sentence, where it could not be loaded.
pub async fn sample() -> Result<File, String> {
    let window = web_sys::window().ok_or("no window")?;
    let response: Response = JsFuture::from(window.fetch_with_str(SAMPLE))
        .await
        .map_err(|e| text_of(&e))?
        .dyn_into()
        .map_err(|_| "not a response")?;
    if !response.ok() {
        return Err(format!("status {}", response.status()));
    }
    let blob: Blob = JsFuture::from(response.blob().map_err(|e| text_of(&e))?)
        .await
        .map_err(|e| text_of(&e))?
        .dyn_into()
        .map_err(|_| "not a blob")?;
    let options = FilePropertyBag::new();
    options.set_type("application/vnd.sqlite3");
    File::new_with_blob_sequence_and_options(&Array::of1(&blob), "shop.db", &options)
        .map_err(|e| text_of(&e))
}

/// Opens a stored handle; the browser asks the person first. Must be called from a click.
///
/// # Errors
/// A sentence, where permission was not given or the file is gone.
pub async fn from_handle(handle: &JsValue) -> Result<File, String> {
    let mode = Object::new();
    Reflect::set(&mode, &"mode".into(), &"read".into()).map_err(|e| text_of(&e))?;
    if Reflect::has(handle, &"requestPermission".into()).unwrap_or(false) {
        let granted = call(handle, "requestPermission", Some(&mode)).await?;
        if granted.as_string().as_deref() != Some("granted") {
            return Err("permission was not given".to_owned());
        }
    }
    call(handle, "getFile", None)
        .await?
        .dyn_into()
        .map_err(|_| "not a file".to_owned())
}

async fn call(
    object: &JsValue,
    method: &str,
    argument: Option<&JsValue>,
) -> Result<JsValue, String> {
    let function: Function = Reflect::get(object, &method.into())
        .map_err(|e| text_of(&e))?
        .dyn_into()
        .map_err(|_| format!("no {method}"))?;
    let promise: Promise = match argument {
        Some(argument) => function.call1(object, argument),
        None => function.call0(object),
    }
    .map_err(|e| text_of(&e))?
    .dyn_into()
    .map_err(|_| "not a promise".to_owned())?;
    JsFuture::from(promise).await.map_err(|e| text_of(&e))
}

/// A JavaScript error's message.
#[must_use]
pub fn text_of(error: &JsValue) -> String {
    Reflect::get(error, &"message".into())
        .ok()
        .and_then(|m| m.as_string())
        .or_else(|| error.as_string())
        .unwrap_or_else(|| "unknown error".to_owned())
}

/// Offers a text as a download.
///
/// # Errors
/// A sentence, where the browser refuses.
pub fn save(name: &str, mime: &str, text: &str) -> Result<(), String> {
    let document = web_sys::window()
        .and_then(|w| w.document())
        .ok_or("no document")?;
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(mime);
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)
        .map_err(|e| text_of(&e))?;
    let address = web_sys::Url::create_object_url_with_blob(&blob).map_err(|e| text_of(&e))?;
    let link: web_sys::HtmlAnchorElement = document
        .create_element("a")
        .map_err(|e| text_of(&e))?
        .dyn_into()
        .map_err(|_| "not a link")?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&address).map_err(|e| text_of(&e))
}
