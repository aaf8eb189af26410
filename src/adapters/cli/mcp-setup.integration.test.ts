import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { homeFolder, run } from "../../../test/support/command-line.js";

const ARGS = [
  "-y",
  "-p",
  "agent-inspector",
  "-p",
  "@modelcontextprotocol/server@2",
  "agent-inspector",
  "mcp",
];
const LOCAL = { command: "npx", args: ARGS };

async function withFile(name: string, text: string): Promise<string> {
  const file = path.join(await homeFolder(), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const setUp = (tool: string, ...more: readonly string[]) => run("mcp", "--setup", tool, "--yes", ...more);

describe("mcp --setup", () => {
  it.each([
    [
      "claude-code",
      "user",
      ".claude.json",
      { mcpServers: { "agent-inspector": { type: "stdio", ...LOCAL } } },
    ],
    [
      "claude-code",
      "project",
      ".mcp.json",
      { mcpServers: { "agent-inspector": { type: "stdio", ...LOCAL } } },
    ],
    ["codex", "user", ".codex/config.toml", { mcp_servers: { "agent-inspector": LOCAL } }],
    ["codex", "project", ".codex/config.toml", { mcp_servers: { "agent-inspector": LOCAL } }],
    [
      "copilot",
      "user",
      ".copilot/mcp-config.json",
      { mcpServers: { "agent-inspector": { type: "local", ...LOCAL, tools: ["*"] } } },
    ],
    [
      "copilot",
      "project",
      ".vscode/mcp.json",
      { servers: { "agent-inspector": { type: "stdio", ...LOCAL } } },
    ],
    ["cursor", "user", ".cursor/mcp.json", { mcpServers: { "agent-inspector": LOCAL } }],
    ["gemini", "project", ".gemini/settings.json", { mcpServers: { "agent-inspector": LOCAL } }],
    [
      "opencode",
      "user",
      ".config/opencode/opencode.json",
      { mcp: { "agent-inspector": { type: "local", command: ["npx", ...ARGS], enabled: true } } },
    ],
  ])("makes the settings of %s for the %s, and takes them away again", async (tool, scope, name, wanted) => {
    const home = await homeFolder();
    const written = await setUp(tool, "--scope", scope);
    expect(written.stdout).toContain(`+++ ${path.join(home, name)}`);
    const text = await readFile(path.join(home, name), "utf8");
    expect(name.endsWith(".toml") ? parse(text) : JSON.parse(text)).toEqual(wanted);
    await setUp(tool, "--scope", scope, "--undo");
    expect(await readdir(path.dirname(path.join(home, name)))).not.toContain(path.basename(name));
  });

  it("starts the server on the folders that are named", async () => {
    const home = await homeFolder();
    await run("mcp", "data", "--metadata-only", "--setup", "cursor", "--yes");
    const { mcpServers } = JSON.parse(await readFile(".cursor/mcp.json", "utf8"));
    expect(mcpServers["agent-inspector"].args).toEqual([...ARGS, path.join(home, "data"), "--metadata-only"]);
  });

  it("shows the change, and writes nothing where nobody can be asked", async () => {
    const file = await withFile(".cursor/mcp.json", '{\n  "mcpServers": {}\n}\n');
    const { code, stdout, stderr } = await run("mcp", "--setup", "cursor");
    expect(code).toBe(1);
    expect(stdout).toContain('-  "mcpServers": {}\n+  "mcpServers": { "agent-inspector": {');
    expect(stderr).toBe(
      "error: Nothing was changed: there is no terminal to ask on. --yes writes it without asking.\n",
    );
    expect(await readFile(file, "utf8")).toBe('{\n  "mcpServers": {}\n}\n');
  });

  it("says that another command is replaced", async () => {
    await withFile(".cursor/mcp.json", '{"mcpServers": {"agent-inspector": {"command": "mine"}, "b": {}}}');
    const { stdout } = await setUp("cursor");
    expect(stdout).toContain("There is another agent-inspector in ");
    expect(JSON.parse(await readFile(".cursor/mcp.json", "utf8")).mcpServers).toEqual({
      "agent-inspector": LOCAL,
      b: {},
    });
    expect((await setUp("cursor")).stdout).toContain("agent-inspector is in ");
    expect((await setUp("cursor", "--undo")).stdout).not.toContain("another");
  });

  it("keeps the permissions of the file, and what links to it", async () => {
    const file = await withFile("dotfiles/claude.json", '{"a": 1}\n');
    await chmod(file, 0o640);
    await symlink(file, ".claude.json");
    await setUp("claude-code");
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ a: 1, mcpServers: {} });
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir("dotfiles")).toEqual(["claude.json"]);
  });

  it.each([
    [".cursor/mcp.json", "cursor", '{"mcpServers": {', "line 1 is no JSON"],
    [".cursor/mcp.json", "cursor", "", "is no JSON"],
    [".cursor/mcp.json", "cursor", "[]", "it holds no JSON object"],
    [".cursor/mcp.json", "cursor", '{"mcpServers": []}', "its member mcpServers is no object"],
    [".cursor/mcp.json", "cursor", '{"mcpServers": {}, "mcpServers": {"a": 1}}', "two members of one name"],
    [".codex/config.toml", "codex", "a = 1\nb =\n", "line 2 is no TOML"],
    [
      ".codex/config.toml",
      "codex",
      "mcp_servers = { a = { command = 'x' } }\n",
      "in a way that cannot be changed",
    ],
    [
      ".codex/config.toml",
      "codex",
      "mcp_servers.agent-inspector.command = 'x'\n",
      "in a way that cannot be changed",
    ],
  ])("leaves %s as it is where %s wrote %j", async (name, tool, text, problem) => {
    const file = await withFile(name, text);
    const { code, stderr } = await setUp(tool);
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("has --undo and --yes with --setup alone", async () => {
    await homeFolder();
    expect((await run("mcp", "--undo")).stderr).toBe("error: --undo goes with --setup TOOL.\n");
    expect((await run("mcp", "--setup", "emacs")).stderr).toContain("Allowed choices are claude-code, codex");
  });
});

const JSON_FILES = [
  "{}",
  "{ }\n",
  "{\n}\n",
  '{"a":1}',
  '{ "a": 1, "b": [1, 2] }\n',
  '{\n  "a": 1\n}\n',
  '{\n    "a": 1,\n    "mcpServers": {\n        "b": {\n            "command": "b"\n        }\n    },\n    "c": 2\n}',
  '{\n\t"mcpServers": {},\n\t"a": 1\n}\n',
  '{\n  "mcpServers": {\n  }\n}\n',
  '{\r\n  "a": 1,\r\n  "mcpServers": {\r\n    "b": {}\r\n  }\r\n}\r\n',
  '\ufeff{\n  "a": 1\n}\n',
  '// mine\n{\n  /* one */ "a": 1, // two\n  "b": 2 // three\n  // four\n}\n',
  '{\n  "a": 1, // trailing\n}\n',
  '{\n  "mcpServers": { "b": {}, },\n}\n',
  '{ "mcpServers": { /* none */ } }\n',
  '{\n  "a": "}", "b": 3 }',
];

const TOML_FILES = [
  "\n",
  'model = "o3"\n',
  'model = "o3"',
  '# mine\r\nmodel = "o3"\r\n\r\n[mcp_servers.b]\r\ncommand = "b"\r\n',
  '[mcp_servers.b]\ncommand = """\n[mcp_servers.agent-inspector]\n"""\n\n# the last one\n[tui]\ntheme = "dark"\n\n\n',
  "big = 9007199254740993\nat = 1979-05-27T07:32:00Z\n",
];

describe("what mcp --setup wrote, taken out again", () => {
  it.each(JSON_FILES)("leaves %j byte for byte", async (text) => {
    const file = await withFile(".claude.json", text);
    await setUp("claude-code");
    const written = await readFile(file, "utf8");
    expect(written).toContain('"agent-inspector"');
    if (text.includes("\r\n")) expect(written).not.toMatch(/[^\r]\n/);
    await setUp("claude-code", "--undo");
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it.each(TOML_FILES)("leaves %j byte for byte", async (text) => {
    const file = await withFile(".codex/config.toml", text);
    await setUp("codex");
    expect(parse(await readFile(file, "utf8"), { integersAsBigInt: "asNeeded" })).toMatchObject({
      mcp_servers: { "agent-inspector": LOCAL },
    });
    await setUp("codex", "--undo");
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("stays out of what was written behind it since", async () => {
    const file = await withFile(".cursor/mcp.json", '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n');
    await setUp("cursor");
    const written = await readFile(file, "utf8");
    await writeFile(file, written.replace(/\n {4}\}\n {2}\}/, '\n    },\n    "b": {} // mine\n  }'));
    await setUp("cursor", "--undo");
    expect(await readFile(file, "utf8")).toBe(
      '{\n  "mcpServers": {\n    "a": {},\n    "b": {} // mine\n  }\n}\n',
    );
    const toml = await withFile(".codex/config.toml", "a = 1\n");
    await setUp("codex");
    await writeFile(toml, `${await readFile(toml, "utf8")}\n# mine\n[tui]\nb = 2\n`);
    await setUp("codex", "--undo");
    expect(await readFile(toml, "utf8")).toBe("a = 1\n\n\n# mine\n[tui]\nb = 2\n");
  });
});
