import path from "node:path";
import type { TranscriptFormat } from "../transcripts/folder/format.js";
import type { HistoryWriter } from "../transcripts/folder/surroundings.js";
import type { TranscriptTasks } from "../transcripts/source/reading-tasks.js";

/**
 * - `full`: all documented content.
 * - `basic`: conversations, calls and tokens; its document lists the missing parts.
 * - `experimental`: based on few, perhaps shortened files; it may be wrong.
 */
type FormatClaim = "full" | "basic" | "experimental";

/** A format, and the location of its histories. */
export interface ReadableFormat extends HistoryWriter {
  readonly kind: string;
  readonly required: string;
  /** `undefined` if the folder has to be named. */
  place(env: Environment, home: string): string | undefined;
  readonly placeText: string;
  /** Its location in folders that people may name instead. */
  readonly inside: readonly string[];
  /** Files are discovered at any depth: a folder of several tools then counts as one of its folders, too. Default is false. */
  readonly isAnyDepth?: true;
  /**
   * Other files of its sessions, without settings and credentials: `*` is any part of a name, `**` as the last name everything below.
   * Default is an empty list.
   */
  readonly beside?: readonly string[];
  /** Versions that wrote its histories. */
  readonly versions: string;
  readonly claim: FormatClaim;
  /** True for the code of another author: it has its own thread, and nothing of it is cached on the disk. Default is false. */
  readonly isCustom?: true;
  load(): Promise<LoadedFormat>;
}

/** `docs/formats.md` and `--help` are generated from these rows. */
export interface HistoryFormat extends ReadableFormat {
  /** Names of its tools that ask a person, so that its sessions are `waiting`. Default is no tool. */
  readonly questions?: string;
  /** Record of a tool that waits for a permission. Without one, such a session is `running`, and `stalled` or `stopped` after some minutes. */
  readonly permissions?: string;
  readonly document: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface LoadedFormat {
  readonly format: TranscriptFormat;
  readonly tasks: TranscriptTasks;
}

/** In the order for display. */
export const HISTORY_FORMATS: readonly HistoryFormat[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    kind: "Claude Code projects directory",
    required: "folder in it that holds .jsonl files of Claude Code's records",
    place: (env, home) => path.join(env.CLAUDE_CONFIG_DIR || path.join(home, ".claude"), "projects"),
    placeText: "`~/.claude/projects` (`CLAUDE_CONFIG_DIR`)",
    inside: ["projects", ".claude/projects"],
    beside: ["*/*/tool-results/**"],
    versions: "1.0 to 2.1",
    verified: "2.1.331",
    retention: { rule: "deletes", by: "file" },
    claim: "full",
    questions: "`AskUserQuestion`, `ExitPlanMode`",
    document: "claude-code.md",
    async load() {
      const { claudeCodeFormat, CLAUDE_CODE_TASKS } = await import("./claude-code/claude-code-format.js");
      return { format: claudeCodeFormat, tasks: CLAUDE_CODE_TASKS };
    },
  },
  {
    name: "codex",
    title: "Codex",
    kind: "Codex home directory",
    required: "folder in it that holds Codex's rollout-*.jsonl files",
    place: (env, home) => env.CODEX_HOME || path.join(home, ".codex"),
    placeText: "`~/.codex` (`CODEX_HOME`)",
    inside: [".codex"],
    beside: ["session_index.jsonl", "history.jsonl"],
    versions: "0.1 to 0.169",
    verified: "0.169.0",
    retention: { rule: "keeps" },
    claim: "full",
    questions: "`request_user_input`",
    document: "codex.md",
    async load() {
      const { codexFormat, CODEX_TASKS } = await import("./codex/codex-format.js");
      return { format: codexFormat, tasks: CODEX_TASKS };
    },
  },
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    kind: "Gemini CLI directory",
    required: "session of Gemini CLI in it",
    place: (_, home) => path.join(home, ".gemini"),
    placeText: "`~/.gemini`",
    inside: [".gemini"],
    beside: ["projects.json", ".project_root", "*/.project_root", "tmp/*/.project_root"],
    versions: "0.1 and later",
    retention: { rule: "deletes", by: "activity" },
    claim: "full",
    questions:
      "`ask_user`, `enter_plan_mode`, `exit_plan_mode`, where the call is written before it has ended",
    document: "gemini-cli.md",
    async load() {
      const { geminiCliFormat, GEMINI_CLI_TASKS } = await import("./gemini-cli/gemini-cli-format.js");
      return { format: geminiCliFormat, tasks: GEMINI_CLI_TASKS };
    },
  },
  {
    name: "copilot-cli",
    title: "Copilot CLI",
    kind: "Copilot CLI directory",
    required: "session of Copilot CLI in it",
    place: (env, home) => env.COPILOT_HOME || path.join(home, ".copilot"),
    placeText: "`~/.copilot` (`COPILOT_HOME`)",
    inside: [".copilot"],
    beside: ["session-state/*/workspace.yaml", "*/workspace.yaml"],
    versions: "1.0",
    verified: "1.0.102",
    claim: "full",
    questions: "`ask_user`, `exit_plan_mode`",
    permissions: "`permission.requested`, in the versions that write it",
    document: "copilot-cli.md",
    async load() {
      const { copilotCliFormat, COPILOT_CLI_TASKS } = await import("./copilot-cli/copilot-cli-format.js");
      return { format: copilotCliFormat, tasks: COPILOT_CLI_TASKS };
    },
  },
  {
    name: "pi",
    title: "Pi",
    kind: "folder of Pi's sessions",
    required: "session of Pi in it (.jsonl)",
    place: (env, home) =>
      env.PI_CODING_AGENT_SESSION_DIR ||
      path.join(env.PI_CODING_AGENT_DIR || path.join(home, ".pi", "agent"), "sessions"),
    placeText: "`~/.pi/agent/sessions` (`PI_CODING_AGENT_SESSION_DIR`, `PI_CODING_AGENT_DIR`)",
    inside: ["agent/sessions", ".pi/agent/sessions"],
    isAnyDepth: true,
    versions: "session versions 1 to 3",
    verified: "3",
    claim: "full",
    questions: "a tool of an extension that is called like one of the others'",
    document: "pi.md",
    async load() {
      const { piFormat, PI_TASKS } = await import("./pi/pi-format.js");
      return { format: piFormat, tasks: PI_TASKS };
    },
  },
  {
    name: "openclaw",
    title: "OpenClaw",
    kind: "folder of OpenClaw's agents",
    required: "session of OpenClaw in it (.jsonl, beside a sessions.json)",
    place: (env, home) => path.join(env.OPENCLAW_STATE_DIR || path.join(home, ".openclaw"), "agents"),
    placeText: "`~/.openclaw/agents` (`OPENCLAW_STATE_DIR`)",
    inside: ["agents", ".openclaw/agents"],
    isAnyDepth: true,
    beside: ["sessions.json", "*/sessions.json", "*/sessions/sessions.json"],
    versions: "session version 3",
    verified: "3",
    claim: "experimental",
    document: "pi.md",
    async load() {
      const { openClawFormat, OPENCLAW_TASKS } = await import("./pi/openclaw-format.js");
      return { format: openClawFormat, tasks: OPENCLAW_TASKS };
    },
  },
  {
    name: "qwen-code",
    title: "Qwen Code",
    kind: "Qwen Code directory",
    required: "chats folder in it that holds .jsonl files of Qwen Code's records",
    place: (_, home) => path.join(home, ".qwen"),
    placeText: "`~/.qwen`",
    inside: [".qwen"],
    versions: "0.21 to 0.24",
    verified: "0.24.4",
    claim: "full",
    questions: "`ask_user_question`, `exit_plan_mode`",
    document: "qwen-code.md",
    async load() {
      const { qwenCodeFormat, QWEN_CODE_TASKS } = await import("./qwen-code/qwen-code-format.js");
      return { format: qwenCodeFormat, tasks: QWEN_CODE_TASKS };
    },
  },
  {
    name: "opencode",
    title: "OpenCode",
    kind: "OpenCode data directory",
    required: "database of OpenCode's sessions in it, and no storage/session of its older versions",
    place: (env, home) => path.join(env.XDG_DATA_HOME || path.join(home, ".local", "share"), "opencode"),
    placeText: "`~/.local/share/opencode` (`XDG_DATA_HOME`)",
    inside: ["opencode", ".local/share/opencode"],
    beside: ["*.db-wal", "storage/message/**", "storage/part/**"],
    isPacked: true,
    versions: "to 1.18; 2.x only its conversations, calls and tokens",
    verified: "1.18.33",
    claim: "full",
    questions: "`question`",
    document: "opencode.md",
    async load() {
      const { opencodeFormat, OPENCODE_TASKS } = await import("./opencode/opencode-format.js");
      return { format: opencodeFormat, tasks: OPENCODE_TASKS };
    },
  },
  {
    name: "droid",
    title: "Droid",
    kind: "folder of Droid's sessions",
    required: "session of Droid in it",
    place: (_, home) => path.join(home, ".factory", "sessions"),
    placeText: "`~/.factory/sessions`",
    inside: [".factory/sessions"],
    isAnyDepth: true,
    versions: "0.81",
    verified: "0.81.0",
    claim: "experimental",
    questions: "`AskUser`, `ExitSpecMode`",
    document: "experimental.md",
    async load() {
      const { droidFormat, DROID_TASKS } = await import("./droid/droid-format.js");
      return { format: droidFormat, tasks: DROID_TASKS };
    },
  },
  {
    name: "antigravity",
    title: "Antigravity",
    kind: "folder of Antigravity's logs",
    required: "plain-text log of Antigravity in it",
    place: (_, home) => path.join(home, ".gemini", "antigravity", "brain"),
    placeText: "`~/.gemini/antigravity/brain`",
    inside: [".gemini/antigravity/brain", "antigravity/brain"],
    isAnyDepth: true,
    versions: "June 2026",
    claim: "experimental",
    document: "experimental.md",
    async load() {
      const { antigravityFormat, ANTIGRAVITY_TASKS } = await import("./antigravity/antigravity-format.js");
      return { format: antigravityFormat, tasks: ANTIGRAVITY_TASKS };
    },
  },
  {
    name: "cline",
    title: "Cline",
    kind: "folder of Cline's tasks",
    required: "task of Cline in it",
    place: (_, home) => path.join(home, ".config/Code/User/globalStorage/saoudrizwan.claude-dev"),
    placeText: "`~/.config/Code/User/globalStorage/saoudrizwan.claude-dev`",
    inside: ["saoudrizwan.claude-dev"],
    isAnyDepth: true,
    versions: "2025",
    claim: "experimental",
    questions: "`ask_followup_question`, `plan_mode_respond`",
    document: "experimental.md",
    async load() {
      const { clineFormat, CLINE_TASKS } = await import("./cline/cline-format.js");
      return { format: clineFormat, tasks: CLINE_TASKS };
    },
  },
  {
    name: "kimi",
    title: "Kimi Code",
    kind: "Kimi Code directory",
    required: "wire.jsonl of Kimi Code in it",
    place: (_, home) => path.join(home, ".kimi-code"),
    placeText: "`~/.kimi-code`",
    inside: [".kimi-code"],
    isAnyDepth: true,
    beside: ["state.json", "*/state.json", "*/*/state.json", "sessions/*/*/state.json"],
    versions: "wire protocol 1.4",
    verified: "1.4",
    claim: "experimental",
    questions: "`AskUserQuestion`, `ExitPlanMode`",
    document: "experimental.md",
    async load() {
      const { kimiFormat, KIMI_TASKS } = await import("./kimi/kimi-format.js");
      return { format: kimiFormat, tasks: KIMI_TASKS };
    },
  },
  {
    name: "atif",
    title: "ATIF",
    kind: "folder of ATIF trajectories",
    required: 'trajectory ("schema_version": "ATIF-v…") in it',
    place: () => "./jobs",
    placeText: "`./jobs`, where Harbor writes",
    inside: [],
    isAnyDepth: true,
    versions: "1.4 to 1.8",
    verified: "1.7",
    claim: "full",
    document: "atif.md",
    async load() {
      const { atifFormat, ATIF_TASKS } = await import("./atif/atif-format.js");
      return { format: atifFormat, tasks: ATIF_TASKS };
    },
  },
  {
    name: "inspect",
    title: "Inspect",
    kind: "folder of Inspect logs",
    required: "log of Inspect (.eval, or .json) in it",
    place: (env) => env.INSPECT_LOG_DIR || "./logs",
    placeText: "`./logs` (`INSPECT_LOG_DIR`)",
    inside: [],
    isAnyDepth: true,
    isPacked: true,
    versions: "0.3.42 to 0.3.154",
    verified: "0.3.154",
    claim: "full",
    document: "inspect.md",
    async load() {
      const { inspectFormat, INSPECT_TASKS } = await import("./inspect/inspect-format.js");
      return { format: inspectFormat, tasks: INSPECT_TASKS };
    },
  },
];

export function historyFormat(name: string): HistoryFormat | undefined {
  return HISTORY_FORMATS.find((format) => format.name === name);
}
