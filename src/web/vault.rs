//! A key under a passphrase: sealed by the browser's own cryptography, bound to one origin. Neither the key nor
//! the passphrase is kept here, logged or put into an error.

use crate::settings::Secret;
use js_sys::{Array, Object, Promise, Reflect, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Crypto, CryptoKey, SubtleCrypto};

/// Rounds of PBKDF2 with SHA-256: what OWASP asks for, about half a second.
pub const ITERATIONS: u32 = 600_000;
const SALT_BYTES: usize = 16;
/// The length that AES-GCM is specified for.
const IV_BYTES: usize = 12;

/// A key as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// The only origin that the key may be sent to; it is sealed in as well.
    pub origin: String,
    salt: Vec<u8>,
    iv: Vec<u8>,
    iterations: u32,
    data: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VaultError {
    /// The browser has no cryptography for this page: it does not come over https.
    Unavailable,
    /// Not the passphrase, or not the bytes that were stored.
    Refused,
}

/// # Errors
/// Where the browser offers no cryptography.
pub async fn seal(secret: &Secret, origin: &str, by: &Secret) -> Result<Sealed, VaultError> {
    let crypto = crypto()?;
    let (mut salt, mut iv) = (vec![0; SALT_BYTES], vec![0; IV_BYTES]);
    for bytes in [&mut salt, &mut iv] {
        crypto
            .get_random_values_with_u8_array(bytes)
            .map_err(unavailable)?;
    }
    let subtle = crypto.subtle();
    let key = derive(&subtle, by, &salt, ITERATIONS).await?;
    let cipher = cipher(&iv, origin).map_err(unavailable)?;
    let text = secret.reveal().as_bytes();
    let sealed = subtle.encrypt_with_object_and_u8_array(&cipher, &key, text);
    let data = done(sealed).await.map_err(unavailable)?;
    Ok(Sealed {
        origin: origin.to_owned(),
        salt,
        iv,
        iterations: ITERATIONS,
        data: Uint8Array::new(&data).to_vec(),
    })
}

/// # Errors
/// A wrong passphrase, bytes that were changed, or a browser that offers no cryptography.
pub async fn open(sealed: &Sealed, by: &Secret) -> Result<Secret, VaultError> {
    let refused = |_: JsValue| VaultError::Refused;
    let subtle = crypto()?.subtle();
    let key = derive(&subtle, by, &sealed.salt, sealed.iterations).await?;
    let cipher = cipher(&sealed.iv, &sealed.origin).map_err(unavailable)?;
    let opened = subtle.decrypt_with_object_and_u8_array(&cipher, &key, &sealed.data);
    let text = done(opened).await.map_err(refused)?;
    String::from_utf8(Uint8Array::new(&text).to_vec())
        .map(Secret::new)
        .map_err(|_| VaultError::Refused)
}

fn unavailable(_: JsValue) -> VaultError {
    VaultError::Unavailable
}

fn crypto() -> Result<Crypto, VaultError> {
    let window = web_sys::window().ok_or(VaultError::Unavailable)?;
    if !window.is_secure_context() {
        return Err(VaultError::Unavailable);
    }
    window.crypto().map_err(unavailable)
}

/// The key that a passphrase stands for; it cannot be read out again.
async fn derive(
    subtle: &SubtleCrypto,
    by: &Secret,
    salt: &[u8],
    iterations: u32,
) -> Result<CryptoKey, VaultError> {
    let derived = async {
        let base = subtle.import_key_with_str(
            "raw",
            &Uint8Array::from(by.reveal().as_bytes()),
            "PBKDF2",
            false,
            &Array::of1(&"deriveKey".into()),
        );
        let base: CryptoKey = done(base).await?.dyn_into()?;
        let how = object(&[
            ("name", "PBKDF2".into()),
            ("hash", "SHA-256".into()),
            ("salt", Uint8Array::from(salt).into()),
            ("iterations", iterations.into()),
        ])?;
        let kind = object(&[("name", "AES-GCM".into()), ("length", 256.into())])?;
        let uses = Array::of2(&"encrypt".into(), &"decrypt".into());
        let key = subtle.derive_key_with_object_and_object(&how, &base, &kind, false, &uses);
        done(key).await?.dyn_into()
    };
    derived.await.map_err(unavailable)
}

fn cipher(iv: &[u8], origin: &str) -> Result<Object, JsValue> {
    object(&[
        ("name", "AES-GCM".into()),
        ("iv", Uint8Array::from(iv).into()),
        ("additionalData", Uint8Array::from(origin.as_bytes()).into()),
    ])
}

fn object(members: &[(&str, JsValue)]) -> Result<Object, JsValue> {
    let object = Object::new();
    for (name, value) in members {
        Reflect::set(&object, &JsValue::from_str(name), value)?;
    }
    Ok(object)
}

async fn done(promise: Result<Promise, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(promise?).await
}
