//! Words of what loads on demand, in both languages: the editor of the approval card.

pub struct PartTexts {
    /// What the keys of the editor do, for the eye and for a screen reader.
    pub editor_keys: &'static str,
    pub editor_missing: &'static str,
    /// How the two texts are told apart.
    pub compared: &'static str,
    pub not_changed: &'static str,
}

pub const EN: PartTexts = PartTexts {
    editor_keys: "Ctrl+Space completes names, Ctrl+Enter runs your SQL, Escape leaves the editor.",
    editor_missing: "The editor did not load, so this is a plain field: without colours, completion and comparison. \
        What you write runs all the same. To try again, cancel and choose Edit once more.",
    compared: "− is the model’s text, + is yours.",
    not_changed: "Still the model’s text.",
};

pub const ZH: PartTexts = PartTexts {
    editor_keys: "Ctrl+空格 补全名称，Ctrl+Enter 运行你的 SQL，Esc 离开编辑器。",
    editor_missing: "编辑器未能加载，因此这里是普通文本框：没有高亮、补全和对比，但你写的内容照样可以运行。\
        要重试，请取消后再次选择“编辑”。",
    compared: "− 为模型的文本，+ 为你的文本。",
    not_changed: "仍与模型的文本相同。",
};
