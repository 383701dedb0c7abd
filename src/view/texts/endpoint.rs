//! Words of the endpoint's settings, its test, and the list of what was sent, in both languages.

use crate::llm::probe::{Check, Verdict};

pub struct EndpointTexts {
    pub family: &'static str,
    pub family_auto: &'static str,
    pub budget: &'static str,
    pub budget_note: &'static str,
    pub budget_turn: &'static str,
    pub budget_chat: &'static str,
    pub test: &'static str,
    pub test_note: &'static str,
    pub testing: &'static str,
    pub test_results: &'static str,
    pub copy_report: &'static str,
    pub check: fn(Check) -> &'static str,
    pub verdict: fn(Verdict) -> &'static str,
    /// What it means that a check is lacking.
    pub check_lacking: fn(Check) -> &'static str,
    pub key_keep: &'static str,
    pub key_keep_note: &'static str,
    /// The origin of the key that is kept.
    pub key_kept: fn(&str) -> String,
    pub passphrase: &'static str,
    pub passphrase_short: &'static str,
    pub unlock: &'static str,
    pub unlock_title: &'static str,
    pub unlocking: &'static str,
    pub unlock_wrong: &'static str,
    pub no_crypto: &'static str,
    pub no_crypto_next: &'static str,
    /// What the page may reach, and what it may not.
    pub fresh_page: fn(&str, &str) -> String,
    pub save_reload: &'static str,
    /// Whether calls travel as JSON, and the server's words, empty where a test found it out.
    pub in_words: fn(bool, &str) -> String,
    pub use_tool_calls: &'static str,
    pub inspector_tabs: &'static str,
    pub sent_tab: &'static str,
    pub sent_hint: &'static str,
    pub sent_none: &'static str,
    pub sent_body: &'static str,
    pub sent_copy: &'static str,
    pub part_instructions: &'static str,
    pub part_schema: &'static str,
    pub part_values: &'static str,
    pub part_results: &'static str,
    pub part_conversation: &'static str,
    /// In, out, estimated.
    pub tokens: fn(&str, &str, bool) -> String,
}

pub static EN: EndpointTexts = EndpointTexts {
    family: "Interface",
    family_auto: "From the address",
    budget: "Cap on tokens",
    budget_note: "Assent stops and asks when a cap is reached. 0 is no cap.",
    budget_turn: "For one question",
    budget_chat: "For one chat",
    test: "Test connection",
    test_note: "Sends a few short requests with nothing of your file.",
    testing: "Testing …",
    test_results: "Connection test",
    copy_report: "Copy report",
    check: |check| match check {
        Check::Reachable => "Reachable from this page",
        Check::Key => "Key",
        Check::Models => "List of models",
        Check::Stream => "Streaming",
        Check::Tools => "Tool calls",
        Check::Parallel => "Several calls at once",
        Check::Json => "JSON replies",
    },
    verdict: |verdict| match verdict {
        Verdict::Good => "works",
        Verdict::Lacking => "not available",
        Verdict::Bad => "fails",
        Verdict::Untried => "not tried",
    },
    check_lacking: |check| match check {
        Check::Models => "Type the model's name.",
        Check::Stream => "Answers come in one piece; nothing is lost.",
        Check::Tools => "Assent asks for calls in words instead. A larger model does better.",
        Check::Parallel => "Calls come one after another; nothing is lost.",
        Check::Json => "Assent reads tagged text where it has to.",
        Check::Reachable | Check::Key => "",
    },
    key_keep: "Keep the key on this device, under a passphrase",
    key_keep_note: "It is stored encrypted in this browser. Nobody can read it without the passphrase, and a lost passphrase cannot be recovered.",
    key_kept: |origin| format!("A key for {origin} is kept on this device, under a passphrase."),
    passphrase: "Passphrase",
    passphrase_short: "The passphrase needs at least 8 characters.",
    unlock: "Unlock",
    unlock_title: "Unlock the key",
    unlocking: "Unlocking …",
    unlock_wrong: "The key does not open with this passphrase. Try again, or forget the key and enter it anew.",
    no_crypto: "The key was not kept: the browser encrypts only on pages that come over https or from this machine.",
    no_crypto_next: "It stays in memory until this page is closed.",
    fresh_page: |old, new| {
        format!(
            "This page may reach {old} and nothing else, so that no data can go elsewhere. For {new} it has to be loaded afresh. Afterwards open the file again, and enter the key again unless it is kept."
        )
    },
    save_reload: "Save and reload",
    in_words: |json, said| {
        let how = if json { "JSON replies" } else { "tagged text" };
        if said.is_empty() {
            format!("This model is asked for {how}: the connection test found no tool calls.")
        } else {
            format!("This model is asked for {how}: tool calls were refused (“{said}”).")
        }
    },
    use_tool_calls: "Try tool calls again",
    inspector_tabs: "File and requests",
    sent_tab: "Sent",
    sent_hint: "Every request of this chat, as it left the browser. Keys travel in a header and are never kept.",
    sent_none: "Nothing was sent in this chat.",
    sent_body: "Exact body",
    sent_copy: "Copy body",
    part_instructions: "Instructions",
    part_schema: "Schema",
    part_values: "Sample values",
    part_results: "Results",
    part_conversation: "Conversation",
    tokens: |input, output, estimated| {
        let about = if estimated { "about " } else { "" };
        format!("{about}{input} tokens in, {output} out")
    },
};

pub static ZH: EndpointTexts = EndpointTexts {
    family: "接口",
    family_auto: "按地址判断",
    budget: "token 上限",
    budget_note: "达到上限时 Assent 会停下来询问。0 表示不限。",
    budget_turn: "每个问题",
    budget_chat: "每个对话",
    test: "测试连接",
    test_note: "只发送几条简短请求，不含文件中的任何内容。",
    testing: "正在测试……",
    test_results: "连接测试",
    copy_report: "复制报告",
    check: |check| match check {
        Check::Reachable => "本页可以访问",
        Check::Key => "密钥",
        Check::Models => "模型列表",
        Check::Stream => "流式输出",
        Check::Tools => "工具调用",
        Check::Parallel => "一次多个调用",
        Check::Json => "JSON 回复",
    },
    verdict: |verdict| match verdict {
        Verdict::Good => "正常",
        Verdict::Lacking => "不支持",
        Verdict::Bad => "失败",
        Verdict::Untried => "未测试",
    },
    check_lacking: |check| match check {
        Check::Models => "请手动填写模型名称。",
        Check::Stream => "回答会一次性到达，内容不受影响。",
        Check::Tools => "Assent 会改用文字方式请求调用。更大的模型效果更好。",
        Check::Parallel => "调用会逐个进行，内容不受影响。",
        Check::Json => "必要时 Assent 会读取带标签的文字。",
        Check::Reachable | Check::Key => "",
    },
    key_keep: "用口令加密后保存在此设备上",
    key_keep_note: "密钥加密保存在此浏览器中。没有口令谁也读不出来，口令丢失后无法找回。",
    key_kept: |origin| format!("{origin} 的密钥已用口令加密保存在此设备上。"),
    passphrase: "口令",
    passphrase_short: "口令至少需要 8 个字符。",
    unlock: "解锁",
    unlock_title: "解锁密钥",
    unlocking: "正在解锁……",
    unlock_wrong: "用此口令无法解开密钥。请重试，或清除密钥后重新填写。",
    no_crypto: "未能保存密钥：浏览器只在 https 或本机页面上提供加密。",
    no_crypto_next: "密钥会留在内存中，直到关闭此页面。",
    fresh_page: |old, new| {
        format!(
            "为防止数据流向别处，本页只能访问 {old}。要改用 {new}，需要重新加载页面。之后请重新打开文件；密钥若未保存，也需重新填写。"
        )
    },
    save_reload: "保存并重新加载",
    in_words: |json, said| {
        let how = if json {
            "JSON 回复"
        } else {
            "带标签的文字"
        };
        if said.is_empty() {
            format!("此模型改用{how}：连接测试发现它不支持工具调用。")
        } else {
            format!("此模型改用{how}：工具调用被拒绝（“{said}”）。")
        }
    },
    use_tool_calls: "重新尝试工具调用",
    inspector_tabs: "文件与请求",
    sent_tab: "已发送",
    sent_hint: "本对话的每一次请求，与离开浏览器时完全一致。密钥只在请求头中，从不保存。",
    sent_none: "本对话尚未发送任何内容。",
    sent_body: "完整内容",
    sent_copy: "复制内容",
    part_instructions: "说明",
    part_schema: "结构",
    part_values: "样例值",
    part_results: "查询结果",
    part_conversation: "对话",
    tokens: |input, output, estimated| {
        let about = if estimated { "约 " } else { "" };
        format!("{about}输入 {input}、输出 {output} 个 token")
    },
};
