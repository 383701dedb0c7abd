//! Bytes of an answer, cut anywhere, to frames: server-sent events, lines of JSON, or one whole body
//! where the server did not stream. Must not know what a frame means.

/// No server sends a frame near this size: beyond it the stream is broken or hostile.
pub const FRAME_BYTES_MAX: usize = 4 << 20;

/// First bytes of the answer, kept to say what came instead of a stream.
pub const HEAD_BYTES_MAX: usize = 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// Name of the event, empty where the server gave none.
    pub event: String,
    pub data: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("one frame of the answer is larger than {} MiB", FRAME_BYTES_MAX >> 20)]
pub struct FrameTooLarge;

/// Lines that end with LF, CRLF or CR; a byte-order mark before the first is dropped.
#[derive(Debug, Default)]
struct Lines {
    pending: Vec<u8>,
    after_cr: bool,
    started: bool,
}

impl Lines {
    /// Takes the next complete line from `bytes` and moves `bytes` behind it.
    fn next(&mut self, bytes: &mut &[u8]) -> Result<Option<String>, FrameTooLarge> {
        if self.after_cr
            && let Some(first) = bytes.first()
        {
            self.after_cr = false;
            if *first == b'\n' {
                *bytes = bytes.get(1..).unwrap_or_default();
            }
        }
        let end = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let (head, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        if self.pending.len() + head.len() > FRAME_BYTES_MAX {
            return Err(FrameTooLarge);
        }
        if end.is_none() {
            self.pending.extend_from_slice(head);
            *bytes = &[];
            return Ok(None);
        }
        self.after_cr = rest.first() == Some(&b'\r');
        *bytes = rest.get(1..).unwrap_or_default();
        if self.pending.is_empty() {
            return Ok(Some(self.text(head)));
        }
        self.pending.extend_from_slice(head);
        Ok(Some(self.take_pending()))
    }

    fn finish(&mut self) -> Option<String> {
        (!self.pending.is_empty()).then(|| self.take_pending())
    }

    fn take_pending(&mut self) -> String {
        let line = std::mem::take(&mut self.pending);
        self.text(&line)
    }

    fn text(&mut self, line: &[u8]) -> String {
        let first = !std::mem::replace(&mut self.started, true);
        let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if first => rest,
            _ => line,
        };
        String::from_utf8_lossy(line).into_owned()
    }
}

/// Server-sent events.
#[derive(Debug, Default)]
pub struct SseDecoder {
    lines: Lines,
    frame: Frame,
    has_data: bool,
}

impl SseDecoder {
    /// Adds the frames that `bytes` complete.
    ///
    /// # Errors
    /// A frame above [`FRAME_BYTES_MAX`].
    pub fn push(&mut self, mut bytes: &[u8], out: &mut Vec<Frame>) -> Result<(), FrameTooLarge> {
        while let Some(line) = self.lines.next(&mut bytes)? {
            self.line(&line, out)?;
        }
        Ok(())
    }

    /// Adds the last frame, which servers often leave without its blank line.
    ///
    /// # Errors
    /// A frame above [`FRAME_BYTES_MAX`].
    pub fn finish(&mut self, out: &mut Vec<Frame>) -> Result<(), FrameTooLarge> {
        if let Some(line) = self.lines.finish() {
            self.line(&line, out)?;
        }
        self.line("", out)
    }

    fn line(&mut self, line: &str, out: &mut Vec<Frame>) -> Result<(), FrameTooLarge> {
        if line.is_empty() {
            let frame = std::mem::take(&mut self.frame);
            if std::mem::take(&mut self.has_data) {
                out.push(frame);
            }
            return Ok(());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.frame.data.len() + value.len() > FRAME_BYTES_MAX {
                    return Err(FrameTooLarge);
                }
                if self.has_data {
                    self.frame.data.push('\n');
                }
                self.has_data = true;
                self.frame.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.frame.event),
            _ => {}
        }
        Ok(())
    }
}

/// Lines of JSON: each line that is not blank is a frame.
#[derive(Debug, Default)]
pub struct NdjsonDecoder {
    lines: Lines,
}

impl NdjsonDecoder {
    /// Adds the lines that `bytes` complete.
    ///
    /// # Errors
    /// A line above [`FRAME_BYTES_MAX`].
    pub fn push(&mut self, mut bytes: &[u8], out: &mut Vec<Frame>) -> Result<(), FrameTooLarge> {
        while let Some(line) = self.lines.next(&mut bytes)? {
            push_line(line, out);
        }
        Ok(())
    }

    pub fn finish(&mut self, out: &mut Vec<Frame>) {
        if let Some(line) = self.lines.finish() {
            push_line(line, out);
        }
    }
}

fn push_line(line: String, out: &mut Vec<Frame>) {
    if !line.trim().is_empty() {
        out.push(Frame {
            event: String::new(),
            data: line,
        });
    }
}

#[derive(Debug)]
enum Mode {
    /// Only blanks and byte-order marks so far.
    Unknown,
    Events(SseDecoder),
    /// The server did not stream: JSON or HTML, read to its end.
    Whole(Vec<u8>),
}

/// An answer that should be a stream of events and may be one body instead.
#[derive(Debug)]
pub struct AnswerDecoder {
    mode: Mode,
    head: Vec<u8>,
}

impl Default for AnswerDecoder {
    fn default() -> Self {
        Self {
            mode: Mode::Unknown,
            head: Vec::new(),
        }
    }
}

impl AnswerDecoder {
    /// Adds the frames that `bytes` complete.
    ///
    /// # Errors
    /// A frame or body above [`FRAME_BYTES_MAX`].
    pub fn push(&mut self, mut bytes: &[u8], out: &mut Vec<Frame>) -> Result<(), FrameTooLarge> {
        if matches!(self.mode, Mode::Unknown) {
            let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF);
            let Some(at) = bytes.iter().position(|b| !blank(b)) else {
                return Ok(());
            };
            bytes = bytes.get(at..).unwrap_or_default();
            self.mode = match bytes.first() {
                Some(b'{' | b'[' | b'<') => Mode::Whole(Vec::new()),
                _ => Mode::Events(SseDecoder::default()),
            };
        }
        let room = HEAD_BYTES_MAX.saturating_sub(self.head.len());
        self.head.extend(bytes.iter().take(room));
        match &mut self.mode {
            Mode::Unknown => Ok(()),
            Mode::Events(events) => events.push(bytes, out),
            Mode::Whole(body) if body.len() + bytes.len() > FRAME_BYTES_MAX => Err(FrameTooLarge),
            Mode::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Adds the last frame and returns the whole body of an answer that was no stream.
    ///
    /// # Errors
    /// A frame above [`FRAME_BYTES_MAX`].
    pub fn finish(&mut self, out: &mut Vec<Frame>) -> Result<Option<String>, FrameTooLarge> {
        match std::mem::replace(&mut self.mode, Mode::Unknown) {
            Mode::Unknown => Ok(None),
            Mode::Events(mut events) => events.finish(out).map(|()| None),
            Mode::Whole(body) => Ok(Some(String::from_utf8_lossy(&body).into_owned())),
        }
    }

    /// The first [`HEAD_BYTES_MAX`] bytes, without blanks before them.
    #[must_use]
    pub fn head(&self) -> String {
        String::from_utf8_lossy(&self.head).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(bytes: &[u8], size: usize) -> Vec<(String, String)> {
        let mut decoder = SseDecoder::default();
        let mut out = Vec::new();
        for chunk in bytes.chunks(size) {
            decoder.push(chunk, &mut out).unwrap();
        }
        decoder.finish(&mut out).unwrap();
        out.into_iter().map(|f| (f.event, f.data)).collect()
    }

    fn check(bytes: &[u8], expected: &[(&str, &str)]) {
        for size in 1..=bytes.len() {
            let got = frames(bytes, size);
            let got: Vec<_> = got.iter().map(|(e, d)| (e.as_str(), d.as_str())).collect();
            assert_eq!(got, expected, "chunks of {size}");
        }
    }

    #[test]
    fn line_ends_comments_names_and_marks() {
        check(b"data: a\n\ndata:b\n\n", &[("", "a"), ("", "b")]);
        check(b"data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]);
        check(b"data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]);
        check(b"\xEF\xBB\xBFdata: a\n\n", &[("", "a")]);
        check(b": hello\n\nevent: x\ndata: a\nid: 1\n\n", &[("x", "a")]);
        check(b"data: a\ndata:\ndata: b\n\n", &[("", "a\n\nb")]);
        check(b"event: only\n\ndata: z", &[("", "z")]);
        check(b"data:  two spaces\n\n", &[("", " two spaces")]);
        check("data: 😀é\n\n".as_bytes(), &[("", "😀é")]);
        check(b"data: a\xFFb\n\n", &[("", "a\u{FFFD}b")]);
        check(b"data\n\n", &[("", "")]);
    }

    #[test]
    fn a_frame_above_the_cap_is_an_error_in_any_chunking() {
        let big = vec![b'x'; FRAME_BYTES_MAX + 1];
        let mut out = Vec::new();
        assert!(SseDecoder::default().push(&big, &mut out).is_err());
        let mut decoder = SseDecoder::default();
        assert!(
            big.chunks(65_536)
                .any(|c| decoder.push(c, &mut out).is_err())
        );
        let mut decoder = SseDecoder::default();
        let line = [b"data: ".as_slice(), &big[..1 << 20], b"\n"].concat();
        assert!((0..5).any(|_| decoder.push(&line, &mut out).is_err()));
        assert!(out.is_empty());
    }

    #[test]
    fn lines_of_json() {
        let mut out = Vec::new();
        let mut decoder = NdjsonDecoder::default();
        for byte in b"{\"a\":1}\r\n\n{\"b\":2}" {
            decoder.push(&[*byte], &mut out).unwrap();
        }
        decoder.finish(&mut out);
        let data: Vec<_> = out.iter().map(|f| f.data.as_str()).collect();
        assert_eq!(data, ["{\"a\":1}", "{\"b\":2}"]);
    }

    #[test]
    fn a_body_that_is_no_stream_is_returned_whole() {
        let mut out = Vec::new();
        let mut decoder = AnswerDecoder::default();
        for byte in b"\xEF\xBB\xBF \n<html>\n\nx" {
            decoder.push(&[*byte], &mut out).unwrap();
        }
        assert_eq!(
            decoder.finish(&mut out).unwrap().as_deref(),
            Some("<html>\n\nx")
        );
        assert!(out.is_empty());
        assert_eq!(decoder.head(), "<html>\n\nx");
    }
}
