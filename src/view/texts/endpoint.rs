//! Words of the endpoint's settings, its test, and the list of what was sent, in both languages.

use crate::llm::probe::{Check, Verdict};

pub struct EndpointTexts {
    pub family: &'static str,
    pub family_auto: &'static str,
    pub test: &'static str,
    pub test_note: &'static str,
    pub testing: &'static str,
    pub test_results: &'static str,
    pub copy_report: &'static str,
    pub check: fn(Check) -> &'static str,
    pub verdict: fn(Verdict) -> &'static str,
    /// What it means that a check is lacking.
    pub check_lacking: fn(Check) -> &'static str,
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
        format!("{about}输入 {input}、输出 {output} 个词元")
    },
};
