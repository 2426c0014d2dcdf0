// Sessions to look at: recorded in shape, written for the eye. They play the mock's own turn and
// the states around it.

import type { Backend, SettingsView } from "../../backend/backend.ts";
import { type Recorded, replay } from "../../backend/replay.ts";
import type { SessionEvent, SessionId } from "../../bindings.ts";
import { begun, capped, ended, file, log, receipt, said, started, used } from "./events.ts";

const answer = `Renamed \`validate_token\` to \`verify_token\`. The old name stays as a deprecated alias, and the auth tests pass.

\`\`\`rust
#[deprecated(note = "use verify_token")]
pub fn validate_token(&self, t: &str) -> Result<Claims> {
    self.verify_token(t)
}
\`\`\`

- [x] callers in \`src/verify.rs\`
- [ ] the changelog, which you did not ask for

| file | why |
| --- | --- |
| src/auth.rs | the name |
| src/verify.rs | its tests |
`;

export const patch = `--- a/src/auth.rs
+++ b/src/auth.rs
@@ -118,5 +118,9 @@ impl Session
     /// Checks the bearer token.
-    pub fn validate_token(&self, t: &str) -> Result<Claims> {
+    pub fn verify_token(&self, t: &str) -> Result<Claims> {
         let claims = decode(t, &self.key)?;
         Ok(claims)
     }
+    #[deprecated(note = "use verify_token")]
+    pub fn validate_token(&self, t: &str) -> Result<Claims> {
+        self.verify_token(t)
+    }
`;

/** The turn of the mock: a read, an edit, a check; and before it a turn that was refused. */
export function renamed(session: SessionId, at: number): SessionEvent[] {
  const { events, add } = log(session, at);
  add(
    0,
    started(0, "Where is the token checked?"),
    begun("c0", "grep", "validate_token"),
    ended("c0", "grep", "validate_token", "src/auth.rs:119: pub fn validate_token"),
    said("m0-0", "In `src/auth.rs`, line 119. Two callers use it."),
    used("m0-0", 9_800, 8_704, 210),
    {
      type: "turn_done",
      outcome: { is: "completed" },
      receipt: receipt(0, [], {
        notes: [{ note: "no_recorded_check" }, { note: "no_net_changes" }],
      }),
    },
  );
  add(
    1,
    started(
      1,
      "Rename validate_token to verify_token in auth, keep the old name working, and make sure the tests pass.",
    ),
    said("m1-0", "", "The function is public, so a deprecated alias must stay."),
    begun("c1", "read_file", "src/auth.rs"),
    ended("c1", "read_file", "src/auth.rs", "118\t/// Checks the bearer token."),
    begun("c2", "edit_file", "src/auth.rs"),
    ended("c2", "edit_file", "src/auth.rs", "edited src/auth.rs: 1 replacement"),
    begun("c3", "write_file", "packages/core/src/very/deep/folder/of/modules/auth/verify.rs"),
    ended("c3", "write_file", "packages/core/src/very/deep/folder/of/modules/auth/verify.rs", "", {
      status: "rejected",
      refusal: {
        code: "FS_STALE_VERSION",
        path: "src/verify.rs",
        recovery: "read_file src/verify.rs first",
        allowedRecovery: ["reread_target", "abandon_edit"],
        retryable: true,
      },
    }),
    begun("c4", "bash", "cargo test --lib auth"),
    ended("c4", "bash", "cargo test --lib auth", "running 14 tests\ntest result: ok.", {
      exitCode: 0,
      durationMs: 4200,
    }),
    said("m1-1", answer),
    used("m1-1", 186_000, 183_900, 1_400),
    {
      type: "turn_done",
      outcome: { is: "completed" },
      receipt: receipt(
        1,
        [file("src/auth.rs", "modify", 30, 12), file("src/verify.rs", "create", 12, 0)],
        {
          verifications: [
            {
              command: capped("cargo test --lib auth"),
              kind: "declared",
              passed: true,
              exitCode: 0,
              toolCallId: "c4",
              level: "observed",
            },
          ],
        },
      ),
    },
  );
  return events;
}

/** Turns that did not go well: one failed at the provider, one was cut off. */
export function troubled(session: SessionId, at: number): SessionEvent[] {
  const { events, add } = log(session, at);
  add(0, started(0, "Port the CSV importer"), {
    type: "turn_done",
    outcome: {
      is: "failed",
      failure: {
        code: "wrong_key",
        message: "Check the API key, the provider did not accept it: invalid api key",
        detail: "invalid api key",
        action: "check_key",
      },
    },
    receipt: receipt(0, []),
  });
  add(
    1,
    started(1, "Deploy it to staging"),
    begun("c5", "bash", "./deploy.sh staging"),
    ended("c5", "bash", "./deploy.sh staging", "", { status: "unknown", durationMs: null }),
    ended("c6", "write_file", "CHANGELOG.md", "", { status: "cancelled", durationMs: null }),
    { type: "notice", notice: "turn_recovered" },
    {
      type: "turn_done",
      outcome: { is: "interrupted" },
      receipt: receipt(1, [], { interrupted: true }),
    },
  );
  return events;
}

/** A question that waits. */
export function asked(session: SessionId, at: number): SessionEvent[] {
  const { events, add } = log(session, at);
  add(
    0,
    started(0, "Add vitest to the console"),
    said("m0-0", "I add it as a development dependency."),
    {
      type: "permission_asked",
      permission: "p1",
      call: "c7",
      tool: "bash",
      subject: capped("npm install --save-dev vitest@4\u00a0&& rm -rf \u202edist"),
      reason: "no_sandbox",
    },
  );
  return events;
}

/** A long conversation. */
export function long(session: SessionId, at: number, turns: number): SessionEvent[] {
  const { events, add } = log(session, at);
  for (let turn = 0; turn < turns; turn += 1) {
    add(
      turn,
      started(turn, `Explain part ${turn + 1} of the router`),
      begun(`r${turn}`, "read_file", `src/router/part${turn}.rs`),
      ended(`r${turn}`, "read_file", `src/router/part${turn}.rs`, "…"),
      said(
        `m${turn}`,
        `Part ${turn + 1}. ${"It matches the path segment by segment. ".repeat(turn % 9)}`,
      ),
      used(`m${turn}`, 1000, 900, 80),
      { type: "turn_done", outcome: { is: "completed" }, receipt: receipt(turn, []) },
    );
  }
  return events;
}

/** An answer of 16 KB, as it might be written. */
export function streamed(session: SessionId, at: number): SessionEvent[] {
  const { events, add } = log(session, at);
  const parts = Math.ceil(16_384 / answer.length);
  add(0, started(0, "Hello"), said("m0-0", "Hello."), {
    type: "turn_done",
    outcome: { is: "completed" },
    receipt: receipt(0, []),
  });
  add(1, started(1, "Write much"), said("m1-0", answer.repeat(parts)), {
    type: "turn_done",
    outcome: { is: "completed" },
    receipt: receipt(1, []),
  });
  return events;
}

export const providers: SettingsView = {
  provider: { provider: "deepseek", baseUrl: null, model: "deepseek-v4-pro" },
  key: "keychain",
  saved: true,
  problem: null,
  keysGoTo: "keychain",
  file: "/home/you/.evident/config.toml",
  catalog: [
    {
      id: "deepseek",
      name: "DeepSeek",
      baseUrl: "https://api.deepseek.com",
      needsKey: true,
      key: "keychain",
      models: [
        { id: "deepseek-v4-flash", contextTokens: 1_000_000 },
        { id: "deepseek-v4-pro", contextTokens: 600_000 },
      ],
    },
    {
      id: "openai",
      name: "OpenAI",
      baseUrl: "https://api.openai.com/v1",
      needsKey: true,
      key: null,
      models: [{ id: "gpt-5.6-sol", contextTokens: 1_050_000 }],
    },
    ...[
      ["openrouter", "OpenRouter", "https://openrouter.ai/api/v1"] as const,
      ["moonshot", "Moonshot Kimi", "https://api.moonshot.ai/v1"] as const,
      ["zhipu", "Zhipu GLM", "https://open.bigmodel.cn/api/paas/v4"] as const,
      ["qwen", "Alibaba Qwen", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"] as const,
      ["groq", "Groq", "https://api.groq.com/openai/v1"] as const,
      ["together", "Together", "https://api.together.xyz/v1"] as const,
      ["mistral", "Mistral", "https://api.mistral.ai/v1"] as const,
      ["gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai"] as const,
      ["longcat", "LongCat", "https://api.longcat.chat/openai/v1"] as const,
    ].map(([id, name, baseUrl]) => ({
      id,
      name,
      baseUrl,
      needsKey: true,
      key: null,
      models: [],
    })),
    {
      id: "ollama",
      name: "Ollama",
      baseUrl: "http://localhost:11434/v1",
      needsKey: false,
      key: null,
      models: [],
    },
    {
      id: "lmstudio",
      name: "LM Studio",
      baseUrl: "http://localhost:1234/v1",
      needsKey: false,
      key: null,
      models: [],
    },
    { id: "custom", name: "Custom", baseUrl: null, needsKey: false, key: null, models: [] },
  ],
};

export const nobody: SettingsView = { ...providers, provider: null, key: null };

export type SceneName = "empty" | "mock" | "play" | "asking" | "trouble" | "long" | "stream";

/** Makes the sessions of a scene; `now` dates them. */
export function scene(
  name: SceneName,
  now: number,
): { backend: Backend; step: (session: SessionId) => boolean } {
  const hour = 3600;
  const core = "/home/you/src/ledger-core";
  const web = "/home/you/src/web-console";
  const mock: Recorded = {
    workspace: core,
    events: renamed("s_1", now - 40),
    patches: new Map([["src/auth.rs", patch]]),
  };
  const others: Recorded[] = [
    { workspace: core, events: troubled("s_2", now - 5 * hour) },
    { workspace: web, events: long("s_3", now - 72 * hour, 3) },
  ];
  const byName: Record<SceneName, Recorded[]> = {
    empty: [],
    mock: [mock, ...others],
    play: [{ ...mock, playedFrom: 1 }, ...others],
    asking: [{ workspace: web, events: asked("s_4", now - 20) }, mock, ...others],
    trouble: [{ workspace: core, events: troubled("s_2", now - 10) }, mock],
    stream: [{ workspace: core, events: streamed("s_5", now - 9), playedFrom: 1 }],
    long: [{ workspace: web, events: long("s_3", now - 60, 1500) }, mock],
  };
  const { backend, step } = replay(byName[name]);
  return {
    step,
    backend: {
      ...backend,
      settings: async () => (name === "empty" ? nobody : providers),
      toolDetail: async (session, call) => ({
        ...(await backend.toolDetail(session, call)),
        arguments: '{"path":"src/auth.rs","old_string":"a\\nb","new_string":"c\\nd"}',
      }),
    },
  };
}
