import path from "node:path";

/** The tools whose settings are written. */
export const MCP_CLIENTS = ["claude-code", "codex", "copilot", "cursor", "gemini", "opencode"] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** `user`: for every project of the user. `project`: for the folder that the command runs in. */
export type SetupScope = "user" | "project";

/** The name of the server in the settings. */
export const ENTRY_NAME = "agent-inspector";

export interface SetupMachine {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** A possible position of an entry in a settings file, and its value there. */
export interface SetupLocation {
  /** The objects or tables around the entry, the outermost first. */
  readonly within: readonly string[];
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The settings of a tool. */
export interface SetupPlace {
  readonly format: "json" | "toml";
  /** All files that the tool reads for this scope. The first is created where none exists. */
  readonly files: readonly [string, ...string[]];
  /** The first is the default. A file that has the objects of another one gets the entry there. */
  readonly locations: readonly [SetupLocation, ...SetupLocation[]];
}

/** npx may download two packages before the server answers. */
const STARTUP_SECONDS = 60;

/**
 * Settings file and keys of each tool:
 * - Claude Code: https://code.claude.com/docs/en/mcp. A start may take 30 s; only the environment of Claude Code changes that
 *   (`MCP_TIMEOUT`).
 * - Codex: https://developers.openai.com/codex/mcp. Reads the file of a trusted project.
 * - Copilot CLI: https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers. VS Code reads the same files:
 *   https://code.visualstudio.com/docs/agents/reference/mcp-configuration. The entry of a project is that of Claude Code, which reads the
 *   file, too. A start may take 60 s; no key changes that.
 * - Cursor: https://cursor.com/docs/context/mcp. Documents no time limit of a start.
 * - Gemini CLI: https://geminicli.com/docs/tools/mcp-server. A start may take 10 minutes. `GEMINI_CLI_HOME` is the parent of `.gemini`:
 *   https://geminicli.com/docs/reference/configuration.
 * - OpenCode: https://opencode.ai/docs/mcp-servers, with `mcp.servers` since 2: https://opencode.ai/docs/migrate-v1. 2 reads both forms.
 *
 * @param command starts the server
 */
export function setupPlace(
  client: McpClient,
  scope: SetupScope,
  [command, ...args]: readonly [string, ...string[]],
  { home, cwd, env }: SetupMachine,
): SetupPlace {
  const isUser = scope === "user";
  const json = (file: string, entry: object): SetupPlace => ({
    format: "json",
    files: [file],
    locations: [{ within: ["mcpServers"], entry: { ...entry } }],
  });
  switch (client) {
    case "claude-code": {
      const file = isUser
        ? path.join(env.CLAUDE_CONFIG_DIR || home, ".claude.json")
        : path.join(cwd, ".mcp.json");
      return json(file, { type: "stdio", command, args });
    }
    case "codex": {
      const folder = isUser ? env.CODEX_HOME || path.join(home, ".codex") : path.join(cwd, ".codex");
      const entry = { command, args, startup_timeout_sec: STARTUP_SECONDS };
      return {
        format: "toml",
        files: [path.join(folder, "config.toml")],
        locations: [{ within: ["mcp_servers"], entry }],
      };
    }
    case "copilot":
      if (!isUser) return json(path.join(cwd, ".mcp.json"), { type: "stdio", command, args });
      return json(path.join(env.COPILOT_HOME || path.join(home, ".copilot"), "mcp-config.json"), {
        type: "local",
        command,
        args,
        tools: ["*"],
      });
    case "cursor":
      return json(path.join(isUser ? home : cwd, ".cursor", "mcp.json"), { command, args });
    case "gemini":
      return json(path.join(isUser ? env.GEMINI_CLI_HOME || home : cwd, ".gemini", "settings.json"), {
        command,
        args,
      });
    case "opencode": {
      const folder = isUser ? path.join(env.XDG_CONFIG_HOME || path.join(home, ".config"), "opencode") : cwd;
      const file = (...names: readonly string[]) => path.join(folder, ...names);
      const [type, line, milliseconds] = ["local", [command, ...args], STARTUP_SECONDS * 1_000];
      return {
        format: "json",
        files: [
          file("opencode.json"),
          file("opencode.jsonc"),
          ...(isUser ? [] : [file(".opencode", "opencode.json"), file(".opencode", "opencode.jsonc")]),
        ],
        locations: [
          { within: ["mcp"], entry: { type, command: line, enabled: true, timeout: milliseconds } },
          {
            within: ["mcp", "servers"],
            entry: { type, command: line, timeout: { startup: milliseconds } },
          },
        ],
      };
    }
    default:
      return client satisfies never;
  }
}
