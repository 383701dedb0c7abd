//! Model requests of an evaluation: the same bodies and decoders as the page's, over a plain socket, or
//! over `curl` where the address is encrypted. Knows no questions. The key is in a header and nowhere else.

use assent::llm::errors::{self, Reply};
use assent::llm::{Assembler, Family, ModelError, ModelErrorKind, ModelRequest, Quirks, Turn};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A model on a small machine reads a long prompt for minutes before its first byte.
const SILENCE_MAX: Duration = Duration::from_secs(300);

/// One endpoint and what was learned of it.
pub struct Endpoint {
    address: String,
    model: String,
    family: Family,
    key: String,
    quirks: Quirks,
}

struct Answer {
    status: u16,
    content_type: String,
    retry_after: Option<String>,
    body: Vec<u8>,
}

impl Endpoint {
    pub fn new(address: &str, model: &str, family: Option<Family>, key: String) -> Self {
        Self {
            address: address.to_owned(),
            model: model.to_owned(),
            family: family.unwrap_or_else(|| Family::for_address(address)),
            key,
            quirks: Quirks::for_address(address),
        }
    }

    /// One turn. A refused parameter is left out and the request sent again, as the page does.
    pub fn turn(&mut self, request: &ModelRequest) -> Result<Turn, ModelError> {
        loop {
            match self.once(request) {
                Err(error) if self.quirks.learn(&error) => {}
                other => return other,
            }
        }
    }

    fn once(&self, request: &ModelRequest) -> Result<Turn, ModelError> {
        let wire = self
            .family
            .prepare(&self.address, &self.model, &self.quirks, request)?;
        let headers = self.family.headers(&self.key);
        let answer = if wire.url.starts_with("https://") {
            by_curl(&wire.url, &headers, &wire.body)
        } else {
            by_socket(&wire.url, &headers, &wire.body)
        }?;
        if !(200..300).contains(&answer.status) {
            let body = String::from_utf8_lossy(&answer.body);
            let reply = Reply {
                status: answer.status,
                content_type: &answer.content_type,
                retry_after: answer.retry_after.as_deref(),
                body: &body,
            };
            return Err(errors::from_reply(&reply, &self.key));
        }
        let mut decoder = self.family.decoder(request, &self.quirks);
        let mut assembler = Assembler::default();
        assembler.push_all(decoder.feed(&answer.body));
        assembler.push_all(decoder.finish());
        match assembler.into_turn() {
            (turn, None) => Ok(turn),
            (_, Some(error)) => Err(error),
        }
    }
}

fn unreachable(why: impl std::fmt::Display) -> ModelError {
    ModelError::new(ModelErrorKind::Unreachable, why.to_string())
}

fn by_socket(
    url: &str,
    headers: &[(&'static str, String)],
    body: &str,
) -> Result<Answer, ModelError> {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (host, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    let address = if host
        .rsplit_once(':')
        .is_some_and(|(_, p)| p.parse::<u16>().is_ok())
    {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let mut socket = TcpStream::connect(&address).map_err(unreachable)?;
    socket
        .set_read_timeout(Some(SILENCE_MAX))
        .map_err(unreachable)?;
    let mut head = format!("POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    socket.write_all(head.as_bytes()).map_err(unreachable)?;
    socket.write_all(body.as_bytes()).map_err(unreachable)?;
    let mut bytes = Vec::new();
    // A server that closes hard after its answer has answered.
    if let Err(error) = socket.read_to_end(&mut bytes)
        && bytes.is_empty()
    {
        return Err(unreachable(error));
    }
    read_answer(&bytes).ok_or_else(|| unreachable("the answer is not HTTP"))
}

/// The request goes through curl's standard input, so that no list of processes shows the key.
fn by_curl(
    url: &str,
    headers: &[(&'static str, String)],
    body: &str,
) -> Result<Answer, ModelError> {
    let missing = |error: std::io::Error| {
        unreachable(format!(
            "https addresses are reached through curl, which did not start ({error}): install it, or use http://"
        ))
    };
    let mut child = Command::new("curl")
        .args(["--config", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(missing)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin
            .write_all(curl_config(url, headers, body).as_bytes())
            .map_err(unreachable)?;
    }
    let output = child.wait_with_output().map_err(unreachable)?;
    read_answer(&output.stdout)
        .ok_or_else(|| unreachable(String::from_utf8_lossy(&output.stderr).trim()))
}

fn curl_config(url: &str, headers: &[(&'static str, String)], body: &str) -> String {
    let quoted = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{}\"", text.replace('\n', "\\n").replace('\r', "\\r"))
    };
    let mut out = String::from("silent\nshow-error\ninclude\nno-buffer\n");
    out.push_str(&format!("max-time = {}\n", SILENCE_MAX.as_secs() * 2));
    out.push_str(&format!("url = {}\n", quoted(url)));
    for (name, value) in headers {
        out.push_str(&format!(
            "header = {}\n",
            quoted(&format!("{name}: {value}"))
        ));
    }
    // No "100 Continue" in front of the answer.
    out.push_str("header = \"expect:\"\n");
    out.push_str(&format!("data-binary = {}\n", quoted(body)));
    out
}

/// Status, headers and body of an HTTP answer; `None` where it is none.
fn read_answer(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(bytes.get(..end)?).into_owned();
    let body = bytes.get(end + 4..)?;
    let mut lines = head.lines();
    let status = lines.next()?.split_whitespace().nth(1)?.parse().ok()?;
    let mut answer = Answer {
        status,
        content_type: String::new(),
        retry_after: None,
        body: body.to_vec(),
    };
    for (name, value) in lines.filter_map(|l| l.split_once(':')) {
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-type" => value.clone_into(&mut answer.content_type),
            "retry-after" => answer.retry_after = Some(value.to_owned()),
            // curl has already joined the pieces, but still shows this header.
            "transfer-encoding" if value.eq_ignore_ascii_case("chunked") => {
                answer.body = joined(body).unwrap_or_else(|| body.to_vec());
            }
            _ => {}
        }
    }
    Some(answer)
}

/// The pieces of a chunked body in one; what arrived before a cut counts.
fn joined(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    loop {
        let Some(end) = rest.windows(2).position(|w| w == b"\r\n") else {
            return (!out.is_empty()).then_some(out);
        };
        let line = std::str::from_utf8(rest.get(..end)?).ok()?;
        let size = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        if size == 0 {
            return Some(out);
        }
        let from = end + 2;
        let to = (from + size).min(rest.len());
        out.extend_from_slice(rest.get(from..to)?);
        rest = rest.get(to + 2..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_one_piece_and_in_many() {
        let whole = read_answer(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").unwrap();
        assert_eq!(
            (whole.status, whole.body.as_slice()),
            (200, b"hi".as_slice())
        );
        let pieces = b"HTTP/1.1 429 Slow\r\nTransfer-Encoding: chunked\r\nRetry-After: 3\r\n\r\n2\r\nhi\r\n3;x\r\n yo\r\n0\r\n\r\n";
        let joined = read_answer(pieces).unwrap();
        assert_eq!(
            (joined.status, joined.body.as_slice()),
            (429, b"hi yo".as_slice())
        );
        assert_eq!(joined.retry_after.as_deref(), Some("3"));
        assert!(read_answer(b"hello").is_none());
        // As curl tells an answer of HTTP/2.
        assert_eq!(read_answer(b"HTTP/2 401 \r\n\r\n").unwrap().status, 401);
    }

    #[test]
    fn the_key_goes_to_curl_by_its_input_and_nothing_breaks_out_of_its_quotes() {
        let headers = [("authorization", "Bearer k\"1".to_owned())];
        let config = curl_config("https://models.example/v1", &headers, "{\"a\":\"b\\n\"}");
        assert!(
            config.contains("header = \"authorization: Bearer k\\\"1\"\n"),
            "{config}"
        );
        assert!(
            config.ends_with("data-binary = \"{\\\"a\\\":\\\"b\\\\n\\\"}\"\n"),
            "{config}"
        );
    }
}
