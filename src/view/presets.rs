//! Addresses of usual vendors and local servers. They only fill the form.

pub struct Preset {
    pub name: &'static str,
    pub address: &'static str,
}

pub const PRESETS: &[Preset] = &[
    Preset {
        name: "OpenAI",
        address: "https://api.openai.com/v1",
    },
    Preset {
        name: "OpenRouter",
        address: "https://openrouter.ai/api/v1",
    },
    Preset {
        name: "DeepSeek",
        address: "https://api.deepseek.com/v1",
    },
    Preset {
        name: "Mistral",
        address: "https://api.mistral.ai/v1",
    },
    Preset {
        name: "Groq",
        address: "https://api.groq.com/openai/v1",
    },
    Preset {
        name: "Qwen (DashScope)",
        address: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    },
    Preset {
        name: "Ollama",
        address: "http://localhost:11434/v1",
    },
    Preset {
        name: "LM Studio",
        address: "http://localhost:1234/v1",
    },
    Preset {
        name: "llama.cpp",
        address: "http://localhost:8080/v1",
    },
    Preset {
        name: "vLLM",
        address: "http://localhost:8000/v1",
    },
];
