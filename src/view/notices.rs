//! What the loop and the endpoint say to the person: cause and next step, in two languages.

use super::model::{Notice, NoticeAction, Tone};
use crate::agent::record::NoticeRecord;
use crate::llm::{ModelError, ModelErrorKind};
use crate::settings::Language;
use crate::tools::shorten;

/// What happened, and what to do next. `{}` stands for a detail.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    pub text: &'static str,
    pub next: &'static str,
}

/// One field for everything that can be said.
pub struct NoticeTexts {
    unreachable: Said,
    mixed_content: Said,
    unauthorised: Said,
    forbidden: Said,
    model_not_found: Said,
    wrong_address: Said,
    rate_limited: Said,
    quota_exceeded: Said,
    context_too_long: Said,
    filtered: Said,
    loading: Said,
    overloaded: Said,
    server: Said,
    not_json: Said,
    cut: Said,
    malformed: Said,
    bad_parameter: Said,
    no_tools: Said,
    redirected: Said,
    bad_request: Said,
    not_configured: Said,
    budget_spent: Said,
    key_locked: Said,
    tries_exhausted: Said,
    model_calls_exhausted: Said,
    tool_calls_exhausted: Said,
    shape_exhausted: Said,
    length_limit: Said,
    stopped: Said,
    question_too_long: Said,
    no_file: Said,
    models: &'static str,
}

const EN: NoticeTexts = NoticeTexts {
    unreachable: Said {
        text: "The endpoint could not be reached.",
        next: "Check that the server runs and the address in Settings is right. A server must also allow this page (CORS): for Ollama set OLLAMA_ORIGINS, in LM Studio switch CORS on. Then try again.",
    },
    mixed_content: Said {
        text: "The browser does not let an https page call an http address.",
        next: "Use an https endpoint, or open Assent from http://localhost.",
    },
    unauthorised: Said {
        text: "The endpoint refused the API key (401). {}",
        next: "Enter a valid key in Settings, then try again.",
    },
    forbidden: Said {
        text: "The endpoint does not allow this request (403). {}",
        next: "Check that the key may use this model, or choose another in Settings, then try again.",
    },
    model_not_found: Said {
        text: "The endpoint does not know this model. {}",
        next: "Choose another model in Settings, then try again.",
    },
    wrong_address: Said {
        text: "The address answers, but not as a chat endpoint. {}",
        next: "Check the endpoint in Settings; it usually ends in /v1.",
    },
    rate_limited: Said {
        text: "The endpoint is receiving too many requests (429). {}",
        next: "Wait a little, then try again.",
    },
    quota_exceeded: Said {
        text: "The account has no quota left. {}",
        next: "Top up the account or use another key or endpoint in Settings.",
    },
    context_too_long: Said {
        text: "The chat is too long for this model. {}",
        next: "Start a new chat, or choose a model with a larger context.",
    },
    filtered: Said {
        text: "The endpoint's content filter ended the answer. {}",
        next: "Rephrase the question, or choose another model.",
    },
    loading: Said {
        text: "The server is still loading the model. {}",
        next: "Wait until it is loaded, then try again.",
    },
    overloaded: Said {
        text: "The endpoint is overloaded. {}",
        next: "Wait a little, then try again.",
    },
    server: Said {
        text: "The endpoint reported an error of its own. {}",
        next: "Try again; if it stays, look at the server's log.",
    },
    not_json: Said {
        text: "The address answered with a web page instead of a model's reply: {}",
        next: "Check the endpoint in Settings; a proxy or a wrong path answers here.",
    },
    cut: Said {
        text: "The answer was cut off in the middle. What had arrived is kept above. {}",
        next: "Try again to ask the model again.",
    },
    malformed: Said {
        text: "The endpoint's answer could not be understood. {}",
        next: "Try again; if it stays, the server may not be OpenAI-compatible.",
    },
    bad_parameter: Said {
        text: "The endpoint does not accept the request. {}",
        next: "Try again; the parameter it named is left out from now on.",
    },
    no_tools: Said {
        text: "This model cannot call tools. {}",
        next: "Choose a model with tool calling in Settings.",
    },
    redirected: Said {
        text: "The endpoint redirects to another address. Assent does not follow, so that your key goes nowhere else.",
        next: "Enter the final address in Settings.",
    },
    bad_request: Said {
        text: "The endpoint refused the request. {}",
        next: "Check endpoint and model in Settings, then try again.",
    },
    budget_spent: Said {
        text: "Your cap on tokens is reached: {}",
        next: "Try again to go on for as much again, or change the cap in Settings.",
    },
    key_locked: Said {
        text: "The key for this endpoint is locked.",
        next: "Try again to enter its passphrase, or enter the key in Settings.",
    },
    not_configured: Said {
        text: "No model endpoint is set yet.",
        next: "Open Settings and enter an endpoint and a model; then try again.",
    },
    tries_exhausted: Said {
        text: "No working query was found in three tries. The last problem was: {}",
        next: "Ask in other words, name the tables you mean, or edit the SQL of an earlier try.",
    },
    model_calls_exhausted: Said {
        text: "The model was asked {} times without reaching an answer, so it was stopped.",
        next: "Ask a narrower question, or use a stronger model.",
    },
    tool_calls_exhausted: Said {
        text: "The model used tools {} times without reaching an answer, so it was stopped.",
        next: "Ask a narrower question, or use a stronger model.",
    },
    shape_exhausted: Said {
        text: "The model kept sending replies that cannot be used: {}",
        next: "Ask again, or choose another model in Settings.",
    },
    length_limit: Said {
        text: "The answer ends early: the model reached its length limit.",
        next: "Ask it to go on, or ask for less.",
    },
    stopped: Said {
        text: "Stopped.",
        next: "Ask again whenever you like.",
    },
    question_too_long: Said {
        text: "The question has {} characters, which is too long.",
        next: "Shorten it and ask again.",
    },
    no_file: Said {
        text: "No file is open.",
        next: "Open the SQLite file that you want to ask about.",
    },
    models: "Models there: {}.",
};

const ZH: NoticeTexts = NoticeTexts {
    unreachable: Said {
        text: "无法连接到模型服务。",
        next: "请确认服务正在运行、设置中的地址正确，并且服务允许本页面访问（CORS）：Ollama 需设置 OLLAMA_ORIGINS，LM Studio 需打开 CORS。然后重试。",
    },
    mixed_content: Said {
        text: "浏览器不允许 https 页面访问 http 地址。",
        next: "请使用 https 地址，或从 http://localhost 打开 Assent。",
    },
    unauthorised: Said {
        text: "模型服务拒绝了 API 密钥（401）。{}",
        next: "请在设置中填写有效的密钥，然后重试。",
    },
    forbidden: Said {
        text: "模型服务不允许此请求（403）。{}",
        next: "请确认密钥可以使用该模型，或在设置中换一个，然后重试。",
    },
    model_not_found: Said {
        text: "模型服务没有这个模型。{}",
        next: "请在设置中选择其他模型，然后重试。",
    },
    wrong_address: Said {
        text: "该地址有响应，但不是对话接口。{}",
        next: "请检查设置中的地址，通常以 /v1 结尾。",
    },
    rate_limited: Said {
        text: "请求过于频繁（429）。{}",
        next: "请稍等片刻再重试。",
    },
    quota_exceeded: Said {
        text: "账户额度已用完。{}",
        next: "请充值，或在设置中换用其他密钥或服务。",
    },
    context_too_long: Said {
        text: "对话超出了模型的上下文长度。{}",
        next: "请新建对话，或换用上下文更长的模型。",
    },
    filtered: Said {
        text: "回答被模型服务的内容过滤中止。{}",
        next: "请换一种问法，或换用其他模型。",
    },
    loading: Said {
        text: "服务正在加载模型。{}",
        next: "请等加载完成后重试。",
    },
    overloaded: Said {
        text: "模型服务繁忙。{}",
        next: "请稍等片刻再重试。",
    },
    server: Said {
        text: "模型服务自身出错。{}",
        next: "请重试；如果仍然出错，请查看服务日志。",
    },
    not_json: Said {
        text: "该地址返回的是网页，而不是模型的回复：{}",
        next: "请检查设置中的地址，可能是代理或路径有误。",
    },
    cut: Said {
        text: "回答中途断开，已收到的内容保留在上方。{}",
        next: "点击重试，再次询问模型。",
    },
    malformed: Said {
        text: "无法理解模型服务的回复。{}",
        next: "请重试；如果仍然出错，该服务可能不兼容 OpenAI 接口。",
    },
    bad_parameter: Said {
        text: "模型服务不接受该请求。{}",
        next: "请重试；以后将不再发送它指出的参数。",
    },
    no_tools: Said {
        text: "该模型不支持工具调用。{}",
        next: "请在设置中选择支持工具调用的模型。",
    },
    redirected: Said {
        text: "模型服务要求跳转到其他地址。为避免密钥外泄，Assent 不会跟随跳转。",
        next: "请在设置中填写最终地址。",
    },
    bad_request: Said {
        text: "模型服务拒绝了请求。{}",
        next: "请检查设置中的地址和模型，然后重试。",
    },
    budget_spent: Said {
        text: "已达到您设置的 token 上限：{}",
        next: "点击“重试”可再用同样多的 token，也可在“设置”中修改上限。",
    },
    key_locked: Said {
        text: "此接口的密钥已锁定。",
        next: "点击“重试”输入口令，或在“设置”中重新填写密钥。",
    },
    not_configured: Said {
        text: "尚未设置模型服务。",
        next: "请打开设置，填写地址和模型，然后重试。",
    },
    tries_exhausted: Said {
        text: "尝试三次仍未得到可用的查询。最后的问题是：{}",
        next: "请换一种说法、指明要查的表，或编辑之前的 SQL。",
    },
    model_calls_exhausted: Said {
        text: "已询问模型 {} 次仍未得到回答，因此停止。",
        next: "请缩小问题范围，或换用更强的模型。",
    },
    tool_calls_exhausted: Said {
        text: "模型已使用工具 {} 次仍未得到回答，因此停止。",
        next: "请缩小问题范围，或换用更强的模型。",
    },
    shape_exhausted: Said {
        text: "模型一再发送无法使用的回复：{}",
        next: "请重新提问，或在设置中换用其他模型。",
    },
    length_limit: Said {
        text: "回答未完：模型达到了长度上限。",
        next: "可以让它继续，或减少要求的内容。",
    },
    stopped: Said {
        text: "已停止。",
        next: "随时可以再次提问。",
    },
    question_too_long: Said {
        text: "问题有 {} 个字符，过长。",
        next: "请缩短后再提问。",
    },
    no_file: Said {
        text: "没有打开的文件。",
        next: "请打开要查询的 SQLite 文件。",
    },
    models: "可用模型：{}。",
};

const DETAIL_CHARS_MAX: usize = 240;

/// The words for one notice.
#[must_use]
pub fn notice(record: &NoticeRecord, language: Language) -> Notice {
    let texts = match language {
        Language::English => &EN,
        Language::Chinese => &ZH,
    };
    let (said, detail, tone, action) = match record {
        NoticeRecord::ModelError(error) => return model_error(error, texts),
        NoticeRecord::TriesExhausted { last_error } => {
            (texts.tries_exhausted, last_error.clone(), Tone::Error, None)
        }
        NoticeRecord::ModelCallsExhausted { calls } => (
            texts.model_calls_exhausted,
            calls.to_string(),
            Tone::Error,
            None,
        ),
        NoticeRecord::ToolCallsExhausted { calls } => (
            texts.tool_calls_exhausted,
            calls.to_string(),
            Tone::Error,
            None,
        ),
        NoticeRecord::ShapeExhausted { problem } => {
            (texts.shape_exhausted, problem.clone(), Tone::Error, None)
        }
        NoticeRecord::LengthLimit => (texts.length_limit, String::new(), Tone::Warning, None),
        NoticeRecord::Filtered => (texts.filtered, String::new(), Tone::Error, None),
        NoticeRecord::Stopped => (texts.stopped, String::new(), Tone::Info, None),
        NoticeRecord::QuestionTooLong { chars } => (
            texts.question_too_long,
            chars.to_string(),
            Tone::Error,
            None,
        ),
        NoticeRecord::NoFile => (
            texts.no_file,
            String::new(),
            Tone::Warning,
            Some(NoticeAction::OpenFile),
        ),
    };
    filled(said, &detail, tone, action)
}

fn model_error(error: &ModelError, texts: &NoticeTexts) -> Notice {
    use ModelErrorKind as K;
    let said = match error.kind {
        K::Unreachable => texts.unreachable,
        K::MixedContent => texts.mixed_content,
        K::Unauthorised => texts.unauthorised,
        K::Forbidden => texts.forbidden,
        K::ModelNotFound => texts.model_not_found,
        K::WrongAddress => texts.wrong_address,
        K::RateLimited => texts.rate_limited,
        K::QuotaExceeded => texts.quota_exceeded,
        K::ContextTooLong => texts.context_too_long,
        K::ContentFiltered => texts.filtered,
        K::Loading => texts.loading,
        K::Overloaded => texts.overloaded,
        K::Server => texts.server,
        K::NotJson => texts.not_json,
        K::Cut => texts.cut,
        K::Malformed => texts.malformed,
        K::BadParameter => texts.bad_parameter,
        K::NoTools => texts.no_tools,
        K::Redirected => texts.redirected,
        K::BadRequest => texts.bad_request,
        K::NotConfigured => texts.not_configured,
        K::BudgetSpent => texts.budget_spent,
        K::KeyLocked => texts.key_locked,
    };
    let action = match error.kind {
        K::NotConfigured
        | K::Unauthorised
        | K::Forbidden
        | K::ModelNotFound
        | K::WrongAddress
        | K::NotJson
        | K::MixedContent
        | K::NoTools
        | K::Redirected
        | K::QuotaExceeded => NoticeAction::OpenSettings,
        _ => NoticeAction::Retry,
    };
    let mut detail = error.message.clone();
    if !error.models.is_empty() {
        let models = shorten(&error.models.join(", "), DETAIL_CHARS_MAX);
        detail = format!("{detail} {}", texts.models.replace("{}", &models));
    }
    let tone = match error.kind {
        K::BudgetSpent | K::KeyLocked => Tone::Warning,
        _ => Tone::Error,
    };
    filled(said, &detail, tone, Some(action))
}

fn filled(said: Said, detail: &str, tone: Tone, action: Option<NoticeAction>) -> Notice {
    let detail = shorten(detail.trim(), DETAIL_CHARS_MAX * 2);
    Notice {
        tone,
        text: said.text.replace("{}", &detail).trim().to_owned(),
        next: said.next.to_owned(),
        action,
        or_translate: false,
    }
}
