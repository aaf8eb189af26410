import path from "node:path";

export const MCP_CLIENTS = ["claude-code", "codex", "copilot", "cursor", "gemini", "opencode"] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** `user`: for every project of the user. `project`: for the folder that the command runs in. */
export type SetupScope = "user" | "project";

export const ENTRY_NAME = "agent-inspector";

export interface SetupMachine {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export interface SetupLocation {
  readonly within: readonly string[];
  readonly entry: Readonly<Record<string, unknown>>;
}

export interface SetupPlace {
  readonly format: "json" | "toml";
  /** All files that the tool reads for this scope. The first is the one to create. */
  readonly files: readonly [string, ...string[]];
  /** The first is the default. A file that has the objects of another one gets the entry there. */
  readonly locations: readonly [SetupLocation, ...SetupLocation[]];
}

/** npx may download two packages before the server answers. */
const STARTUP_SECONDS = 60;

/**
 * - Claude Code: https://code.claude.com/docs/en/mcp. A start may take 30 s; only `MCP_TIMEOUT` in its environment changes that.
 * - Codex: https://developers.openai.com/codex/mcp. Reads the file of a trusted project.
 * - Copilot CLI: https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers. VS Code reads the same files:
 *   https://code.visualstudio.com/docs/agents/reference/mcp-configuration. Claude Code also reads the file of a project. A start may take
 *   60 s; no key changes that.
 * - Cursor: https://cursor.com/docs/context/mcp. Documents no time limit of a start.
 * - Gemini CLI: https://geminicli.com/docs/tools/mcp-server. A start may take 10 minutes. `GEMINI_CLI_HOME` is the parent of `.gemini`:
 *   https://geminicli.com/docs/reference/configuration.
 * - OpenCode: https://opencode.ai/docs/mcp-servers, with `mcp.servers` since 2: https://opencode.ai/docs/migrate-v1. 2 reads both forms.
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
