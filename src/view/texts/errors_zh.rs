//! What went wrong and what to do next, in Chinese.

use crate::engine::Finding;
use crate::view::cells::bytes_text;

pub fn finding(finding: &Finding) -> (String, String) {
    let (cause, next) = match finding {
        Finding::Empty => (
            "文件是空的。".to_owned(),
            "请选择其他文件，或重新导出数据库。",
        ),
        Finding::NotSqlite { head } => (
            format!("这不是 SQLite 数据库：文件以“{head}”开头。"),
            "请选择由 SQLite 写入的文件，扩展名通常为 .db、.sqlite 或 .sqlite3。",
        ),
        Finding::Encrypted => (
            "文件似乎已加密：没有可读的 SQLite 文件头。".to_owned(),
            "请用创建它的程序解密，然后打开未加密的副本。",
        ),
        Finding::Truncated {
            expected_bytes,
            actual_bytes,
        } => (
            format!(
                "文件不完整：只有 {}，应为 {}。",
                bytes_text(*actual_bytes),
                bytes_text(*expected_bytes)
            ),
            "请重新复制或下载。可读部分会显示，但可能缺少数据行。",
        ),
        Finding::Corrupt { message } => (
            format!("数据库已损坏：{message}。"),
            "请从备份恢复，或使用 `sqlite3 broken.db .recover` 修复。",
        ),
        Finding::WalMissing => (
            "数据库曾被使用：最近的更改在未打开的 -wal 文件中。".to_owned(),
            "请同时打开 .db 和 .db-wal 文件以查看这些更改。",
        ),
        Finding::WalMerged { frames } => (
            format!("-wal 文件也已读取：包含 {frames} 页最近的更改。"),
            "无需任何操作。两个文件都没有被修改。",
        ),
        Finding::HotJournal => (
            "对该文件的一次写入被中断：可能只包含部分更改。".to_owned(),
            "请先用创建它的程序打开一次以修复，然后在此打开。",
        ),
        Finding::Utf16 => ("其文本以 UTF-16 存储。".to_owned(), "无需任何操作。"),
        Finding::MissingModule { module, tables } => (
            format!("无法读取 {}：此处缺少扩展“{module}”。", tables.join("、")),
            "其他表都可以使用。",
        ),
        Finding::BrokenView { view, message } => (
            format!("视图 {view} 无法使用：{message}。"),
            "其他表都可以使用。",
        ),
        Finding::Unreadable { message } => (
            format!("浏览器无法读取文件：{message}。"),
            "请确认文件仍然存在且可读，然后重新打开。",
        ),
        Finding::EngineFailed { message } => (
            format!("无法启动 SQLite：{message}。"),
            "请刷新页面。如果仍然失败，请换一个浏览器。",
        ),
    };
    (cause, next.to_owned())
}
