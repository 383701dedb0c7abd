//! What the driver says when a file, the storage or the engine lets it down: two languages.

use crate::settings::Language;

/// Sentences with `{}` for a detail; each has its next step beside it.
pub struct Says {
    pub several_files: &'static str,
    pub several_files_next: &'static str,
    pub sample_failed: &'static str,
    pub sample_failed_next: &'static str,
    pub handle_failed: &'static str,
    pub handle_failed_next: &'static str,
    pub recent_gone: &'static str,
    pub recent_gone_next: &'static str,
    pub recent_denied: &'static str,
    pub recent_denied_next: &'static str,
    pub recent_changed: &'static str,
    pub recent_changed_next: &'static str,
    pub engine_lost: &'static str,
    pub engine_lost_next: &'static str,
    pub file_changed: &'static str,
    pub file_changed_next: &'static str,
    pub storage_failed: &'static str,
    pub storage_failed_next: &'static str,
    pub chat_unreadable_next: &'static str,
    pub chat_deleted: &'static str,
    pub chat_changed: &'static str,
    pub chat_gone: &'static str,
    pub chat_apart_next: &'static str,
    pub export_failed: &'static str,
    pub export_failed_next: &'static str,
}

const EN: Says = Says {
    several_files: "More than one database was given: {}.",
    several_files_next: "Open one file at a time (its -wal may come along).",
    sample_failed: "The sample could not be loaded ({}).",
    sample_failed_next: "Reload the page and try again, or open a file of your own.",
    handle_failed: "The file could not be opened again ({}).",
    handle_failed_next: "Choose it once more with Open a SQLite file.",
    recent_gone: "{} is no longer where it was: it was moved, renamed or deleted.",
    recent_gone_next: "Choose it where it is now, or take it out of the list.",
    recent_denied: "The browser was not allowed to read {}.",
    recent_denied_next: "Try again and allow it, or choose the file once more.",
    recent_changed: "{} has changed since it was last open here.",
    recent_changed_next: "You see its new state. A chat about the old one stays as it is.",
    engine_lost: "The engine ended unexpectedly and was started again. The file is open; nothing was changed.",
    engine_lost_next: "Approve the query again, or ask for less at once.",
    file_changed: "The file changed on disk while it was open.",
    file_changed_next: "Open it again to see its new state.",
    storage_failed: "The browser does not keep this chat: {}.",
    storage_failed_next: "You can go on, but export the chat before you close the tab.",
    chat_deleted: "The chat “{}” was deleted.",
    chat_changed: "“{}” was changed in another tab at the same time. What you did here is kept as a chat of its own.",
    chat_gone: "“{}” was deleted in another tab while you worked on it here, so it was stored again.",
    chat_apart_next: "Nothing is lost. Compare the two, and delete what you do not need.",
    chat_unreadable_next: "It is left as it is. Reload with a current version of Assent to read it.",
    export_failed: "The chat could not be exported ({}).",
    export_failed_next: "Allow downloads for this page and try again.",
};

const ZH: Says = Says {
    several_files: "一次提供了多个数据库：{}。",
    several_files_next: "请一次只打开一个文件（可以同时带上它的 -wal）。",
    sample_failed: "无法加载示例（{}）。",
    sample_failed_next: "请刷新页面后重试，或打开自己的文件。",
    handle_failed: "无法再次打开文件（{}）。",
    handle_failed_next: "请点击“打开 SQLite 文件”重新选择。",
    recent_gone: "{} 已不在原处：可能被移动、重命名或删除。",
    recent_gone_next: "请在新位置选择它，或将其从列表中移除。",
    recent_denied: "浏览器未获准读取 {}。",
    recent_denied_next: "请重试并允许，或重新选择文件。",
    recent_changed: "{} 自上次在此打开后已更改。",
    recent_changed_next: "现在显示的是最新内容；针对旧内容的对话保持不变。",
    engine_lost: "查询引擎意外退出，已重新启动。文件已打开，数据未改变。",
    engine_lost_next: "请重新批准查询，或减少一次查询的内容。",
    file_changed: "文件在打开期间被修改。",
    file_changed_next: "请重新打开，以查看最新内容。",
    storage_failed: "浏览器无法保存此对话：{}。",
    storage_failed_next: "你可以继续使用，但请在关闭标签页前导出对话。",
    chat_deleted: "已删除对话“{}”。",
    chat_changed: "“{}”同时在另一个标签页中被修改。你在此处的内容已另存为一个对话。",
    chat_gone: "你在此处使用“{}”时，另一个标签页将其删除，因此已重新保存。",
    chat_apart_next: "没有丢失任何内容。请核对后删除不需要的对话。",
    chat_unreadable_next: "内容保持原样。请用新版 Assent 打开。",
    export_failed: "无法导出对话（{}）。",
    export_failed_next: "请允许此页面下载文件，然后重试。",
};

#[must_use]
pub fn says(language: Language) -> &'static Says {
    match language {
        Language::English => &EN,
        Language::Chinese => &ZH,
    }
}

/// Puts the detail into a sentence.
#[must_use]
pub fn fill(text: &str, detail: &str) -> String {
    text.replace("{}", detail)
}
