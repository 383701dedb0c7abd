//! Files from drops, pickers, stored handles and the built-in sample.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, FilePropertyBag, Response};

/// The sample database's address, relative to the page.
const SAMPLE: &str = "sample/shop.db";

/// One database, and what lay beside it and came along.
#[derive(Clone)]
pub struct Files {
    pub file: File,
    pub wal: Option<File>,
    pub journal: Option<File>,
}

impl Files {
    #[must_use]
    pub fn alone(file: File) -> Self {
        Self {
            file,
            wal: None,
            journal: None,
        }
    }

    /// Adds those of `beside` that are named after this database.
    #[must_use]
    pub fn with(mut self, beside: Vec<File>) -> Self {
        let name = self.file.name();
        for file in beside {
            if file.name() == format!("{name}-wal") {
                self.wal = Some(file);
            } else if file.name() == format!("{name}-journal") {
                self.journal = Some(file);
            }
        }
        self
    }
}

/// The files of one drop or picker.
pub enum Chosen {
    Nothing,
    One(Files),
    /// Only files that lie beside a database.
    Beside(Vec<File>),
    /// More than one database: the names.
    Several(Vec<String>),
}

/// Endings of the files that SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Sorts out what was dropped, in whatever order.
#[must_use]
pub fn choose(files: Vec<File>) -> Chosen {
    let (beside, mut main): (Vec<File>, Vec<File>) = files
        .into_iter()
        .partition(|f| BESIDE.iter().any(|end| f.name().ends_with(end)));
    match (main.len(), main.pop()) {
        (1, Some(file)) => Chosen::One(Files::alone(file).with(beside)),
        (_, Some(last)) => Chosen::Several(main.iter().chain([&last]).map(File::name).collect()),
        (_, None) if beside.is_empty() => Chosen::Nothing,
        (_, None) => Chosen::Beside(beside),
    }
}

/// Whether it is named like an exported chat.
#[must_use]
pub fn is_record(file: &File) -> bool {
    file.name().to_ascii_lowercase().ends_with(".json")
}

#[must_use]
pub fn bytes(file: &File) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a file's size is a whole number"
    )]
    let bytes = file.size() as u64;
    bytes
}

/// The text of a file, or of its first bytes.
///
/// # Errors
/// A sentence, where it cannot be read.
pub async fn text(file: &File, bytes: Option<f64>) -> Result<String, String> {
    let part: Blob = match bytes {
        Some(bytes) => file
            .slice_with_f64_and_f64(0.0, bytes)
            .map_err(|e| text_of(&e))?,
        None => file.clone().into(),
    };
    let text = JsFuture::from(part.text()).await.map_err(|e| text_of(&e))?;
    text.as_string().ok_or_else(|| "not a text".to_owned())
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

/// Why a stored handle opens nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandleError {
    /// The file is no longer where it was.
    Gone,
    /// The person did not give permission.
    Denied,
    Other(String),
}

impl HandleError {
    fn of(error: &JsValue) -> Self {
        let name = Reflect::get(error, &"name".into()).ok();
        match name.and_then(|name| name.as_string()).as_deref() {
            Some("NotFoundError") => Self::Gone,
            Some("NotAllowedError" | "SecurityError") => Self::Denied,
            _ => Self::Other(text_of(error)),
        }
    }
}

/// Opens a stored handle; the browser asks the person first. Must be called from a click.
///
/// # Errors
/// Where permission was not given or the file is gone.
pub async fn from_handle(handle: &JsValue) -> Result<File, HandleError> {
    let mode = Object::new();
    Reflect::set(&mode, &"mode".into(), &"read".into()).map_err(|e| HandleError::of(&e))?;
    if Reflect::has(handle, &"requestPermission".into()).unwrap_or(false) {
        let granted = call(handle, "requestPermission", Some(&mode))
            .await
            .map_err(|e| HandleError::of(&e))?;
        if granted.as_string().as_deref() != Some("granted") {
            return Err(HandleError::Denied);
        }
    }
    call(handle, "getFile", None)
        .await
        .map_err(|e| HandleError::of(&e))?
        .dyn_into()
        .map_err(|_| HandleError::Other("not a file".to_owned()))
}

/// The name of a handle's file.
#[must_use]
pub fn handle_name(handle: &JsValue) -> Option<String> {
    Reflect::get(handle, &"name".into()).ok()?.as_string()
}

/// Whether two handles are of one file. Where the browser cannot say, they are not.
pub async fn is_same(one: &JsValue, other: &JsValue) -> bool {
    let same = call(one, "isSameEntry", Some(other)).await;
    same.is_ok_and(|same| same.is_truthy())
}

async fn call(
    object: &JsValue,
    method: &str,
    argument: Option<&JsValue>,
) -> Result<JsValue, JsValue> {
    let function: Function = Reflect::get(object, &method.into())?.dyn_into()?;
    let promise: Promise = match argument {
        Some(argument) => function.call1(object, argument),
        None => function.call0(object),
    }?
    .dyn_into()?;
    JsFuture::from(promise).await
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
