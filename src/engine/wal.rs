//! The write-ahead log beside a database: which of its pages are newer than the file's own. Follows
//! <https://sqlite.org/fileformat.html#walformat> as SQLite's recovery does: a frame counts only if salts and
//! checksums match all the way to a commit, and whatever comes after the last commit is ignored. Knows bytes
//! and offsets, not files.

use std::collections::BTreeMap;

pub const HEADER_BYTES: u64 = 32;
const FRAME_HEADER_BYTES: u64 = 24;

/// `0x377f0682`, with checksums of little-endian words; the next number has big-endian ones.
const MAGIC_LITTLE: u32 = 0x377f_0682;
const MAGIC_BIG: u32 = 0x377f_0683;
const VERSION: u32 = 3_007_000;

/// How much of the log is read at once: whole frames of about this many bytes.
const READ_BYTES: u64 = 4 * 1024 * 1024;

/// The committed pages of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    page_bytes: u64,
    /// Where in the log the latest committed content of a page begins, by page number.
    pages: BTreeMap<u64, u64>,
    /// Pages of the database after the last commit.
    database_pages: u64,
    /// Frames up to the last commit.
    frames: u64,
}

/// Where a stretch of the database is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The offset in the log; `None` where the database file itself has it.
    pub in_log: Option<u64>,
    /// How many bytes lie there together.
    pub bytes: u64,
}

impl Overlay {
    /// Reads a log of `log_bytes` through `read(from, to)`. `None` where SQLite would ignore it as a whole:
    /// it is empty, its header is not one, or it holds no complete commit.
    ///
    /// # Errors
    /// What `read` says.
    pub fn read<E>(
        log_bytes: u64,
        mut read: impl FnMut(u64, u64) -> Result<Vec<u8>, E>,
    ) -> Result<Option<Self>, E> {
        if log_bytes < HEADER_BYTES {
            return Ok(None);
        }
        let Some(header) = Header::parse(&read(0, HEADER_BYTES)?) else {
            return Ok(None);
        };
        let frame_bytes = FRAME_HEADER_BYTES + header.page_bytes;
        let frames_at_once = (READ_BYTES / frame_bytes).max(1);
        let mut scan = Scan::new(header);
        let mut at = HEADER_BYTES;
        while log_bytes - at >= frame_bytes {
            let frames = frames_at_once.min((log_bytes - at) / frame_bytes);
            let chunk = read(at, at + frames * frame_bytes)?;
            // A chunk that came back short ends the log, like a torn write.
            for frame in chunk.chunks_exact(usize::try_from(frame_bytes).unwrap_or(usize::MAX)) {
                if !scan.take(frame, at) {
                    return Ok(scan.finish());
                }
                at += frame_bytes;
            }
            if chunk.len() as u64 != frames * frame_bytes {
                break;
            }
        }
        Ok(scan.finish())
    }

    /// Bytes of the database after the last commit.
    #[must_use]
    pub fn database_bytes(&self) -> u64 {
        self.database_pages * self.page_bytes
    }

    #[must_use]
    pub fn page_bytes(&self) -> u64 {
        self.page_bytes
    }

    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Where the bytes of the database from `offset` on lie.
    #[must_use]
    pub fn place(&self, offset: u64) -> Place {
        let page = offset / self.page_bytes + 1;
        let within = offset % self.page_bytes;
        match self.pages.get(&page) {
            Some(at) => Place {
                in_log: Some(at + within),
                bytes: self.page_bytes - within,
            },
            None => {
                let next = self.pages.range(page..).next();
                let end = next.map_or(u64::MAX, |(page, _)| (page - 1) * self.page_bytes);
                Place {
                    in_log: None,
                    bytes: end - offset,
                }
            }
        }
    }

    /// How many bytes of the database neither the log nor a file of `file_bytes` has.
    #[must_use]
    pub fn missing_bytes(&self, file_bytes: u64) -> u64 {
        let whole_pages = file_bytes / self.page_bytes;
        let beyond = self.database_pages.saturating_sub(whole_pages);
        let in_log = self
            .pages
            .range(whole_pages + 1..=self.database_pages.max(whole_pages + 1))
            .count() as u64;
        beyond.saturating_sub(in_log) * self.page_bytes
    }
}

struct Header {
    page_bytes: u64,
    big_endian: bool,
    salts: [u8; 8],
    checksum: (u32, u32),
}

impl Header {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let big_endian = match be32(bytes, 0)? {
            MAGIC_LITTLE => false,
            MAGIC_BIG => true,
            _ => return None,
        };
        let page_bytes = be32(bytes, 8)?;
        let checksum = checksum((0, 0), bytes.get(..24)?, big_endian);
        let matches = be32(bytes, 4)? == VERSION
            && page_bytes.is_power_of_two()
            && (512..=65_536).contains(&page_bytes)
            && checksum == (be32(bytes, 24)?, be32(bytes, 28)?);
        matches.then_some(Self {
            page_bytes: u64::from(page_bytes),
            big_endian,
            salts: bytes.get(16..24)?.try_into().ok()?,
            checksum,
        })
    }
}

/// Frame after frame, until one does not belong.
struct Scan {
    header: Header,
    checksum: (u32, u32),
    frames: u64,
    /// Pages of the transaction that has no commit yet.
    pending: BTreeMap<u64, u64>,
    committed: Overlay,
}

impl Scan {
    fn new(header: Header) -> Self {
        Self {
            checksum: header.checksum,
            frames: 0,
            pending: BTreeMap::new(),
            committed: Overlay {
                page_bytes: header.page_bytes,
                ..Overlay::default()
            },
            header,
        }
    }

    /// Takes the frame at `offset` of the log; false where it does not belong.
    fn take(&mut self, frame: &[u8], offset: u64) -> bool {
        let Some((head, page)) = frame.split_at_checked(24) else {
            return false;
        };
        let (Some(number), Some(commit)) = (be32(head, 0), be32(head, 4)) else {
            return false;
        };
        let big_endian = self.header.big_endian;
        let start = head.get(..8).unwrap_or_default();
        let sum = checksum(checksum(self.checksum, start, big_endian), page, big_endian);
        let belongs = number != 0
            && head.get(8..16) == Some(&self.header.salts[..])
            && (be32(head, 16), be32(head, 20)) == (Some(sum.0), Some(sum.1));
        if !belongs {
            return false;
        }
        self.checksum = sum;
        self.frames += 1;
        self.pending
            .insert(u64::from(number), offset + FRAME_HEADER_BYTES);
        if commit != 0 {
            self.committed.pages.append(&mut self.pending);
            self.committed.database_pages = u64::from(commit);
            self.committed.frames = self.frames;
        }
        true
    }

    fn finish(self) -> Option<Overlay> {
        (self.committed.frames > 0).then_some(self.committed)
    }
}

/// SQLite's running checksum over pairs of words.
fn checksum(start: (u32, u32), bytes: &[u8], big_endian: bool) -> (u32, u32) {
    let (mut a, mut b) = start;
    let word = |bytes: [u8; 4]| {
        if big_endian {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        }
    };
    let (words, _) = bytes.as_chunks::<4>();
    let (pairs, _) = words.as_chunks::<2>();
    for [first, second] in pairs {
        a = a.wrapping_add(word(*first)).wrapping_add(b);
        b = b.wrapping_add(word(*second)).wrapping_add(a);
    }
    (a, b)
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(field.try_into().ok()?))
}
