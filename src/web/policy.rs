//! Narrows what the page may reach: a second policy beside the one of index.html, in force until the page is
//! left. Must not know what is sent.

use web_sys::Url;

/// The page's own origin.
#[must_use]
pub fn own_origin() -> String {
    web_sys::window()
        .and_then(|window| window.location().origin().ok())
        .unwrap_or_default()
}

/// From now on only the page's own origin and this one can be reached. False where the browser did not take it.
#[must_use]
pub fn narrow(origin: &str) -> bool {
    let add = || {
        let document = web_sys::window()?.document()?;
        let policy = document.create_element("meta").ok()?;
        policy
            .set_attribute("http-equiv", "Content-Security-Policy")
            .ok()?;
        let content = format!("connect-src 'self' {}", source(origin)?);
        policy.set_attribute("content", &content).ok()?;
        let head = document.query_selector("head").ok()??;
        head.append_child(&policy).ok()
    };
    add().is_some()
}

/// The origin as a policy names it.
fn source(origin: &str) -> Option<String> {
    // The browser's own spelling: names in other scripts are written in ASCII.
    let url = Url::new(origin).ok()?;
    let spelled = url.origin();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '.' | '-' | '_');
    // Policies have no words for an IPv6 address: its scheme is all that can be said.
    Some(if spelled.chars().all(plain) {
        spelled
    } else {
        url.protocol()
    })
}
