//! Bytes of an answer, cut anywhere, to frames: server-sent events, lines of JSON, or one whole body
//! where the server did not stream. Must not know what a frame means.

/// No server sends a frame near this size: beyond it the stream is broken or hostile.
pub const FRAME_BYTES_MAX: usize = 4 << 20;

/// First bytes of the answer, kept to say what came instead of a stream.
pub const HEAD_BYTES_MAX: usize = 1024;

/// One frame, borrowed from what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Name of the event, empty where the server gave none.
    pub event: &'a str,
    pub data: &'a str,
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
    /// Hands over each line that `bytes` complete.
    fn push(
        &mut self,
        mut bytes: &[u8],
        on_line: &mut dyn FnMut(&str) -> Result<(), FrameTooLarge>,
    ) -> Result<(), FrameTooLarge> {
        loop {
            if self.after_cr
                && let Some(first) = bytes.first()
            {
                self.after_cr = false;
                if *first == b'\n' {
                    bytes = bytes.get(1..).unwrap_or_default();
                }
            }
            let end = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let (head, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            if self.pending.len() + head.len() > FRAME_BYTES_MAX {
                return Err(FrameTooLarge);
            }
            if end.is_none() {
                self.pending.extend_from_slice(head);
                return Ok(());
            }
            self.after_cr = rest.first() == Some(&b'\r');
            bytes = rest.get(1..).unwrap_or_default();
            if self.pending.is_empty() {
                self.line(head, on_line)?;
            } else {
                self.pending.extend_from_slice(head);
                self.finish(on_line)?;
            }
        }
    }

    /// Hands over what stands behind the last line end.
    fn finish(
        &mut self,
        on_line: &mut dyn FnMut(&str) -> Result<(), FrameTooLarge>,
    ) -> Result<(), FrameTooLarge> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut line = std::mem::take(&mut self.pending);
        let result = self.line(&line, on_line);
        line.clear();
        self.pending = line;
        result
    }

    fn line(
        &mut self,
        line: &[u8],
        on_line: &mut dyn FnMut(&str) -> Result<(), FrameTooLarge>,
    ) -> Result<(), FrameTooLarge> {
        let first = !std::mem::replace(&mut self.started, true);
        let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if first => rest,
            _ => line,
        };
        on_line(&String::from_utf8_lossy(line))
    }
}

/// What is known of the frame that is being read.
#[derive(Debug, Default)]
struct Gathered {
    event: String,
    data: String,
    has_data: bool,
}

impl Gathered {
    fn line(&mut self, line: &str, on_frame: &mut dyn FnMut(Frame)) -> Result<(), FrameTooLarge> {
        if line.is_empty() {
            if std::mem::take(&mut self.has_data) {
                on_frame(Frame {
                    event: &self.event,
                    data: &self.data,
                });
            }
            self.event.clear();
            self.data.clear();
            return Ok(());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.data.len() + value.len() > FRAME_BYTES_MAX {
                    return Err(FrameTooLarge);
                }
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push('\n');
                }
                self.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event),
            _ => {}
        }
        Ok(())
    }
}

/// Server-sent events.
#[derive(Debug, Default)]
pub struct SseDecoder {
    lines: Lines,
    gathered: Gathered,
}

impl SseDecoder {
    /// Hands over the frames that `bytes` complete.
    ///
    /// # Errors
    /// A frame above [`FRAME_BYTES_MAX`].
    pub fn push(
        &mut self,
        bytes: &[u8],
        on_frame: &mut dyn FnMut(Frame),
    ) -> Result<(), FrameTooLarge> {
        let Self { lines, gathered } = self;
        lines.push(bytes, &mut |line| gathered.line(line, on_frame))
    }

    /// Hands over the last frame, which servers often leave without its blank line.
    ///
    /// # Errors
    /// A frame above [`FRAME_BYTES_MAX`].
    pub fn finish(&mut self, on_frame: &mut dyn FnMut(Frame)) -> Result<(), FrameTooLarge> {
        let Self { lines, gathered } = self;
        lines.finish(&mut |line| gathered.line(line, on_frame))?;
        gathered.line("", on_frame)
    }
}

/// Lines of JSON: each line that is not blank is a frame.
#[derive(Debug, Default)]
pub struct NdjsonDecoder {
    lines: Lines,
}

impl NdjsonDecoder {
    /// Hands over the lines that `bytes` complete.
    ///
    /// # Errors
    /// A line above [`FRAME_BYTES_MAX`].
    pub fn push(
        &mut self,
        bytes: &[u8],
        on_frame: &mut dyn FnMut(Frame),
    ) -> Result<(), FrameTooLarge> {
        self.lines.push(bytes, &mut |line| {
            whole_line(line, on_frame);
            Ok(())
        })
    }

    /// Hands over the last line, which may have no end.
    pub fn finish(&mut self, on_frame: &mut dyn FnMut(Frame)) {
        let _ = self.lines.finish(&mut |line| {
            whole_line(line, on_frame);
            Ok(())
        });
    }
}

fn whole_line(line: &str, on_frame: &mut dyn FnMut(Frame)) {
    if !line.trim().is_empty() {
        on_frame(Frame {
            event: "",
            data: line,
        });
    }
}

#[derive(Debug, Default)]
enum Mode {
    /// Only blanks and byte-order marks so far.
    #[default]
    Unknown,
    Events(SseDecoder),
    /// The server did not stream: JSON or HTML, read to its end.
    Whole(Vec<u8>),
}

/// An answer that should be a stream of events and may be one body instead.
#[derive(Debug, Default)]
pub struct AnswerDecoder {
    mode: Mode,
    head: Vec<u8>,
}

impl AnswerDecoder {
    /// Hands over the frames that `bytes` complete.
    ///
    /// # Errors
    /// A frame or body above [`FRAME_BYTES_MAX`].
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        on_frame: &mut dyn FnMut(Frame),
    ) -> Result<(), FrameTooLarge> {
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
            Mode::Events(events) => events.push(bytes, on_frame),
            Mode::Whole(body) if body.len() + bytes.len() > FRAME_BYTES_MAX => Err(FrameTooLarge),
            Mode::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Hands over the last frame and returns the whole body of an answer that was no stream.
    ///
    /// # Errors
    /// A frame above [`FRAME_BYTES_MAX`].
    pub fn finish(
        &mut self,
        on_frame: &mut dyn FnMut(Frame),
    ) -> Result<Option<String>, FrameTooLarge> {
        match std::mem::take(&mut self.mode) {
            Mode::Unknown => Ok(None),
            Mode::Events(mut events) => events.finish(on_frame).map(|()| None),
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
        let mut on_frame = |f: Frame| out.push((f.event.to_owned(), f.data.to_owned()));
        for chunk in bytes.chunks(size) {
            decoder.push(chunk, &mut on_frame).unwrap();
        }
        decoder.finish(&mut on_frame).unwrap();
        out
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
        let mut none = |f: Frame| panic!("{} bytes", f.data.len());
        assert!(SseDecoder::default().push(&big, &mut none).is_err());
        let mut decoder = SseDecoder::default();
        assert!(
            big.chunks(65_536)
                .any(|c| decoder.push(c, &mut none).is_err())
        );
        let mut decoder = SseDecoder::default();
        let line = [b"data: ".as_slice(), &big[..1 << 20], b"\n"].concat();
        assert!((0..5).any(|_| decoder.push(&line, &mut none).is_err()));
    }

    #[test]
    fn lines_of_json() {
        let mut data = Vec::new();
        let mut on_frame = |f: Frame| data.push(f.data.to_owned());
        let mut decoder = NdjsonDecoder::default();
        for byte in b"{\"a\":1}\r\n\n{\"b\":2}" {
            decoder.push(&[*byte], &mut on_frame).unwrap();
        }
        decoder.finish(&mut on_frame);
        assert_eq!(data, ["{\"a\":1}", "{\"b\":2}"]);
    }

    #[test]
    fn a_body_that_is_no_stream_is_returned_whole() {
        let mut none = |f: Frame| panic!("{}", f.data);
        let mut decoder = AnswerDecoder::default();
        for byte in b"\xEF\xBB\xBF \n<html>\n\nx" {
            decoder.push(&[*byte], &mut none).unwrap();
        }
        assert_eq!(
            decoder.finish(&mut none).unwrap().as_deref(),
            Some("<html>\n\nx")
        );
        assert_eq!(decoder.head(), "<html>\n\nx");
    }
}
