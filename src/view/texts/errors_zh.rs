//! What went wrong and what to do next, in Chinese.

use crate::engine::Finding;
use crate::llm::{ModelError, ModelErrorKind as Kind};
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

pub fn model_error(error: &ModelError) -> (String, String) {
    let (cause, next) = match error.kind {
        Kind::Unreachable => (
            "接口没有响应：可能未运行、地址有误，或不允许此页面访问（CORS）。",
            "请确认它正在运行，且“设置”中的地址正确。Ollama 需要在 OLLAMA_ORIGINS 中加入此页面。",
        ),
        Kind::MixedContent => (
            "浏览器不允许 https 页面访问 http 地址。",
            "请使用 https 接口，或从 http://localhost 打开此页面。",
        ),
        Kind::Unauthorised => (
            "接口不接受此 API 密钥。",
            "请在“设置”中填写有效的密钥，然后重试。",
        ),
        Kind::Forbidden => (
            "你的密钥无权发出此请求。",
            "请检查账户权限，或在“设置”中选择其他模型。",
        ),
        Kind::ModelNotFound => ("接口没有这个模型。", "请在“设置”中用“列出模型”选择一个。"),
        Kind::WrongAddress => (
            "该地址有响应，但不是聊天接口。",
            "请在“设置”中检查地址，通常以 /v1 结尾。",
        ),
        Kind::RateLimited => ("接口要求减少请求。", "请稍候再试。"),
        Kind::QuotaExceeded => (
            "账户的额度或余额已用完。",
            "请在服务商处充值，或使用其他接口。",
        ),
        Kind::ContextTooLong => (
            "对话超出了模型能读取的长度。",
            "请开始新对话，或使用上下文更长的模型。",
        ),
        Kind::ContentFiltered => ("接口的内容过滤中止了回答。", "请换一种问法。"),
        Kind::Loading => ("服务器仍在加载模型。", "请稍候再试。"),
        Kind::Overloaded => ("接口过载。", "请稍候再试。"),
        Kind::Server => (
            "接口端发生错误。",
            "请重试。若持续出现，请查看服务商状态页或服务器日志。",
        ),
        Kind::NotJson => (
            "接口返回的是网页而不是数据。",
            "请在“设置”中检查地址，中间可能有代理或登录页面。",
        ),
        Kind::Cut => ("回答在传输中断开。", "已收到的内容会保留。请重试。"),
        Kind::Malformed => ("无法理解接口的回答。", "请重试，或使用其他模型或接口。"),
        Kind::BadParameter | Kind::BadRequest => {
            ("接口不接受此请求。", "请在“设置”中检查模型和地址。")
        }
        Kind::NoTools => (
            "此模型不能调用工具，而回答需要工具。",
            "请在“设置”中选择支持工具调用的模型。",
        ),
        Kind::Redirected => ("接口将请求转到了其他地址。", "请在“设置”中填写最终地址。"),
        Kind::BudgetSpent => (
            "已达到您设置的词元上限。",
            "点击“重试”继续，或在“设置”中修改上限。",
        ),
        Kind::NotConfigured => ("尚未配置接口。", "请打开“设置”，填写模型所在的地址。"),
    };
    (super::with_detail(cause, error), next.to_owned())
}
