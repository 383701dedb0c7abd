//! Addresses of usual vendors and local servers. They only fill the form; any other address works too.

use crate::settings::{Family, Language};

pub struct Preset {
    pub name: &'static str,
    pub address: &'static str,
    pub family: Family,
    pub needs_key: bool,
    /// Examples to begin with; the endpoint's own list counts.
    pub models: &'static [&'static str],
    remedy: Remedy,
}

/// What lets a page in, or a model call tools, where that has to be switched on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remedy {
    None,
    Ollama,
    LmStudio,
    LlamaCpp,
    Vllm,
    LiteLlm,
    Azure,
    /// A vendor whose servers may not answer to pages.
    Vendor,
}

impl Preset {
    /// One sentence, in which `{page}` stands for the page's own origin.
    #[must_use]
    pub fn remedy(&self, language: Language) -> Option<&'static str> {
        let (en, zh) = match self.remedy {
            Remedy::None => return None,
            Remedy::Ollama => (
                "Start Ollama with OLLAMA_ORIGINS={page} and choose a model that takes tools.",
                "用 OLLAMA_ORIGINS={page} 启动 Ollama，并选择支持工具的模型。",
            ),
            Remedy::LmStudio => (
                "In LM Studio switch on Developer > Settings > Enable CORS, or run: lms server start --cors.",
                "在 LM Studio 打开 Developer > Settings > Enable CORS，或运行：lms server start --cors。",
            ),
            Remedy::LlamaCpp => (
                "Start llama-server with --jinja, so that tools work; it lets pages in by itself.",
                "用 --jinja 启动 llama-server 才能使用工具；它默认允许网页访问。",
            ),
            Remedy::Vllm => (
                "Start vLLM with --enable-auto-tool-choice --tool-call-parser <name> and --allowed-origins '[\"{page}\"]'.",
                "启动 vLLM 时加上 --enable-auto-tool-choice --tool-call-parser <名称> 和 --allowed-origins '[\"{page}\"]'。",
            ),
            Remedy::LiteLlm => (
                "Let the LiteLLM proxy answer to {page}; it does so by default.",
                "让 LiteLLM 代理允许 {page} 访问；默认即允许。",
            ),
            Remedy::Azure => (
                "Put your resource's name into the address, and allow {page} in API Management or through a LiteLLM proxy.",
                "在地址中填入资源名称，并通过 API Management 或 LiteLLM 代理允许 {page} 访问。",
            ),
            Remedy::Vendor => (
                "If this vendor does not answer to web pages, put a LiteLLM proxy of your own in between.",
                "如果该服务商不允许网页访问，请在中间使用自己的 LiteLLM 代理。",
            ),
        };
        Some(match language {
            Language::English => en,
            Language::Chinese => zh,
        })
    }
}

/// Whether two addresses have the same host and port.
#[must_use]
pub fn same_server(a: &str, b: &str) -> bool {
    let server = |address: &str| {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let server = rest.split(['/', '?', '#']).next().unwrap_or_default();
        server
            .trim()
            .replace("127.0.0.1", "localhost")
            .to_ascii_lowercase()
    };
    server(a) == server(b)
}

const fn vendor(
    name: &'static str,
    address: &'static str,
    models: &'static [&'static str],
    remedy: Remedy,
) -> Preset {
    Preset {
        name,
        address,
        family: Family::OpenAi,
        needs_key: true,
        models,
        remedy,
    }
}

const fn local(name: &'static str, address: &'static str, remedy: Remedy) -> Preset {
    Preset {
        name,
        address,
        family: Family::OpenAi,
        needs_key: false,
        models: &[],
        remedy,
    }
}

pub const PRESETS: &[Preset] = &[
    vendor(
        "OpenAI",
        "https://api.openai.com/v1",
        &["gpt-5-mini", "gpt-4.1-mini"],
        Remedy::None,
    ),
    Preset {
        name: "Anthropic",
        address: "https://api.anthropic.com",
        family: Family::Anthropic,
        needs_key: true,
        models: &["claude-sonnet-4-5", "claude-haiku-4-5"],
        remedy: Remedy::None,
    },
    vendor(
        "Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        &["gemini-2.5-flash", "gemini-2.5-pro"],
        Remedy::None,
    ),
    vendor(
        "DeepSeek",
        "https://api.deepseek.com/v1",
        &["deepseek-chat", "deepseek-reasoner"],
        Remedy::Vendor,
    ),
    vendor(
        "Qwen (DashScope)",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        &["qwen-plus", "qwen3-coder-plus"],
        Remedy::Vendor,
    ),
    vendor(
        "Kimi (Moonshot)",
        "https://api.moonshot.cn/v1",
        &["kimi-k2-0905-preview"],
        Remedy::Vendor,
    ),
    vendor(
        "GLM (Zhipu)",
        "https://open.bigmodel.cn/api/paas/v4",
        &["glm-4.6", "glm-4.5-air"],
        Remedy::Vendor,
    ),
    vendor(
        "Mistral",
        "https://api.mistral.ai/v1",
        &["mistral-medium-latest", "devstral-medium-latest"],
        Remedy::Vendor,
    ),
    vendor(
        "Groq",
        "https://api.groq.com/openai/v1",
        &["openai/gpt-oss-120b", "llama-3.3-70b-versatile"],
        Remedy::Vendor,
    ),
    vendor(
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        &["openai/gpt-5-mini", "qwen/qwen3-coder"],
        Remedy::None,
    ),
    vendor(
        "Together",
        "https://api.together.xyz/v1",
        &["meta-llama/Llama-3.3-70B-Instruct-Turbo"],
        Remedy::Vendor,
    ),
    vendor(
        "Azure OpenAI",
        "https://YOUR-RESOURCE.openai.azure.com/openai/v1",
        &[],
        Remedy::Azure,
    ),
    Preset {
        name: "Ollama",
        address: "http://localhost:11434/api",
        family: Family::Ollama,
        needs_key: false,
        models: &["qwen3:8b", "gpt-oss:20b"],
        remedy: Remedy::Ollama,
    },
    local("LM Studio", "http://localhost:1234/v1", Remedy::LmStudio),
    local("llama.cpp", "http://localhost:8080/v1", Remedy::LlamaCpp),
    local("vLLM", "http://localhost:8000/v1", Remedy::Vllm),
    local("LiteLLM", "http://localhost:4000/v1", Remedy::LiteLlm),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_whole() {
        assert_eq!(PRESETS.len(), 17);
        for preset in PRESETS {
            let local = preset.address.starts_with("http://localhost");
            assert_eq!(preset.needs_key, !local, "{}", preset.name);
            assert!(same_server(preset.address, preset.address));
            for language in [Language::English, Language::Chinese] {
                let remedy = preset.remedy(language);
                assert!(remedy.is_some() || !local, "{}", preset.name);
            }
            let others = PRESETS
                .iter()
                .filter(|p| same_server(p.address, preset.address));
            assert_eq!(others.count(), 1, "{}", preset.name);
            assert_eq!(Family::for_address(preset.address), preset.family);
        }
        assert!(same_server("127.0.0.1:11434", "http://localhost:11434/v1"));
    }
}
