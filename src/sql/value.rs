//! One SQLite value, exact: 64-bit integers, infinities and NaN survive serialisation.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value of one cell. Long texts and blobs may be cut for display; then `bytes` tells the full size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value {
    Null,
    Integer(i64),
    Real(#[serde(serialize_with = "real_out", deserialize_with = "real_in")] f64),
    Text(String),
    /// The first characters of a longer text.
    TextHead {
        text: String,
        bytes: u64,
    },
    /// The first bytes of a blob of `bytes` bytes.
    Blob {
        head: Vec<u8>,
        bytes: u64,
    },
}

impl Value {
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value as SQLite's shell would print it, without quotes; NULL is the word `NULL`.
    #[must_use]
    pub fn display(&self) -> String {
        match self {
            Self::Null => "NULL".to_owned(),
            Self::Integer(i) => i.to_string(),
            Self::Real(r) => real_text(*r),
            Self::Text(t) => t.clone(),
            Self::TextHead { text, .. } => format!("{text}…"),
            Self::Blob { bytes, .. } => format!("[{bytes} bytes]"),
        }
    }
}

/// A real number in SQLite's own words: `Inf`, `-Inf`, `NaN`, and always with a decimal point.
#[must_use]
pub fn real_text(r: f64) -> String {
    if r.is_nan() {
        "NaN".to_owned()
    } else if r.is_infinite() {
        if r > 0.0 { "Inf" } else { "-Inf" }.to_owned()
    } else if r == r.trunc() && r.abs() < 1e15 {
        format!("{r:.1}")
    } else {
        format!("{r}")
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum RealForm {
    Finite(f64),
    Named(String),
}

fn real_out<S: Serializer>(r: &f64, s: S) -> Result<S::Ok, S::Error> {
    if r.is_finite() {
        s.serialize_f64(*r)
    } else {
        s.serialize_str(&real_text(*r))
    }
}

fn real_in<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    Ok(match RealForm::deserialize(d)? {
        RealForm::Finite(r) => r,
        RealForm::Named(name) => match name.as_str() {
            "Inf" => f64::INFINITY,
            "-Inf" => f64::NEG_INFINITY,
            _ => f64::NAN,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_survive_json() {
        for v in [
            Value::Integer(i64::MIN),
            Value::Integer(9_007_199_254_740_993),
            Value::Real(f64::INFINITY),
            Value::Real(-0.1),
            Value::Null,
            Value::Text("NULL".into()),
        ] {
            let json = serde_json::to_string(&v).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), v, "{json}");
        }
        let nan = serde_json::to_string(&Value::Real(f64::NAN)).unwrap();
        assert!(
            matches!(serde_json::from_str(&nan).unwrap(), Value::Real(r) if r.is_nan()),
            "{nan}"
        );
    }
}
