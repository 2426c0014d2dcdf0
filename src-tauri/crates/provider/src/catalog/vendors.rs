//! The vendors. A rule is written down where somebody can look it up, with the day it was read
//! there; what was not found is unknown.

use super::{
    CacheFields::{CachedTokens, Either, HitAndMiss},
    CatalogEntry, CatalogModel, Price, Protocol,
    ReasoningEcho::{Always, IfItCame, Never},
    Source,
};

pub(super) static ENTRIES: [CatalogEntry; 14] = [
    DEEPSEEK, OPENAI, OPENROUTER, MOONSHOT, ZHIPU, QWEN, GROQ, TOGETHER, MISTRAL, GEMINI, LONGCAT,
    OLLAMA, LM_STUDIO, CUSTOM,
];

/// What holds where nothing else is known.
const CUSTOM: CatalogEntry = CatalogEntry {
    id: "custom",
    name: "Custom",
    protocol: Protocol::OpenaiChat,
    base_url: None,
    other_hosts: &[],
    key_variable: None,
    models: &[],
    cache_fields: Either,
    reasoning_echo: IfItCame,
    is_asked_for_usage: true,
    wants_signatures: false,
    source: Source {
        url: "https://platform.openai.com/docs/api-reference/chat",
        read_on: "2026-11-30",
    },
};

const DEEPSEEK: CatalogEntry = CatalogEntry {
    id: "deepseek",
    name: "DeepSeek",
    base_url: Some("https://api.deepseek.com"),
    key_variable: Some("DEEPSEEK_API_KEY"),
    models: &[
        // Served by the model behind `deepseek-flash`.
        deepseek("deepseek-v4-flash", true),
        deepseek("deepseek-v4-pro", false),
        deepseek("deepseek-flash", true),
    ],
    cache_fields: HitAndMiss,
    // Wherever a request carries tools, which ours do.
    reasoning_echo: Always,
    source: Source {
        url: "https://api-docs.deepseek.com/guides/thinking_mode",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

/// The price is twice as high in working hours.
const fn deepseek(name: &'static str, vision: bool) -> CatalogModel {
    let url = "https://api-docs.deepseek.com/quick_start/pricing";
    CatalogModel {
        context_window_tokens: Some(1_000_000),
        output_limit_tokens: Some(384_000),
        vision: Some(vision),
        ..model(name, Source { url, read_on: "2026-11-30" })
    }
}

const OPENAI: CatalogEntry = CatalogEntry {
    id: "openai",
    name: "OpenAI",
    base_url: Some("https://api.openai.com/v1"),
    key_variable: Some("OPENAI_API_KEY"),
    models: &[
        CatalogModel {
            context_window_tokens: Some(1_050_000),
            output_limit_tokens: Some(128_000),
            ..openai("gpt-5.6-sol", "https://runware.ai/docs/models/openai-gpt-5-6-sol")
        },
        CatalogModel {
            context_window_tokens: Some(1_050_000),
            output_limit_tokens: Some(128_000),
            ..openai("gpt-5.6-terra", "https://models.dev")
        },
        openai("gpt-5.6-luna", "https://models.dev"),
    ],
    cache_fields: CachedTokens,
    reasoning_echo: Never,
    source: Source { url: "https://community.openai.com/t/1386454", read_on: "2026-11-30" },
    ..CUSTOM
};

/// The price rises with the size of the request.
const fn openai(name: &'static str, url: &'static str) -> CatalogModel {
    CatalogModel {
        vision: Some(true),
        effort_with_tools: Some("none"),
        ..model(name, Source { url, read_on: "2026-11-30" })
    }
}

const OPENROUTER: CatalogEntry = CatalogEntry {
    id: "openrouter",
    name: "OpenRouter",
    base_url: Some("https://openrouter.ai/api/v1"),
    key_variable: Some("OPENROUTER_API_KEY"),
    cache_fields: CachedTokens,
    source: Source {
        url: "https://openrouter.ai/docs/use-cases/reasoning-tokens",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const MOONSHOT: CatalogEntry = CatalogEntry {
    id: "moonshot",
    name: "Moonshot Kimi",
    base_url: Some("https://api.moonshot.ai/v1"),
    other_hosts: &["api.moonshot.cn"],
    key_variable: Some("MOONSHOT_API_KEY"),
    models: &[
        CatalogModel {
            context_window_tokens: Some(1_048_576),
            output_limit_tokens: Some(1_048_576),
            price: usd(3_000_000, Some(300_000), 15_000_000),
            ..kimi("kimi-k3")
        },
        CatalogModel {
            context_window_tokens: Some(262_144),
            price: usd(950_000, Some(190_000), 4_000_000),
            ..kimi("kimi-k2.7-code")
        },
        CatalogModel {
            context_window_tokens: Some(262_144),
            price: usd(950_000, Some(160_000), 4_000_000),
            ..kimi("kimi-k2.6")
        },
    ],
    cache_fields: CachedTokens,
    // A call without it is refused, and an empty text counts as missing.
    reasoning_echo: Always,
    source: Source {
        url: "https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const fn kimi(name: &'static str) -> CatalogModel {
    let url = "https://platform.kimi.ai/docs/pricing/chat";
    CatalogModel { vision: Some(true), ..model(name, Source { url, read_on: "2026-09-29" }) }
}

const ZHIPU: CatalogEntry = CatalogEntry {
    id: "zhipu",
    name: "Zhipu GLM",
    base_url: Some("https://api.z.ai/api/paas/v4"),
    other_hosts: &["open.bigmodel.cn"],
    key_variable: Some("ZAI_API_KEY"),
    models: &[
        CatalogModel {
            vision: Some(false),
            price: usd(1_400_000, Some(260_000), 4_400_000),
            ..glm("glm-5.3", 1_000_000)
        },
        CatalogModel {
            vision: Some(true),
            price: usd(150_000, Some(30_000), 500_000),
            ..glm("glm-5.3-flash", 1_000_000)
        },
        CatalogModel {
            vision: Some(false),
            price: usd(600_000, Some(110_000), 2_200_000),
            ..glm("glm-4.7", 200_000)
        },
    ],
    cache_fields: CachedTokens,
    source: Source {
        url: "https://docs.z.ai/guides/capabilities/thinking-mode",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const fn glm(name: &'static str, context_window_tokens: u32) -> CatalogModel {
    let url = "https://docs.z.ai/guides/overview/pricing";
    CatalogModel {
        context_window_tokens: Some(context_window_tokens),
        output_limit_tokens: Some(128_000),
        ..model(name, Source { url, read_on: "2026-09-29" })
    }
}

const QWEN: CatalogEntry = CatalogEntry {
    id: "qwen",
    name: "Alibaba Qwen",
    base_url: Some("https://dashscope-intl.aliyuncs.com/compatible-mode/v1"),
    other_hosts: &[
        "dashscope.aliyuncs.com",
        "dashscope-us.aliyuncs.com",
        "cn-hongkong.dashscope.aliyuncs.com",
        ".maas.aliyuncs.com",
    ],
    key_variable: Some("DASHSCOPE_API_KEY"),
    models: &[CatalogModel {
        context_window_tokens: Some(1_000_000),
        output_limit_tokens: Some(131_072),
        vision: Some(true),
        price: usd(2_000_000, None, 6_000_000),
        ..model(
            "qwen3.8-max",
            Source {
                url: "https://docs.apiyi.com/en/news/qwen-3-8-max-launch",
                read_on: "2026-11-30",
            },
        )
    }],
    cache_fields: CachedTokens,
    source: Source {
        url: "https://www.alibabacloud.com/help/en/model-studio/context-cache",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const GROQ: CatalogEntry = CatalogEntry {
    id: "groq",
    name: "Groq",
    base_url: Some("https://api.groq.com/openai/v1"),
    key_variable: Some("GROQ_API_KEY"),
    models: &[
        CatalogModel {
            context_window_tokens: Some(131_072),
            output_limit_tokens: Some(65_536),
            vision: Some(false),
            price: usd(150_000, Some(75_000), 600_000),
            ..groq("openai/gpt-oss-120b")
        },
        CatalogModel {
            output_limit_tokens: Some(16_384),
            vision: Some(true),
            price: usd(800_000, Some(400_000), 4_000_000),
            ..groq("qwen/qwen3.8-27b")
        },
    ],
    cache_fields: CachedTokens,
    // It refuses the field.
    reasoning_echo: Never,
    source: Source {
        url: "https://github.com/tashfeenahmed/freellmapi/issues/1070",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const fn groq(name: &'static str) -> CatalogModel {
    model(name, Source { url: "https://console.groq.com/docs/models", read_on: "2026-08-29" })
}

const TOGETHER: CatalogEntry = CatalogEntry {
    id: "together",
    name: "Together",
    base_url: Some("https://api.together.xyz/v1"),
    other_hosts: &["api.together.ai"],
    key_variable: Some("TOGETHER_API_KEY"),
    models: &[
        CatalogModel {
            context_window_tokens: Some(1_048_575),
            output_limit_tokens: Some(262_144),
            vision: Some(false),
            price: usd(1_400_000, Some(260_000), 4_400_000),
            ..together("zai-org/GLM-5.3")
        },
        CatalogModel {
            price: usd(300_000, Some(6_000), 1_200_000),
            ..together("deepseek-ai/DeepSeek-V4.1-Flash")
        },
        CatalogModel {
            vision: Some(true),
            price: usd(3_000_000, Some(300_000), 15_000_000),
            ..together("moonshotai/Kimi-K3")
        },
    ],
    source: Source {
        url: "https://docs.together.ai/docs/inference/chat/reasoning",
        read_on: "2026-06-25",
    },
    ..CUSTOM
};

const fn together(name: &'static str) -> CatalogModel {
    model(name, Source { url: "https://models.dev", read_on: "2026-11-30" })
}

const MISTRAL: CatalogEntry = CatalogEntry {
    id: "mistral",
    name: "Mistral",
    base_url: Some("https://api.mistral.ai/v1"),
    key_variable: Some("MISTRAL_API_KEY"),
    models: &[CatalogModel {
        context_window_tokens: Some(262_144),
        output_limit_tokens: Some(262_144),
        vision: Some(true),
        price: usd(1_500_000, None, 7_500_000),
        ..model(
            "mistral-medium-3-5",
            Source {
                url: "https://docs.mistral.ai/models/mistral-medium-3-5-26-04",
                read_on: "2026-08-27",
            },
        )
    }],
    // It refuses every field that it does not know, these two among them.
    reasoning_echo: Never,
    is_asked_for_usage: false,
    source: Source {
        url: "https://github.com/avante-corp/avante.nvim/issues/2347",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const GEMINI: CatalogEntry = CatalogEntry {
    id: "gemini",
    name: "Gemini",
    base_url: Some("https://generativelanguage.googleapis.com/v1beta/openai"),
    key_variable: Some("GEMINI_API_KEY"),
    models: &[
        // An offer until the end of 2026.
        gemini("gemini-3.8-flash", "https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash"),
        // The price rises with the size of the request.
        gemini("gemini-3.1-pro-preview", "https://ai.google.dev/gemini-api/docs/pricing"),
    ],
    reasoning_echo: Never,
    wants_signatures: true,
    source: Source {
        url: "https://ai.google.dev/gemini-api/docs/thought-signatures",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const fn gemini(name: &'static str, url: &'static str) -> CatalogModel {
    CatalogModel {
        context_window_tokens: Some(1_048_576),
        output_limit_tokens: Some(65_536),
        vision: Some(true),
        ..model(name, Source { url, read_on: "2026-11-30" })
    }
}

const LONGCAT: CatalogEntry = CatalogEntry {
    id: "longcat",
    name: "LongCat",
    base_url: Some("https://api.longcat.chat/openai/v1"),
    key_variable: Some("LONGCAT_API_KEY"),
    models: &[CatalogModel {
        context_window_tokens: Some(1_000_000),
        vision: Some(false),
        price: usd(750_000, Some(15_000), 2_950_000),
        ..model("LongCat-2.0", Source { url: "https://models.dev", read_on: "2026-11-30" })
    }],
    source: Source { url: "https://longcat.chat/platform/docs/api-docs", read_on: "2026-11-30" },
    ..CUSTOM
};

const OLLAMA: CatalogEntry = CatalogEntry {
    id: "ollama",
    name: "Ollama",
    base_url: Some("http://localhost:11434/v1"),
    source: Source {
        url: "https://docs.ollama.com/api/openai-compatibility",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

const LM_STUDIO: CatalogEntry = CatalogEntry {
    id: "lmstudio",
    name: "LM Studio",
    base_url: Some("http://localhost:1234/v1"),
    source: Source {
        url: "https://lmstudio.ai/docs/developer/openai-compat",
        read_on: "2026-11-30",
    },
    ..CUSTOM
};

/// A model of which only the name is known.
const fn model(name: &'static str, source: Source) -> CatalogModel {
    CatalogModel {
        name,
        context_window_tokens: None,
        output_limit_tokens: None,
        vision: None,
        price: None,
        effort_with_tools: None,
        source,
    }
}

/// A price in millionths of a US dollar for a million tokens: input, cached input, output.
const fn usd(input: u32, cached_input: Option<u32>, output: u32) -> Option<Price> {
    Some(Price {
        input_usd_micros: input,
        cached_input_usd_micros: cached_input,
        output_usd_micros: output,
    })
}
