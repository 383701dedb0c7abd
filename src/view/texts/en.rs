//! The texts in English.

use super::{Texts, errors_en, plural, some_of};
use crate::engine::Cap;
use crate::settings::Theme;
use crate::sql::Warning;
use crate::view::cells::time_text;
use crate::view::model::{StepKind, StepState};

pub const EN: Texts = Texts {
    endpoint_more: &super::endpoint::EN,
    parts: &super::parts::EN,
    keeping: &super::keeping::EN,
    talk: &super::talk::EN,
    brand: "Assent",
    skip_to_composer: "Skip to the question field",
    chats: "Chats",
    new_chat: "New chat",
    untitled_chat: "New chat",
    undo: "Undo",
    search_chats: "Search chats",
    no_chat_found: "No chat matches.",
    chat_name: "Name of the chat",
    waits: "waits for you",
    schema: "Schema",
    schema_empty: "Tables and columns appear here when a file is open.",
    schema_hint: "Click a name to put it into your question.",
    insert_name: "Put into the question",
    primary_key: "Primary key",
    foreign_key: "Foreign key",
    view: "view",
    shadow: "internal",
    rows_unknown: "number of rows unknown",
    settings: "Settings",
    read_only: "read-only",
    read_only_long: "The file is opened read-only and never changed.",
    sent_long: "Sent to your endpoint in this chat.",
    other_language: "中文",
    other_language_tag: "zh-CN",
    transcript: "Conversation",
    jump_to_end: "Jump to the end",
    you_asked: "You asked: ",
    thinking: "Thinking…",
    working: "Working on your file…",
    stopped: "Stopped. What was written so far is kept.",
    failed: "failed",
    retry: "Try again",
    answer_builtin: "Answer with the built-in translator",
    open_settings: "Open settings",
    choose_file: "Choose a file",
    dismiss: "Dismiss",
    close: "Close",
    cancel: "Cancel",
    composer: "Ask a question about your data",
    composer_hint: "Enter sends, Shift+Enter makes a new line, Esc stops.",
    composer_builtin: "Built-in translator: simple questions, no model. Connect a model in Settings for more.",
    composer_no_file: "Open a SQLite file first, then ask.",
    ask: "Ask",
    stop: "Stop",
    announce_approval: "A query waits for your decision. Shift+Tab leads from the question field to its card.",
    announce_questions: "The model asks you a question. Shift+Tab leads from the question field to its card.",
    announce_busy: "Working on it.",
    announce_stopped: "Stopped.",
    welcome_title: "Ask your SQLite file a question",
    welcome_words: "You see the reasoning, approve the SQL, and get rows, a chart and a sentence.",
    open_file: "Open a SQLite file",
    or_drop: "or drop it anywhere on this page",
    no_file_at_hand: "No file at hand?",
    try_sample: "Try the sample shop",
    sample_or_question: "or start with a question about it:",
    promise_approve: "Nothing runs until you approve it: the exact SQL on the card is what runs.",
    promise_local: "The file stays in this browser. Your questions, table and column names, and what your privacy setting allows of the rows go to the one endpoint that you configure.",
    ready_title: "What do you want to know?",
    ready_words: "Ask in your own words, or start with one of these.",
    drop_here: "Drop the SQLite file to open it",
    file_input: "SQLite file",
    no_file_open: "No file is open. Open one to go on with this chat.",
    open_another: "Open another file",
    close_file: "Close file",
    steps: "Steps of this query",
    writing_query: "Writing the query…",
    checking_query: "Checking that it only reads…",
    run_this_query: "Run this query?",
    edited_by_you: "You edited this query.",
    card_needs_file: "Open the file again to run this query. It was saved with the chat.",
    reads: "Reads",
    reads_nothing: "Reads no table.",
    proved_read_only: "Proved read-only",
    receipt_not_analysed: "The statement is unusual: the proof holds, but some warnings may be missing.",
    approve: "Approve",
    edit: "Edit",
    reject: "Reject",
    reject_reason: "Why not? (optional, the model is told)",
    reject_hint: "e.g. count only paid orders",
    edit_label: "Your SQL",
    run_edited: "Run edited SQL",
    running: "You approved this query. It runs…",
    approved: "You approved this query",
    approved_edited: "You edited and approved this query",
    rejected: "You rejected this query",
    refused: "Refused by the guard",
    query_failed: "The query failed",
    cancelled: "Stopped before a decision",
    question_title: "Before I go on",
    recommended: "recommended",
    other: "Other…",
    other_label: "Your own answer",
    answer_each: "Answer each question, or let the model use its best guess.",
    send_answers: "Send answers",
    best_guess: "Use your best guess",
    guessed: "Left to the model's best guess",
    your_answers: "Your answers",
    cannot_answer: "This cannot be answered from this database",
    result: "Result",
    tab_answer: "Answer",
    tab_table: "Table",
    tab_chart: "Chart",
    tab_sql: "SQL",
    first_rows: "First rows",
    result_rows: "Rows of the result",
    grid_keys: "Arrow keys move. Enter sorts by a column or shows a cell whole. Alt with left or right sets a column's width.",
    copy_cell: "Copy cell",
    rows_gone: "Only these rows were kept with the chat. Ask again to see the rest.",
    copy_answer: "Copy the answer",
    copy_tsv: "Copy as TSV",
    copy_markdown: "Copy as Markdown",
    copy_sql: "Copy SQL",
    save_csv: "Save as CSV",
    part_missing: "A part of this page did not load.",
    part_missing_next: "Check that you are online, then do it again; or reload the page.",
    without_rows: "No query ran for this answer.",
    no_chart: "No chart fits this result: a chart needs one number, a number per category (up to 40), numbers over time, or two numbers.",
    chart_partial: "Drawn from the first rows only.",
    settings_where: "Where questions go",
    preset: "Service",
    preset_none: "Custom address",
    endpoint: "Endpoint",
    api_key: "API key",
    key_held: "A key is held. Leave empty to keep it.",
    key_none: "Not needed for most local servers",
    key_note: "Held in memory until this page is closed or reloaded. Sent only to the endpoint above.",
    key_forget: "Forget the key",
    model: "Model",
    model_note: "The name that the endpoint knows it by.",
    list_models: "List models",
    models_loading: "Asking the endpoint…",
    privacy: "Privacy",
    privacy_note: "Questions and the names and types of tables and columns are always sent.",
    privacy_schema: "Structure only",
    privacy_schema_long: "No value leaves the browser. The model writes SQL but does not see the rows, so it cannot put the answer into words.",
    privacy_results: "Approved results",
    privacy_results_long: "Also the first rows of queries that you approved, so that the model can answer in words.",
    privacy_samples: "Samples too",
    privacy_samples_long: "Also a few sample values of the tables that the model looks at, without asking you each time.",
    look: "Appearance",
    language: "Language",
    language_browser: "As the browser",
    english: "English",
    chinese: "中文",
    theme: "Theme",
    theme_system: "As the system",
    theme_light: "Light",
    theme_dark: "Dark",
    save: "Save",
    sample_questions: [
        "How many customers are there in each region?",
        "How many orders are there for each status?",
        "Which customers have the most orders?",
    ],
    tables: |n| plural(n, "table", "tables"),
    rows: |n| plural(n, "row", "rows"),
    rows_about: |n| format!("about {}", plural(n, "row", "rows")),
    rows_of: |shown, total| format!("{shown} of {total} rows"),
    show_rows: |n| format!("Show all {}", plural(n, "row", "rows")),
    cell_title: |column, row| format!("{column}, row {row}"),
    truncated: |cap, n| {
        let why = match cap {
            None | Some(Cap::Rows) => "The run was cut at",
            Some(Cap::Bytes) => "The result grew too large: the run was cut at",
            Some(Cap::Time) => "The time limit was reached: the run was cut at",
        };
        format!("{why} {n} rows. There may be more: add a filter or a LIMIT.")
    },
    took: |ms| format!("Ran in {}", time_text(ms)),
    sent: |size| format!("Sent {size}"),
    tokens: |n, estimated| {
        format!(
            "{}{n} tokens in the last turn.",
            if estimated { "About " } else { "" }
        )
    },
    thought_for: |s| format!("Thought for {s} s"),
    rename_chat: |title| format!("Rename: {title}"),
    pin_chat: |title| format!("Pin: {title}"),
    unpin_chat: |title| format!("Unpin: {title}"),
    delete_chat: |title| format!("Delete: {title}"),
    columns_of: |table| format!("Columns of {table}"),
    theme_now: |theme| {
        format!(
            "Theme: {}",
            match theme {
                Theme::System => "as the system",
                Theme::Light => "light",
                Theme::Dark => "dark",
            }
        )
    },
    lookup: |tool| match tool {
        "list_tables" => "Listed the tables".to_owned(),
        "describe_tables" => "Looked at the columns of".to_owned(),
        "sample_rows" => "Looked at sample rows of".to_owned(),
        "search_schema" => "Searched the schema for".to_owned(),
        other => format!("Used {other}"),
    },
    step: |kind| match kind {
        StepKind::Reason => "Reason",
        StepKind::Analyse => "Analyse",
        StepKind::Query => "Query",
        StepKind::Check => "Check",
        StepKind::Final => "Final",
    },
    step_state: |state| match state {
        StepState::Waiting => " (to come)",
        StepState::Live => " (now)",
        StepState::Done => " (done)",
        StepState::Failed => " (failed)",
    },
    warning: |warning| match warning {
        Warning::QuotedText { text } => {
            format!("\"{text}\" is no column: SQLite takes it as text.")
        }
        Warning::NoLimit => "There is no LIMIT: the result may be long.".to_owned(),
        Warning::CrossJoin => {
            "Tables are joined without a condition: every row is paired with every other."
                .to_owned()
        }
        Warning::SensitiveColumns { columns } => {
            let (shown, more) = some_of(columns, ", ");
            let more = more.map_or_else(String::new, |n| format!(" and {n} more"));
            format!("Sensitive by name: {shown}{more}.")
        }
    },
    receipt_instructions: |n| {
        format!(
            "SQLite compiled this statement to {n} instructions. Each was looked at: none writes."
        )
    },
    unsupported: |list| format!("Not in the result: {list}. Check before you rely on it."),
    chart_title: |y, x| {
        if x.is_empty() {
            y.to_owned()
        } else {
            format!("{y} by {x}")
        }
    },
    chart_summary: |low_at, low, high_at, high| {
        format!("Highest: {high} ({high_at}). Lowest: {low} ({low_at}).")
    },
    models_found: |n| {
        format!(
            "{} found. Choose one in the field.",
            plural(n, "model", "models")
        )
    },
    opening: |name| format!("Opening {name}…"),
    wanted: |name| format!("This chat belongs to {name}. Open it again to go on."),
    other_file: |other, name| {
        format!("{other} is a different file: its content is not that of {name}.")
    },
    reopen: |name| format!("Open {name} again"),
    not_opened: |name| format!("{name} could not be opened"),
    suggest_over_time: |table| format!("How did {table} develop over time, month by month?"),
    suggest_ranking: |table, label, measure| {
        format!("Which {label} in {table} has the highest {measure}?")
    },
    suggest_count: |table| format!("How many {table} are there, and what do they look like?"),
    finding: errors_en::finding,
};
