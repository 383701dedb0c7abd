//! The list of models that an endpoint offers, in any of its shapes. Keeps no state.

use serde_json::Value;

/// A longer list is of no use to a person who picks from it.
pub const MODELS_MAX: usize = 1_000;

/// Reads `{"data":[{"id":…}]}`, `{"models":[{"name":…}]}` or a bare list; names in order, without repeats.
#[must_use]
pub fn read(body: &str) -> Vec<String> {
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        return Vec::new();
    };
    let list = ["data", "models"]
        .iter()
        .find_map(|key| value.get(*key).and_then(Value::as_array))
        .or_else(|| value.as_array());
    let mut names: Vec<String> = Vec::new();
    for item in list.into_iter().flatten().take(MODELS_MAX) {
        let name = item.as_str().or_else(|| {
            let named = ["id", "model", "name"]
                .iter()
                .find_map(|key| item.get(*key));
            named.and_then(Value::as_str)
        });
        // Gemini says `models/gemini-…`, and takes the name without it too.
        let name = name.map(|name| name.strip_prefix("models/").unwrap_or(name));
        if let Some(name) = name.filter(|name| !name.is_empty())
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_many_servers() {
        let check = |body: &str, names: &[&str]| assert_eq!(read(body), names, "{body}");
        check(
            r#"{"object":"list","data":[{"id":"a"},{"id":"b"},{"id":"a"}]}"#,
            &["a", "b"],
        );
        check(r#"{"models":[{"name":"q:1","model":"q:1"}]}"#, &["q:1"]);
        check(r#"{"data":[{"id":"models/gemini"}]}"#, &["gemini"]);
        check(r#"[{"id":"x"},"y",7]"#, &["x", "y"]);
        check("<html>", &[]);
        check("{}", &[]);
    }
}
