//! Every cap of the loop, named, with its reason.

/// Model calls for one question. A good answer takes 3 to 6; past this the model is going in circles.
pub const MODEL_CALLS_MAX: u32 = 16;

/// Tool calls for one question, over all its model calls.
pub const TOOL_CALLS_MAX: u32 = 32;

/// Tool calls in one model turn. More are answered with a refusal, so that no call stays without a result.
pub const CALLS_PER_TURN_MAX: usize = 8;

/// Proposals that may fail (guard, database, run) for one question before the loop ends honestly.
pub const TRIES_MAX: u32 = 3;

/// Times that a model is told of a missing phase, broken arguments or an empty turn, for one question.
pub const SHAPE_NUDGES_MAX: u32 = 4;

/// Characters of one question. Longer pastes belong in a file.
pub const QUESTION_CHARS_MAX: usize = 8_000;

/// Bytes of one SQL statement, the guard's own cap.
pub const SQL_BYTES_MAX: usize = 64 * 1024;

/// Characters of one database message that goes back to the model.
pub const ERROR_CHARS_MAX: usize = 400;

/// Characters of one refusal that goes back to the model: it may repeat what the model wrote.
pub const REFUSAL_CHARS_MAX: usize = 1_200;

/// Results that the engine holds at once. Older ones keep their first rows with the chat.
pub const RESULTS_HELD_MAX: usize = 8;

/// Characters of one phase text that is kept. Models that write more repeat themselves.
pub const PHASE_CHARS_MAX: usize = 4_000;

/// Characters of one tool result. Keeps a prompt from being filled by one answer.
pub const TOOL_RESULT_CHARS_MAX: usize = 12_000;

/// Rows of a result that go to the model. The person sees all of them.
pub const ROWS_TO_MODEL_MAX: usize = 50;

/// Characters of one cell that go to the model.
pub const CELL_CHARS_TO_MODEL_MAX: usize = 200;

/// Rows of a sample. Enough to see a format.
pub const SAMPLE_ROWS_MAX: u32 = 5;

/// Rows that a result keeps with the chat, so that it can be read after a reload.
pub const PREVIEW_ROWS_MAX: u32 = 200;

/// Characters of one cell kept with the chat.
pub const PREVIEW_CELL_CHARS_MAX: u32 = 500;

/// Rows of one result that the engine keeps. Above it the result says "first N rows".
pub const RESULT_ROWS_MAX: u64 = 1_000_000;

/// Bytes of one result in the engine's memory.
pub const RESULT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Milliseconds that one statement may run.
pub const RUN_MS_MAX: u64 = 60_000;

/// Tables written out in the prompt; above it only names go, and the model describes on demand.
pub const PROMPT_TABLES_MAX: usize = 40;

/// Characters of the schema in the prompt.
pub const PROMPT_SCHEMA_CHARS_MAX: usize = 8_000;

/// Characters of earlier messages in one request. Older tool results are left out first, and named as left out.
pub const HISTORY_CHARS_MAX: usize = 120_000;

/// Tables described by one call.
pub const DESCRIBE_TABLES_MAX: usize = 12;

/// Hits of one schema search.
pub const SEARCH_HITS_MAX: usize = 25;

/// Questions on one card, options of one question. More is a form, not a question.
pub const QUESTIONS_MAX: usize = 5;
pub const OPTIONS_MAX: usize = 9;

/// Bytes of an exported chat that is imported: with every request that a long chat sent, an export has tens of MB.
pub const IMPORT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Questions of an imported chat, all wordings counted. Nobody asks more in one chat.
pub const IMPORT_TURNS_MAX: usize = 2_000;

/// Steps that follow one question of an imported chat: model calls and tool calls of several tries.
pub const IMPORT_EVENTS_MAX: usize = 1_000;

/// Characters of one text of an imported chat. No model writes more at once.
pub const IMPORT_TEXT_CHARS_MAX: usize = 200_000;

/// Columns of a result in an imported chat, SQLite's own most.
pub const IMPORT_COLUMNS_MAX: usize = 2_000;
