//! The elements of a grid: one table whose rows are written anew as the person scrolls. Raw nodes, because a view
//! for each cell would be made and thrown away sixty times a second. Decides nothing; `view::grid` does.

use crate::view::Value;
use crate::view::cells::cell;
use crate::view::grid::Active;
use leptos::prelude::document;
use std::ops::Range;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The head of one column as it is shown now.
pub struct Head {
    pub name: String,
    pub width_px: f64,
    /// `ascending`, `descending` or `none`.
    pub sort: &'static str,
    pub kind: &'static str,
}

/// A row of the document. Which row of the result it shows changes.
struct Line {
    row: HtmlElement,
    cells: Vec<HtmlElement>,
    shown: Option<u64>,
}

/// The table of a grid with the columns near the screen.
pub struct Table {
    id: String,
    layer: HtmlElement,
    widths: HtmlElement,
    head: HtmlElement,
    body: HtmlElement,
    heads: Vec<HtmlElement>,
    lines: Vec<Line>,
    /// Rows made so far: what makes the names of cells unique, wherever their rows move to.
    made: u64,
    columns: Range<usize>,
}

impl Table {
    /// Makes the table inside `layer`.
    pub fn new(id: String, layer: HtmlElement) -> Option<Self> {
        let table = element(&layer, "table", "presentation")?;
        table.set_class_name("grid-table");
        let widths = element(&table, "colgroup", "")?;
        let thead = element(&table, "thead", "rowgroup")?;
        let head = element(&thead, "tr", "row")?;
        set(&head, "aria-rowindex", "1");
        let body = element(&table, "tbody", "rowgroup")?;
        Some(Self {
            id,
            layer,
            widths,
            head,
            body,
            heads: Vec::new(),
            lines: Vec::new(),
            made: 0,
            columns: 0..0,
        })
    }

    pub fn columns(&self) -> &Range<usize> {
        &self.columns
    }

    pub fn layer(&self) -> &HtmlElement {
        &self.layer
    }

    /// Shows other columns, or the same with other heads. All rows are to be written again.
    pub fn set_columns(
        &mut self,
        columns: Range<usize>,
        left_px: f64,
        heads: &[Head],
    ) -> Option<()> {
        for part in [&self.widths, &self.head, &self.body] {
            part.set_text_content(None);
        }
        self.lines.clear();
        self.heads.clear();
        self.columns = columns.clone();
        let mut width_px = 0.0;
        for (index, head) in columns.zip(heads) {
            let column = element(&self.widths, "col", "")?;
            style(&column, "width", &format!("{}px", head.width_px));
            width_px += head.width_px;
            self.heads.push(self.head_cell(index, head)?);
        }
        let table: HtmlElement = self.widths.parent_element()?.unchecked_into();
        style(&table, "width", &format!("{width_px}px"));
        style(&table, "margin-left", &format!("{left_px}px"));
        Some(())
    }

    fn head_cell(&self, index: usize, head: &Head) -> Option<HtmlElement> {
        let cell = element(&self.head, "th", "columnheader")?;
        cell.set_id(&format!("{}-head-{index}", self.id));
        set(&cell, "aria-colindex", &(index + 1).to_string());
        set(&cell, "aria-sort", head.sort);
        set(&cell, "data-kind", head.kind);
        set(&cell, "data-column", &index.to_string());
        set(&cell, "title", &head.name);
        let name = element(&cell, "span", "")?;
        name.set_class_name("grid-name");
        name.set_text_content(Some(&head.name));
        let edge = element(&cell, "span", "presentation")?;
        edge.set_class_name("grid-edge");
        Some(cell)
    }

    /// Says which rows are seen: `row` gives the cells of one that is here.
    pub fn show<'a>(
        &mut self,
        seen: Range<u64>,
        above_px: f64,
        row: impl Fn(u64) -> Option<&'a Vec<Value>>,
    ) -> Option<()> {
        let wanted = usize::try_from(seen.end - seen.start).ok()?;
        while self.lines.len() > wanted {
            if let Some(line) = self.lines.pop() {
                line.row.remove();
            }
        }
        while self.lines.len() < wanted {
            let line = self.line()?;
            self.lines.push(line);
        }
        self.turn_to(seen.start);
        let columns = self.columns.clone();
        for (line, number) in self.lines.iter_mut().zip(seen) {
            line.write(number, columns.clone(), row(number));
        }
        style(
            &self.body,
            "transform",
            &format!("translateY({}px)", -above_px),
        );
        Some(())
    }

    /// Moves rows that leave at one end to the other, so that those that stay are not written again.
    fn turn_to(&mut self, first: u64) {
        let Some(shown) = self.lines.first().and_then(|line| line.shown) else {
            return;
        };
        let by = usize::try_from(first.abs_diff(shown)).unwrap_or(usize::MAX);
        if by >= self.lines.len() {
            return;
        }
        for _ in 0..by {
            if first > shown {
                self.lines.rotate_left(1);
                if let Some(line) = self.lines.last() {
                    let _ = self.body.append_child(&line.row);
                }
            } else {
                self.lines.rotate_right(1);
                if let Some(line) = self.lines.first() {
                    let _ = self.body.prepend_with_node_1(&line.row);
                }
            }
        }
    }

    fn line(&mut self) -> Option<Line> {
        let row = element(&self.body, "tr", "row")?;
        self.made += 1;
        let number = self.made;
        let cells = self.columns.clone().map(|index| {
            let cell = element(&row, "td", "gridcell")?;
            cell.set_id(&format!("{}-{number}-{index}", self.id));
            set(&cell, "aria-colindex", &(index + 1).to_string());
            set(&cell, "data-column", &index.to_string());
            Some(cell)
        });
        let cells = cells.collect::<Option<Vec<_>>>()?;
        let shown = None;
        Some(Line { row, cells, shown })
    }

    /// Marks the active cell and gives its id, where it is in the document.
    pub fn mark(&self, active: Option<Active>) -> Option<String> {
        let rows = self
            .lines
            .iter()
            .map(|line| (line.shown.map(|n| n + 1), &line.cells));
        let mut id = None;
        for (row, cells) in rows.chain([(Some(0), &self.heads)]) {
            for (cell, column) in cells.iter().zip(self.columns.clone()) {
                let is_active = active.is_some_and(|a| Some(a.row) == row && a.column == column);
                if is_active {
                    set(cell, "data-active", "true");
                    id = Some(cell.id());
                } else if cell.has_attribute("data-active") {
                    let _ = cell.remove_attribute("data-active");
                }
            }
        }
        id
    }

    /// Forgets what is written, because the same rows mean others now.
    pub fn forget(&mut self) {
        for line in &mut self.lines {
            line.shown = None;
        }
    }

    /// The row that an element of the table shows; 0 is the head.
    pub fn row_of(&self, element: &web_sys::Element) -> Option<u64> {
        let row = element.closest("tr").ok()??;
        let index: u64 = row.get_attribute("aria-rowindex")?.parse().ok()?;
        index.checked_sub(1)
    }
}

impl Line {
    fn write(&mut self, number: u64, columns: Range<usize>, row: Option<&Vec<Value>>) {
        if self.shown == Some(number) && row.is_some() && !self.row.has_attribute("aria-busy") {
            return;
        }
        self.shown = Some(number);
        set(&self.row, "aria-rowindex", &(number + 2).to_string());
        if row.is_some() {
            let _ = self.row.remove_attribute("aria-busy");
        } else {
            set(&self.row, "aria-busy", "true");
        }
        for (element, column) in self.cells.iter().zip(columns) {
            match row.and_then(|row| row.get(column)) {
                Some(value) => {
                    let cell = cell(value);
                    element.set_text_content(Some(&cell.text));
                    set(element, "data-kind", cell.kind.name());
                }
                None => {
                    element.set_text_content(None);
                    set(element, "data-kind", "wait");
                }
            }
        }
    }
}

/// A new element at the end of `parent`.
pub fn element(parent: &HtmlElement, tag: &str, role: &str) -> Option<HtmlElement> {
    let made: HtmlElement = document().create_element(tag).ok()?.unchecked_into();
    if !role.is_empty() {
        set(&made, "role", role);
    }
    parent.append_child(&made).ok()?;
    Some(made)
}

pub fn set(element: &HtmlElement, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

pub fn style(element: &HtmlElement, name: &str, value: &str) {
    let _ = element.style().set_property(name, value);
}
