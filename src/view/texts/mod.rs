//! Every word of the page, in two languages. One struct, two constants: a missing text does not compile.

mod en;
mod endpoint;
mod errors_en;
mod errors_zh;
mod keeping;
mod parts;
mod talk;
mod zh;

pub use en::EN;
pub use endpoint::EndpointTexts;
pub use keeping::KeepingTexts;
pub use parts::PartTexts;
pub use talk::TalkTexts;
pub use zh::ZH;

use crate::engine::Cap;
use crate::engine::Finding;
use crate::settings::{Language, Theme};
use crate::sql::Warning;
use crate::view::cells::count_text;
use crate::view::model::{StepKind, StepState};

#[must_use]
pub fn of(language: Language) -> &'static Texts {
    match language {
        Language::English => &EN,
        Language::Chinese => &ZH,
    }
}

/// Fixed texts, and functions where a text depends on something.
pub struct Texts {
    /// The endpoint's settings, its test, and what was sent.
    pub endpoint_more: &'static EndpointTexts,
    /// The editor, which loads on demand.
    pub parts: &'static PartTexts,
    /// Chats in several tabs, and files that were open before.
    pub keeping: &'static KeepingTexts,
    /// Other wordings, follow-ups, keys and commands.
    pub talk: &'static TalkTexts,
    pub brand: &'static str,
    pub skip_to_composer: &'static str,
    pub chats: &'static str,
    pub new_chat: &'static str,
    pub untitled_chat: &'static str,
    pub undo: &'static str,
    pub search_chats: &'static str,
    pub no_chat_found: &'static str,
    pub chat_name: &'static str,
    pub waits: &'static str,
    pub schema: &'static str,
    pub schema_empty: &'static str,
    pub schema_hint: &'static str,
    pub insert_name: &'static str,
    pub primary_key: &'static str,
    pub foreign_key: &'static str,
    pub view: &'static str,
    pub shadow: &'static str,
    pub rows_unknown: &'static str,
    pub settings: &'static str,
    pub read_only: &'static str,
    pub read_only_long: &'static str,
    pub sent_long: &'static str,
    pub other_language: &'static str,
    pub other_language_tag: &'static str,
    pub transcript: &'static str,
    pub jump_to_end: &'static str,
    pub you_asked: &'static str,
    pub thinking: &'static str,
    pub working: &'static str,
    pub stopped: &'static str,
    pub failed: &'static str,
    pub retry: &'static str,
    pub answer_builtin: &'static str,
    pub open_settings: &'static str,
    pub choose_file: &'static str,
    pub dismiss: &'static str,
    pub close: &'static str,
    pub cancel: &'static str,
    pub composer: &'static str,
    pub composer_hint: &'static str,
    pub composer_builtin: &'static str,
    pub composer_no_file: &'static str,
    pub ask: &'static str,
    pub stop: &'static str,
    pub announce_approval: &'static str,
    pub announce_questions: &'static str,
    pub announce_busy: &'static str,
    pub announce_stopped: &'static str,
    pub welcome_title: &'static str,
    pub welcome_words: &'static str,
    pub open_file: &'static str,
    pub or_drop: &'static str,
    pub no_file_at_hand: &'static str,
    pub try_sample: &'static str,
    pub sample_or_question: &'static str,
    pub promise_approve: &'static str,
    pub promise_local: &'static str,
    pub ready_title: &'static str,
    pub ready_words: &'static str,
    pub drop_here: &'static str,
    pub file_input: &'static str,
    pub no_file_open: &'static str,
    pub open_another: &'static str,
    pub close_file: &'static str,
    pub steps: &'static str,
    pub writing_query: &'static str,
    pub checking_query: &'static str,
    pub run_this_query: &'static str,
    pub edited_by_you: &'static str,
    pub card_needs_file: &'static str,
    pub reads: &'static str,
    pub reads_nothing: &'static str,
    pub proved_read_only: &'static str,
    pub receipt_not_analysed: &'static str,
    pub approve: &'static str,
    pub edit: &'static str,
    pub reject: &'static str,
    pub reject_reason: &'static str,
    pub reject_hint: &'static str,
    pub edit_label: &'static str,
    pub run_edited: &'static str,
    pub running: &'static str,
    pub approved: &'static str,
    pub approved_edited: &'static str,
    pub rejected: &'static str,
    pub refused: &'static str,
    pub query_failed: &'static str,
    pub cancelled: &'static str,
    pub question_title: &'static str,
    pub recommended: &'static str,
    pub other: &'static str,
    pub other_label: &'static str,
    pub answer_each: &'static str,
    pub send_answers: &'static str,
    pub best_guess: &'static str,
    pub guessed: &'static str,
    pub your_answers: &'static str,
    pub cannot_answer: &'static str,
    pub result: &'static str,
    pub tab_answer: &'static str,
    pub tab_table: &'static str,
    pub tab_chart: &'static str,
    pub tab_sql: &'static str,
    pub first_rows: &'static str,
    pub result_rows: &'static str,
    /// How keys act on the grid, for a screen reader.
    pub grid_keys: &'static str,
    pub copy_cell: &'static str,
    pub rows_gone: &'static str,
    pub copy_answer: &'static str,
    pub copy_tsv: &'static str,
    pub copy_markdown: &'static str,
    pub copy_sql: &'static str,
    pub save_csv: &'static str,
    pub part_missing: &'static str,
    pub part_missing_next: &'static str,
    pub without_rows: &'static str,
    pub no_chart: &'static str,
    pub chart_partial: &'static str,
    pub settings_where: &'static str,
    pub preset: &'static str,
    pub preset_none: &'static str,
    pub endpoint: &'static str,
    pub api_key: &'static str,
    pub key_held: &'static str,
    pub key_none: &'static str,
    pub key_note: &'static str,
    pub key_forget: &'static str,
    pub model: &'static str,
    pub model_note: &'static str,
    pub list_models: &'static str,
    pub models_loading: &'static str,
    pub privacy: &'static str,
    pub privacy_note: &'static str,
    pub privacy_schema: &'static str,
    pub privacy_schema_long: &'static str,
    pub privacy_results: &'static str,
    pub privacy_results_long: &'static str,
    pub privacy_samples: &'static str,
    pub privacy_samples_long: &'static str,
    pub look: &'static str,
    pub language: &'static str,
    pub language_browser: &'static str,
    pub english: &'static str,
    pub chinese: &'static str,
    pub theme: &'static str,
    pub theme_system: &'static str,
    pub theme_light: &'static str,
    pub theme_dark: &'static str,
    pub save: &'static str,
    /// Asked of the sample database.
    pub sample_questions: [&'static str; 3],
    pub tables: fn(u64) -> String,
    pub rows: fn(u64) -> String,
    pub rows_about: fn(u64) -> String,
    /// Shown, in all.
    pub rows_of: fn(&str, &str) -> String,
    pub show_rows: fn(u64) -> String,
    /// Of a column, in a row.
    pub cell_title: fn(&str, &str) -> String,
    /// By which cap, after how many rows.
    pub truncated: fn(Option<Cap>, &str) -> String,
    /// Of milliseconds.
    pub took: fn(f64) -> String,
    pub sent: fn(&str) -> String,
    /// Of a number, and whether it is an estimate.
    pub tokens: fn(&str, bool) -> String,
    pub thought_for: fn(u64) -> String,
    pub rename_chat: fn(&str) -> String,
    pub pin_chat: fn(&str) -> String,
    pub unpin_chat: fn(&str) -> String,
    pub delete_chat: fn(&str) -> String,
    pub columns_of: fn(&str) -> String,
    pub theme_now: fn(Theme) -> String,
    /// Of a tool's name.
    pub lookup: fn(&str) -> String,
    pub step: fn(StepKind) -> &'static str,
    pub step_state: fn(StepState) -> &'static str,
    pub warning: fn(&Warning) -> String,
    pub receipt_instructions: fn(&str) -> String,
    pub unsupported: fn(&str) -> String,
    /// Of the y and x labels.
    pub chart_title: fn(&str, &str) -> String,
    /// Lowest label and value, highest label and value.
    pub chart_summary: fn(&str, &str, &str, &str) -> String,
    pub models_found: fn(u64) -> String,
    pub opening: fn(&str) -> String,
    pub wanted: fn(&str) -> String,
    /// The file offered, the file wanted.
    pub other_file: fn(&str, &str) -> String,
    pub reopen: fn(&str) -> String,
    pub not_opened: fn(&str) -> String,
    pub suggest_over_time: fn(&str) -> String,
    /// Of table, label column and measure column.
    pub suggest_ranking: fn(&str, &str, &str) -> String,
    pub suggest_count: fn(&str) -> String,
    /// Cause and next step.
    pub finding: fn(&Finding) -> (String, String),
}

/// `1 row`, `12 431 rows`.
fn plural(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count_text(n), if n == 1 { one } else { many })
}

/// Names that fit in a sentence.
const NAMES_SHOWN: usize = 6;

/// The first names, and how many more there are.
fn some_of(names: &[String], between: &str) -> (String, Option<usize>) {
    let shown = names.get(..NAMES_SHOWN).unwrap_or(names);
    let more = names.len() - shown.len();
    (shown.join(between), (more > 0).then_some(more))
}

#[cfg(test)]
mod tests;
