//! Lines into blocks.

use super::inlines;
use super::{Block, DEPTH_MAX, Inline};

pub fn read(lines: &[&str], depth: usize) -> Vec<Block> {
    if depth > DEPTH_MAX {
        return vec![Block::Paragraph(vec![Inline::Text(lines.join("\n"))])];
    }
    let placed = read_placed(lines, depth);
    placed.into_iter().map(|(_, block)| block).collect()
}

/// Blocks, each with the number of the line that it begins with.
pub fn read_placed(lines: &[&str], depth: usize) -> Vec<(usize, Block)> {
    let mut out = Vec::new();
    let mut rest = lines;
    while let Some((first, after)) = rest.split_first() {
        if first.trim().is_empty() {
            rest = after;
            continue;
        }
        let (block, taken) = block(first, rest, depth);
        out.push((lines.len() - rest.len(), block));
        rest = rest.get(taken.max(1)..).unwrap_or_default();
    }
    out
}

/// The block at the first line, and how many lines it takes.
fn block(first: &str, lines: &[&str], depth: usize) -> (Block, usize) {
    let start = first.trim_start();
    if let Some(mark) = fence(start) {
        return code(start, mark, lines);
    }
    if let Some((level, text)) = heading(start) {
        return (Block::Heading(level, inlines::read(text)), 1);
    }
    if is_rule(start) {
        return (Block::Rule, 1);
    }
    if start.starts_with('>') {
        let taken = run(lines, |line| line.trim_start().starts_with('>'));
        let inner: Vec<&str> = lines
            .iter()
            .take(taken)
            .map(|line| line.trim_start().trim_start_matches('>'))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        return (Block::Quote(read(&inner, depth + 1)), taken);
    }
    if let Some(marker) = Marker::of(first) {
        return list(marker, lines, depth);
    }
    if let Some(table) = table(lines) {
        return table;
    }
    let taken = 1 + run(lines.get(1..).unwrap_or_default(), |line| {
        !line.trim().is_empty() && !interrupts(line)
    });
    let text: Vec<&str> = lines
        .iter()
        .take(taken)
        .map(|line| line.trim_start())
        .collect();
    (
        Block::Paragraph(inlines::read(text.join("\n").trim_end())),
        taken,
    )
}

fn run(lines: &[&str], accept: impl Fn(&str) -> bool) -> usize {
    lines.iter().take_while(|line| accept(line)).count()
}

/// Whether a line ends the paragraph above it.
fn interrupts(line: &str) -> bool {
    let start = line.trim_start();
    fence(start).is_some()
        || heading(start).is_some()
        || is_rule(start)
        || start.starts_with('>')
        || Marker::of(line).is_some()
}

fn fence(start: &str) -> Option<&str> {
    ["```", "~~~"].into_iter().find(|m| start.starts_with(m))
}

fn code(start: &str, mark: &str, lines: &[&str]) -> (Block, usize) {
    let length = start.len()
        - start
            .trim_start_matches(mark.get(..1).unwrap_or(mark))
            .len();
    let info = start.get(length..).unwrap_or_default().trim();
    let body = lines.get(1..).unwrap_or_default();
    // A fence that is still open while the answer streams runs to the end.
    let taken = run(body, |line| {
        let line = line.trim();
        let closes = line.len() >= length
            && line.starts_with(mark)
            && line.trim_matches(|c| mark.starts_with(c)).is_empty();
        !closes
    });
    let mut text: String = body.get(..taken).unwrap_or_default().join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    let language = info.split([' ', ',']).next().unwrap_or_default().to_owned();
    (Block::Code { language, text }, taken + 2)
}

fn heading(start: &str) -> Option<(u8, &str)> {
    let text = start.trim_start_matches('#');
    let level = start.len() - text.len();
    let level = u8::try_from(level).ok().filter(|l| (1..=6).contains(l))?;
    (text.is_empty() || text.starts_with(' '))
        .then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

fn is_rule(start: &str) -> bool {
    let mut marks = start.chars().filter(|c| !c.is_whitespace());
    let Some(mark) = marks.next().filter(|c| ['-', '*', '_'].contains(c)) else {
        return false;
    };
    let rest: Vec<char> = marks.collect();
    rest.len() >= 2 && rest.iter().all(|c| *c == mark)
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Marker {
    ordered: bool,
    indent: usize,
    /// Where the item's text begins.
    content: usize,
}

impl Marker {
    fn of(line: &str) -> Option<Self> {
        let start = line.trim_start();
        let indent = line.len() - start.len();
        let digits = start.bytes().take_while(u8::is_ascii_digit).count();
        let (ordered, width) = match start.as_bytes().get(digits)? {
            b'-' | b'*' | b'+' if digits == 0 => (false, 1),
            b'.' | b')' if (1..=9).contains(&digits) => (true, digits + 1),
            _ => return None,
        };
        let text = start.get(width..)?;
        (text.is_empty() || text.starts_with(' ')).then_some(Self {
            ordered,
            indent,
            content: indent + width + 1,
        })
    }
}

fn list(marker: Marker, lines: &[&str], depth: usize) -> (Block, usize) {
    let mut items: Vec<Vec<&str>> = Vec::new();
    let mut taken = 0;
    let mut blank = false;
    for line in lines {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        let begins = Marker::of(line)
            .filter(|m| m.ordered == marker.ordered && m.indent < marker.content && !is_rule(text));
        if text.is_empty() {
            if let Some(item) = items.last_mut() {
                item.push("");
            }
            blank = true;
        } else if let Some(found) = begins {
            items.push(vec![line.get(found.content..).unwrap_or_default()]);
            blank = false;
        } else if indent > marker.indent {
            let item = line.get(marker.content.min(indent)..).unwrap_or(text);
            if let Some(last) = items.last_mut() {
                last.push(item);
            }
            blank = false;
        } else if blank || interrupts(line) {
            break;
        } else if let Some(last) = items.last_mut() {
            last.push(text);
        }
        taken += 1;
    }
    let items = items.iter().map(|item| read(item, depth + 1)).collect();
    (
        Block::List {
            ordered: marker.ordered,
            items,
        },
        taken,
    )
}

fn table(lines: &[&str]) -> Option<(Block, usize)> {
    let (head, rest) = lines.split_first()?;
    let (rule, rest) = rest.split_first()?;
    let is_rule = head.contains('|')
        && rule.contains('-')
        && rule.chars().all(|c| matches!(c, '-' | '|' | ':' | ' '));
    let head = cells(head);
    if !is_rule || cells(rule).len() != head.len() {
        return None;
    }
    let taken = run(rest, |line| line.contains('|') && !line.trim().is_empty());
    let rows = rest
        .iter()
        .take(taken)
        .map(|line| {
            let mut row = cells(line);
            row.resize(head.len(), Vec::new());
            row
        })
        .collect();
    Some((Block::Table { head, rows }, taken + 2))
}

fn cells(line: &str) -> Vec<Vec<Inline>> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells: Vec<String> = vec![String::new()];
    let mut escaped = false;
    for c in line.chars() {
        if c == '|' && !escaped {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            if c == '|' {
                cell.pop();
            }
            cell.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    if cells.len() > 1 && cells.last().is_some_and(|c| c.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|c| inlines::read(c.trim())).collect()
}
