//! Words of what loads on demand, in both languages: the editor of the approval card, and the charts.

use crate::view::chart::ChartKind;

pub struct PartTexts {
    /// What the keys of the editor do, for the eye and for a screen reader.
    pub editor_keys: &'static str,
    pub editor_missing: &'static str,
    /// How the two texts are told apart.
    pub compared: &'static str,
    pub not_changed: &'static str,
    pub chart_missing: &'static str,
    pub chart_kinds: &'static str,
    pub chart_kind: fn(ChartKind) -> &'static str,
    /// Drawn, in all.
    pub first_points: fn(&str, &str) -> String,
    pub save_png: &'static str,
    pub save_svg: &'static str,
    pub as_table: &'static str,
    /// The name of a saved picture, without its ending.
    pub chart_file: &'static str,
}

pub const EN: PartTexts = PartTexts {
    editor_keys: "Ctrl+Space completes names, Ctrl+Enter runs your SQL, Escape leaves the editor.",
    editor_missing: "The editor did not load, so this is a plain field: without colours, completion and comparison. \
        What you write runs all the same. To try again, cancel and choose Edit once more.",
    compared: "− is the model’s text, + is yours.",
    not_changed: "Still the model’s text.",
    chart_missing: "The part that draws charts did not load, so this is a plain drawing: it cannot be switched or saved. \
        To try again, check the connection and open this tab once more.",
    chart_kinds: "Kind of chart",
    chart_kind: |kind| match kind {
        ChartKind::Number => "Number",
        ChartKind::Bar => "Bars",
        ChartKind::Line => "Line",
        ChartKind::Pie => "Pie",
        ChartKind::Scatter => "Points",
    },
    first_points: |drawn, all| format!("Drawn from the first {drawn} of {all} rows."),
    save_png: "Save as PNG",
    save_svg: "Save as SVG",
    as_table: "Show as table",
    chart_file: "chart",
};

pub const ZH: PartTexts = PartTexts {
    editor_keys: "Ctrl+空格 补全名称，Ctrl+Enter 运行你的 SQL，Esc 离开编辑器。",
    editor_missing: "编辑器未能加载，因此这里是普通文本框：没有高亮、补全和对比，但你写的内容照样可以运行。\
        要重试，请取消后再次选择“编辑”。",
    compared: "− 为模型的文本，+ 为你的文本。",
    not_changed: "仍与模型的文本相同。",
    chart_missing: "绘图部分未能加载，因此这里是简单图形：不能切换类型，也不能保存。要重试，请检查网络后重新打开此标签页。",
    chart_kinds: "图表类型",
    chart_kind: |kind| match kind {
        ChartKind::Number => "数值",
        ChartKind::Bar => "柱形",
        ChartKind::Line => "折线",
        ChartKind::Pie => "饼图",
        ChartKind::Scatter => "散点",
    },
    first_points: |drawn, all| format!("仅根据前 {drawn} 行（共 {all} 行）绘制。"),
    save_png: "保存为 PNG",
    save_svg: "保存为 SVG",
    as_table: "以表格显示",
    chart_file: "图表",
};
