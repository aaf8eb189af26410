import { access } from "node:fs/promises";
import path from "node:path";

/** The tools whose settings are written. */
export const MCP_CLIENTS = ["claude-code", "codex", "copilot", "cursor", "gemini", "opencode"] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** `user`: for all that one does with the tool. `project`: for the folder that the command is run in. */
export type SetupScope = "user" | "project";

/** What the server is called in the settings. */
export const ENTRY_NAME = "agent-inspector";

export interface SetupMachine {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** A file of settings, and what is to be in it. */
export interface SetupPlace {
  readonly file: string;
  readonly format: "json" | "toml";
  /** The objects or tables that the entry lies in, the outermost first. */
  readonly within: readonly string[];
  readonly entry: Readonly<Record<string, unknown>>;
}

/**
 * Where a tool keeps its servers:
 * - Claude Code: https://code.claude.com/docs/en/mcp (`.mcp.json` of a project, `~/.claude.json` of a user)
 * - Codex: https://developers.openai.com/codex/mcp (`config.toml`; that of a project is read where the project is trusted)
 * - Copilot: https://code.visualstudio.com/docs/agents/reference/mcp-configuration (`.vscode/mcp.json` of a project, for VS Code;
 *   `~/.copilot/mcp-config.json` of a user, for Copilot CLI and Copilot's sessions in VS Code)
 * - Cursor: https://cursor.com/docs/context/mcp
 * - Gemini CLI: https://geminicli.com/docs/tools/mcp-server
 * - OpenCode: https://opencode.ai/docs/mcp-servers and https://opencode.ai/docs/migrate-v1 (2.x reads what 1.x does)
 *
 * @param more what the server is called with besides: folders, options
 */
export async function setupPlace(
  client: McpClient,
  scope: SetupScope,
  more: readonly string[],
  { home, cwd, env, platform }: SetupMachine,
): Promise<SetupPlace> {
  const [command, ...args] = serverCommand(platform, more) as [string, ...string[]];
  const isUser = scope === "user";
  const json = (file: string, entry: object, within = "mcpServers"): SetupPlace => ({
    file,
    format: "json",
    within: [within],
    entry: { ...entry },
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
      const file = path.join(folder, "config.toml");
      return { file, format: "toml", within: ["mcp_servers"], entry: { command, args } };
    }
    case "copilot":
      if (!isUser)
        return json(path.join(cwd, ".vscode", "mcp.json"), { type: "stdio", command, args }, "servers");
      return json(path.join(env.COPILOT_HOME || path.join(home, ".copilot"), "mcp-config.json"), {
        type: "local",
        command,
        args,
        tools: ["*"],
      });
    case "cursor":
      return json(path.join(isUser ? home : cwd, ".cursor", "mcp.json"), { command, args });
    case "gemini":
      return json(path.join(isUser ? home : cwd, ".gemini", "settings.json"), { command, args });
    case "opencode": {
      const folder = isUser ? path.join(env.XDG_CONFIG_HOME || path.join(home, ".config"), "opencode") : cwd;
      const entry = { type: "local", command: [command, ...args], enabled: true };
      return json(await firstFile(folder, ["opencode.jsonc", "opencode.json"]), entry, "mcp");
    }
    default:
      return client satisfies never;
  }
}

/** What starts the server, whether or not it is installed. On Windows npx is a script, which only a shell starts. */
function serverCommand(platform: NodeJS.Platform, more: readonly string[]): readonly string[] {
  const npx = [
    "npx",
    "-y",
    "-p",
    "agent-inspector",
    "-p",
    "@modelcontextprotocol/server@2",
    "agent-inspector",
    "mcp",
  ];
  return [...(platform === "win32" ? ["cmd", "/c"] : []), ...npx, ...more];
}

/** The first of some files that is there; else the last one. */
async function firstFile(folder: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const file = path.join(folder, name);
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return path.join(folder, names.at(-1)!);
}
