//! Words about what is kept, in both languages: chats in several tabs, files that were open before.

pub struct KeepingTexts {
    pub elsewhere: &'static str,
    pub elsewhere_next: &'static str,
    pub use_here: &'static str,
    pub deleted: &'static str,
    pub deleted_next: &'static str,
    pub bring_back: &'static str,
    pub decided_elsewhere: &'static str,
    pub recent: &'static str,
    /// Of a date.
    pub opened_at: fn(&str) -> String,
    pub forget_file: fn(&str) -> String,
    pub file_menu: fn(&str) -> String,
    pub save_report: &'static str,
    pub save_record: &'static str,
    pub import_chat: &'static str,
    /// Of a chat.
    pub imported: &'static str,
    pub imported_long: &'static str,
    pub imported_next: &'static str,
}

pub static EN: KeepingTexts = KeepingTexts {
    elsewhere: "This chat is open in another tab.",
    elsewhere_next: "You can read along here. To ask and decide here, use it in this tab; the other one then reads along.",
    use_here: "Use it here",
    deleted: "This chat was deleted in another tab.",
    deleted_next: "You still see it here. Bring it back, or start a new chat.",
    bring_back: "Bring it back",
    decided_elsewhere: "This waits for you in the other tab.",
    recent: "Recent files",
    opened_at: |day| format!("opened {day}"),
    forget_file: |name| format!("Remove from the list: {name}"),
    file_menu: |name| format!("File: {name}"),
    save_report: "Save chat as HTML",
    save_record: "Save chat as JSON",
    import_chat: "Import a chat",
    imported: "Imported",
    imported_long: "This came from a file. It was not witnessed here, and its rows were not compared with any database.",
    imported_next: "Nothing of it can run, and no model is told of it. To be sure of a number, open the file and ask again.",
};

pub static ZH: KeepingTexts = KeepingTexts {
    elsewhere: "此对话已在另一个标签页中打开。",
    elsewhere_next: "你可以在这里同步查看。若要在此提问和批准，请改用此标签页，另一个标签页将变为只读。",
    use_here: "在此处使用",
    deleted: "此对话已在另一个标签页中删除。",
    deleted_next: "内容仍显示在这里。你可以恢复它，或新建对话。",
    bring_back: "恢复对话",
    decided_elsewhere: "请在另一个标签页中处理。",
    recent: "最近的文件",
    opened_at: |day| format!("{day}打开"),
    forget_file: |name| format!("从列表中移除：{name}"),
    file_menu: |name| format!("文件：{name}"),
    save_report: "将对话存为 HTML",
    save_record: "将对话存为 JSON",
    import_chat: "导入对话",
    imported: "已导入",
    imported_long: "以下内容来自文件：并非在此记录，其中的行也未与任何数据库核对。",
    imported_next: "其中的内容不会运行，也不会告知模型。若要确认数字，请打开文件后重新提问。",
};
