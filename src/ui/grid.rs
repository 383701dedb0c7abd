//! A grid of many rows: scrolled, sorted and read with pointer, keys and screen reader. Rows come from the engine
//! in blocks; at most forty are in the document. Where rows are and what keys mean is `view::grid`'s.

use super::grid_rows::{Head, Table, element, set, style};
use super::{Ui, WindowRequest};
use crate::view::cells::cell;
use crate::view::grid::{
    Active, BLOCK_ROWS, Blocks, Scroll, WIDTH_SET_PX, columns_near, fitted, next_order, widths,
};
use crate::view::model::ResultView;
use crate::view::{Part, SortOrder, Value, WindowOf};
use leptos::prelude::*;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::{Rc, Weak};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, HtmlElement, KeyboardEvent, PointerEvent};

/// The height of the head, which the style sheet keeps to.
const HEAD_PX: f64 = 34.0;
/// Columns are laid out this far beyond the screen.
const MARGIN_PX: f64 = 600.0;
/// What one key press adds to a width.
const WIDTH_STEP_PX: f64 = 24.0;
/// Fetches under way at once: what is scrolled past meanwhile is never asked for.
const FETCHES_MAX: u32 = 2;

pub struct Grid {
    ui: Ui,
    result: Rc<ResultView>,
    frame: HtmlElement,
    spacer: HtmlElement,
    table: Table,
    scroll: Scroll,
    blocks: Blocks,
    /// As measured or set; what is shown may be stretched.
    widths: Vec<f64>,
    shown_widths: Vec<f64>,
    active: Option<Active>,
    order: Option<SortOrder>,
    fetches: u32,
    /// Counts changes of the order: rows that were asked for before are dropped.
    sortings: u32,
    is_scheduled: bool,
    /// The column whose edge is dragged, where the pointer began, and its width then.
    drag: Option<(usize, f64, f64)>,
    on_gone: Rc<dyn Fn()>,
    itself: Weak<RefCell<Grid>>,
}

impl Grid {
    /// Fills `frame`. `on_gone` hears when the engine does not hold the rows any more.
    pub fn new(
        ui: Ui,
        id: &str,
        frame: HtmlElement,
        result: Rc<ResultView>,
        on_gone: Rc<dyn Fn()>,
    ) -> Option<Rc<RefCell<Self>>> {
        let spacer = element(&frame, "div", "presentation")?;
        spacer.set_class_name("grid-spacer");
        let layer = element(&spacer, "div", "presentation")?;
        layer.set_class_name("grid-layer");
        let table = Table::new(id.to_owned(), layer)?;
        let mut blocks = Blocks::default();
        blocks.put(0, result.preview.clone());
        let widths = widths(&result.columns, &result.preview);
        let rows = if result.live {
            result.rows
        } else {
            result.preview.len() as u64
        };
        let grid = Rc::new_cyclic(|itself| {
            RefCell::new(Self {
                ui,
                frame,
                spacer,
                table,
                scroll: Scroll::new(rows, 0.0),
                blocks,
                shown_widths: widths.clone(),
                widths,
                active: None,
                order: None,
                fetches: 0,
                sortings: 0,
                is_scheduled: false,
                drag: None,
                on_gone,
                itself: itself.clone(),
                result,
            })
        });
        grid.borrow_mut().measure();
        Some(grid)
    }

    pub fn order(&self) -> Option<SortOrder> {
        self.order
    }

    /// Takes over the size of the frame.
    pub fn measure(&mut self) {
        let rows = self.scroll.rows();
        style(
            &self.spacer,
            "height",
            &format!("{}px", self.scroll.spacer_px() + HEAD_PX),
        );
        let height = f64::from(self.frame.client_height());
        self.scroll = self.scroll.resized(rows, height - HEAD_PX);
        style(self.table.layer(), "height", &format!("{height}px"));
        self.lay_out_columns();
        self.draw();
    }

    fn lay_out_columns(&mut self) {
        self.shown_widths = fitted(&self.widths, f64::from(self.frame.client_width()));
        let total: f64 = self.shown_widths.iter().sum();
        style(&self.spacer, "width", &format!("{total}px"));
        let (columns, left_px) = self.columns_near(MARGIN_PX);
        let heads: Vec<Head> = columns
            .clone()
            .filter_map(|index| self.head(index))
            .collect();
        let _ = self.table.set_columns(columns, left_px, &heads);
    }

    fn columns_near(&self, margin_px: f64) -> (Range<usize>, f64) {
        let left = f64::from(self.frame.scroll_left());
        let view = f64::from(self.frame.client_width());
        columns_near(&self.shown_widths, left, view, margin_px)
    }

    fn head(&self, index: usize) -> Option<Head> {
        let mut cells = self.result.preview.iter().filter_map(|row| row.get(index));
        let kind = cells.find(|value| !value.is_null());
        let sort = match self.order {
            Some(order) if order.column as usize != index => "none",
            Some(order) if order.descending => "descending",
            Some(_) => "ascending",
            None => "none",
        };
        Some(Head {
            name: self.result.columns.get(index)?.clone(),
            width_px: *self.shown_widths.get(index)?,
            sort,
            kind: kind.map_or("text", |value| cell(value).kind.name()),
        })
    }

    /// Draws in the next animation frame, once.
    fn draw_soon(&mut self) {
        if std::mem::replace(&mut self.is_scheduled, true) {
            return;
        }
        in_frame(self.itself.clone(), Self::draw);
    }

    fn draw(&mut self) {
        self.is_scheduled = false;
        let (needed, _) = self.columns_near(0.0);
        let have = self.table.columns();
        if needed.start < have.start || needed.end > have.end {
            self.lay_out_columns();
        }
        let seen = self.scroll.seen();
        let blocks = &self.blocks;
        let _ = self
            .table
            .show(seen.clone(), self.scroll.above_px(), |row| blocks.row(row));
        match self.table.mark(self.active) {
            Some(id) => set(&self.frame, "aria-activedescendant", &id),
            None => {
                let _ = self.frame.remove_attribute("aria-activedescendant");
            }
        }
        if let Some(first) = self.blocks.wanted(&seen) {
            self.fetch(first);
        }
    }

    fn fetch(&mut self, first: u64) {
        if self.fetches >= FETCHES_MAX || !self.result.live {
            return;
        }
        self.fetches += 1;
        let (itself, sortings) = (self.itself.clone(), self.sortings);
        let count = u32::try_from(BLOCK_ROWS - first % BLOCK_ROWS).unwrap_or(1);
        self.ask(first, count, Part::Glance, move |rows| {
            at_once(itself, move |grid| {
                grid.fetches -= 1;
                match rows.filter(|rows| !rows.is_empty()) {
                    Some(rows) if sortings == grid.sortings => grid.blocks.put(first, rows),
                    Some(_) => {}
                    None => return grid.lose(),
                }
                grid.draw();
            });
        });
    }

    fn ask(
        &self,
        first: u64,
        count: u32,
        part: Part,
        reply: impl FnOnce(Option<Vec<Vec<Value>>>) + 'static,
    ) {
        self.ui.act.window(WindowRequest {
            of: WindowOf {
                result: self.result.id,
                first,
                count,
                order: self.order,
                part,
            },
            reply: Box::new(reply),
        });
    }

    /// The rows are gone: what stays is what was kept with the chat.
    fn lose(&mut self) {
        (self.on_gone)();
        self.sort(None);
        self.scroll = self.scroll.resized(self.result.preview.len() as u64, 0.0);
        self.measure();
    }

    /// The person scrolled.
    pub fn scrolled(&mut self) {
        self.scroll.moved(f64::from(self.frame.scroll_top()));
        self.draw_soon();
    }

    fn sort(&mut self, order: Option<SortOrder>) {
        self.order = order;
        self.sortings += 1;
        self.blocks.clear();
        if order.is_none() {
            self.blocks.put(0, self.result.preview.clone());
        }
        self.table.forget();
        self.lay_out_columns();
        self.draw_soon();
    }

    fn sort_by(&mut self, column: usize) {
        if self.result.live && self.result.rows > 1 {
            self.sort(next_order(self.order, column));
        }
    }

    /// Makes a cell the active one, and brings it into view.
    pub fn activate(&mut self, active: Active) {
        self.active = Some(active);
        let bar = active
            .row
            .checked_sub(1)
            .and_then(|row| self.scroll.reveal(row));
        if let Some(bar) = bar {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "at most the spacer's height"
            )]
            self.frame.set_scroll_top(bar as i32);
        }
        self.reveal_column(active.column);
        self.draw_soon();
    }

    fn reveal_column(&self, column: usize) {
        let start: f64 = self.shown_widths.iter().take(column).sum();
        let end = start + self.shown_widths.get(column).copied().unwrap_or(0.0);
        let left = f64::from(self.frame.scroll_left());
        let view = f64::from(self.frame.client_width());
        let wanted = if start < left || end - start > view {
            start
        } else if end > left + view {
            end - view
        } else {
            return;
        };
        #[expect(clippy::cast_possible_truncation, reason = "pixels on a screen")]
        self.frame.set_scroll_left(wanted.ceil() as i32);
    }

    fn set_width(&mut self, column: usize, width_px: f64) {
        // Set widths start from what is seen, so that no column jumps.
        self.widths.clone_from(&self.shown_widths);
        if let Some(width) = self.widths.get_mut(column) {
            *width = width_px.clamp(WIDTH_SET_PX.start, WIDTH_SET_PX.end);
        }
        self.lay_out_columns();
        self.draw_soon();
    }

    /// What a key does; true where it did something. `open` gets a cell that is to be shown whole.
    pub fn key(&mut self, event: &KeyboardEvent, open: &dyn Fn(Active)) -> bool {
        let active = self.active.unwrap_or(Active { row: 1, column: 0 });
        let key = event.key();
        match key.as_str() {
            "ArrowLeft" | "ArrowRight" if event.alt_key() => {
                let width = self.shown_widths.get(active.column).copied().unwrap_or(0.0);
                let step = if key == "ArrowLeft" {
                    -WIDTH_STEP_PX
                } else {
                    WIDTH_STEP_PX
                };
                self.set_width(active.column, width + step);
            }
            "Enter" | " " if active.row == 0 => self.sort_by(active.column),
            "Enter" => open(active),
            _ if event.alt_key() => return false,
            key => {
                let control = event.ctrl_key() || event.meta_key();
                let columns = self.result.columns.len();
                let Some(next) = active.moved(key, control, &self.scroll, columns) else {
                    return false;
                };
                // The first key press only shows where it is.
                self.activate(if self.active.is_some() { next } else { active });
            }
        }
        true
    }

    /// A click on a head sorts, one on a cell makes it active.
    pub fn clicked(&mut self, target: &Element) {
        let Some(active) = self.cell_of(target) else {
            return;
        };
        if active.row == 0 && !is_edge(target) {
            self.sort_by(active.column);
        }
        self.activate(active);
    }

    pub fn cell_of(&self, target: &Element) -> Option<Active> {
        let cell = target.closest("[data-column]").ok()??;
        Some(Active {
            row: self.table.row_of(&cell)?,
            column: cell.get_attribute("data-column")?.parse().ok()?,
        })
    }

    /// Asks for one cell as whole as it may be.
    pub fn whole(&self, active: Active, reply: impl FnOnce(Option<Value>) + 'static) {
        let Some(row) = active.row.checked_sub(1) else {
            return;
        };
        let here = self
            .blocks
            .row(row)
            .and_then(|row| row.get(active.column))
            .cloned();
        let is_cut = matches!(
            &here,
            Some(Value::TextHead { .. } | Value::Blob { .. }) | None
        );
        let column = u32::try_from(active.column).unwrap_or(u32::MAX);
        if !is_cut || !self.result.live {
            return reply(here);
        }
        self.ask(row, 1, Part::Cell(column), move |rows| {
            let cell = rows.and_then(|rows| rows.into_iter().next()?.into_iter().next());
            reply(cell.or(here));
        });
    }

    pub fn pressed(&mut self, event: &PointerEvent, target: &Element) {
        if let Some(active) = self.cell_of(target).filter(|_| is_edge(target)) {
            let width = self.shown_widths.get(active.column).copied().unwrap_or(0.0);
            self.drag = Some((active.column, f64::from(event.client_x()), width));
            let _ = self.frame.set_pointer_capture(event.pointer_id());
            event.prevent_default();
        }
    }

    pub fn dragged(&mut self, event: &PointerEvent) {
        if let Some((column, from, width)) = self.drag {
            self.set_width(column, width + f64::from(event.client_x()) - from);
        }
    }

    pub fn released(&mut self) {
        self.drag = None;
    }
}

/// Acts on the grid, if it is still there: now, so that the next frame shows it, or after what the grid does now, as
/// an answer may come while it still asks.
fn at_once(grid: Weak<RefCell<Grid>>, act: impl FnOnce(&mut Grid) + 'static) {
    let Some(held) = grid.upgrade() else {
        return;
    };
    match held.try_borrow_mut() {
        Ok(mut now) => act(&mut now),
        Err(_) => in_frame(grid, act),
    }
}

/// Acts on the grid in the next animation frame, if it is still there.
fn in_frame(grid: Weak<RefCell<Grid>>, act: impl FnOnce(&mut Grid) + 'static) {
    let act = Closure::once_into_js(move || {
        if let Some(grid) = grid.upgrade() {
            act(&mut grid.borrow_mut());
        }
    });
    let _ = window().request_animation_frame(act.unchecked_ref());
}

fn is_edge(target: &Element) -> bool {
    target.class_list().contains("grid-edge")
}
