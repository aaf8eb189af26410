import { execFileSync } from "node:child_process";
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { homeFolder, run } from "../../../../test/support/command-line.js";
import { withoutPrivileges } from "../../../../test/support/privileges.js";

const ARGS = [
  "-y",
  "-p",
  "agent-inspector@latest",
  "-p",
  "@modelcontextprotocol/server@npm:@modelcontextprotocol/server@2",
  "agent-inspector",
  "mcp",
];
const DOWNLOADED = { command: "npx", args: ARGS };
const INSTALLED = { command: "agent-inspector", args: ["mcp"] };

let home: string;

beforeEach(async () => {
  home = await homeFolder();
  vi.stubEnv("PATH", path.join(home, "bin"));
});

async function withFile(name: string, text: string | Buffer): Promise<string> {
  const file = path.join(home, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** Both packages, as npm installs them, and the command where npm puts it. */
async function install(folder: string, bin: string, { protocol = "2.4.0" } = {}): Promise<void> {
  await withFile(`${folder}/agent-inspector/package.json`, '{"name":"agent-inspector","version":"0.1.0"}');
  const main = await withFile(`${folder}/agent-inspector/dist/main.js`, "");
  await withFile(`${folder}/@modelcontextprotocol/server/package.json`, `{"version":"${protocol}"}`);
  await mkdir(path.join(home, bin), { recursive: true });
  await symlink(main, path.join(home, bin, "agent-inspector"));
}

const setUp = (tool: string, ...more: readonly string[]) => run("mcp", "--setup", tool, "--yes", ...more);
const written = async (name: string) => JSON.parse(await readFile(path.join(home, name), "utf8"));

describe("mcp --setup", () => {
  it.each([
    [
      "claude-code",
      "user",
      ".claude.json",
      { mcpServers: { "agent-inspector": { type: "stdio", ...DOWNLOADED } } },
    ],
    [
      "claude-code",
      "project",
      ".mcp.json",
      { mcpServers: { "agent-inspector": { type: "stdio", ...DOWNLOADED } } },
    ],
    [
      "copilot",
      "user",
      ".copilot/mcp-config.json",
      { mcpServers: { "agent-inspector": { type: "local", ...DOWNLOADED, tools: ["*"] } } },
    ],
    [
      "copilot",
      "project",
      ".mcp.json",
      { mcpServers: { "agent-inspector": { type: "stdio", ...DOWNLOADED } } },
    ],
    ["cursor", "user", ".cursor/mcp.json", { mcpServers: { "agent-inspector": DOWNLOADED } }],
    ["gemini", "project", ".gemini/settings.json", { mcpServers: { "agent-inspector": DOWNLOADED } }],
    [
      "opencode",
      "user",
      ".config/opencode/opencode.json",
      {
        mcp: {
          "agent-inspector": { type: "local", command: ["npx", ...ARGS], enabled: true, timeout: 60_000 },
        },
      },
    ],
  ])("creates the settings of %s for the %s, and removes them", async (tool, scope, name, wanted) => {
    const { stdout } = await setUp(tool, "--scope", scope);
    expect(stdout).toContain(`+++ ${path.join(home, name)}`);
    expect(await written(name)).toEqual(wanted);
    expect((await setUp(tool, "--scope", scope)).stdout).toContain("is in ");
    await setUp(tool, "--scope", scope, "--undo");
    expect(await readdir(path.dirname(path.join(home, name)))).not.toContain(path.basename(name));
  });

  it.each(["user", "project"])(
    "creates the settings of codex for the %s, and removes them",
    async (scope) => {
      await setUp("codex", "--scope", scope);
      expect(await readFile(".codex/config.toml", "utf8")).toBe(
        [
          '# agent-inspector begin: "agent-inspector mcp --setup codex" wrote this table, and --undo removes it',
          "[mcp_servers.agent-inspector]",
          'command = "npx"',
          `args = ["${ARGS.join('", "')}"]`,
          "startup_timeout_sec = 60",
          "# agent-inspector end",
          "",
        ].join("\n"),
      );
      expect((await setUp("codex", "--scope", scope)).stdout).toContain("is in ");
      await setUp("codex", "--scope", scope, "--undo");
      expect(await readdir(".codex")).toEqual([]);
    },
  );

  it("writes the table of codex after everything else, and removes it", async () => {
    const text = '\ufeff# mine\r\nmodel = "o3"\r\n\r\n[mcp_servers.b]\r\ncommand = "b"';
    const file = await withFile(".codex/config.toml", text);
    await setUp("codex");
    const changed = await readFile(file, "utf8");
    expect(changed.startsWith(text)).toBe(true);
    expect(changed).not.toMatch(/[^\r]\n/);
    await setUp("codex", "--undo");
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("writes folders and options into the entry, and no address of a database", async () => {
    await run(
      "mcp",
      "data",
      "--metadata-only",
      "--source",
      "data",
      "--no-cache",
      "--setup",
      "cursor",
      "--yes",
    );
    const { mcpServers } = await written(".cursor/mcp.json");
    const more = [path.join(home, "data"), "--source", "data", "--no-cache", "--metadata-only"];
    expect(mcpServers["agent-inspector"].args).toEqual([...ARGS, ...more]);
    const { stderr } = await setUp("cursor", "--database-url", "postgres://ada:secret@db/x");
    expect(stderr).toMatch(/^error: --setup does not write --database-url.*\n$/);
    expect(stderr).not.toContain("secret");
  });

  it("writes the path of a plugin into the entry, from any folder", async () => {
    const format = `export default {
      id: "quill", label: "Quill", instantMember: "at", record: () => ({ parts: [] }),
      files: { ending: ".quill", session: () => undefined },
    };`;
    await writeFile(path.join(home, "quill.mjs"), format);
    await run("mcp", "--plugin", "./quill.mjs", "--setup", "cursor", "--yes");
    const { mcpServers } = await written(".cursor/mcp.json");
    expect(mcpServers["agent-inspector"].args).toEqual([...ARGS, "--plugin", path.join(home, "quill.mjs")]);
  });

  it("prints the change, and writes nothing where nobody can answer", async () => {
    const file = await withFile(".cursor/mcp.json", '{\n  "mcpServers": {}\n}\n');
    const { code, stdout, stderr } = await run("mcp", "--setup", "cursor");
    expect(code).toBe(2);
    expect(stdout).toContain('-  "mcpServers": {}\n+  "mcpServers": {"agent-inspector": {');
    expect(stderr).toBe(
      "error: Nothing was changed: there is no terminal for the question. --yes writes without it.\n",
    );
    expect(await readFile(file, "utf8")).toBe('{\n  "mcpServers": {}\n}\n');
  });

  it("replaces another command of that name, and says so", async () => {
    await withFile(".cursor/mcp.json", '{"mcpServers": {"agent-inspector": {"command": "mine"}, "b": {}}}');
    expect((await setUp("cursor")).stdout).toContain(
      "mcp.json has another agent-inspector: this replaces it.",
    );
    expect(await written(".cursor/mcp.json")).toEqual({
      mcpServers: { "agent-inspector": DOWNLOADED, b: {} },
    });
    expect((await setUp("cursor", "--undo")).stdout).not.toContain("another");
  });

  it("writes into the file of OpenCode that has the servers", async () => {
    await withFile(".config/opencode/opencode.json", "{}");
    const text = '{\n  // mine\n  "mcp": { "servers": { "a": { "type": "local", "command": ["a"] } } },\n}\n';
    const file = await withFile(".config/opencode/opencode.jsonc", text);
    await setUp("opencode");
    expect(await readFile(file, "utf8")).toContain('"timeout":{"startup":60000}');
    expect(await readFile(".config/opencode/opencode.json", "utf8")).toBe("{}");
    await setUp("opencode", "--undo");
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it.each([
    ["claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"],
    ["codex", "CODEX_HOME", "config.toml"],
    ["copilot", "COPILOT_HOME", "mcp-config.json"],
    ["gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"],
    ["opencode", "XDG_CONFIG_HOME", "opencode/opencode.json"],
  ])("writes the settings of %s where %s names their folder", async (tool, variable, name) => {
    vi.stubEnv(variable, path.join(home, "moved"));
    expect((await setUp(tool)).stdout).toContain(`Written to ${path.join(home, "moved", name)}.`);
    expect((await setUp(tool, "--scope", "project")).stdout).not.toContain("moved");
  });

  it.each([
    ["cursor", ".cursor/mcp.json", '{\n  "mcpServers": {}\n}\n'],
    ["codex", ".codex/config.toml", ""],
  ])("removes nothing from %s where it wrote nothing", async (tool, name, text) => {
    const file = await withFile(name, text);
    expect((await setUp(tool, "--undo")).stdout).toBe(`There is no agent-inspector in ${file}.\n`);
    expect(await readFile(file, "utf8")).toBe(text);
    expect((await setUp("gemini", "--undo")).stdout).toContain("There is no agent-inspector in ");
  });

  it("removes no table of codex that it did not write, and names it", async () => {
    const text = '[mcp_servers.agent-inspector]\ncommand = "mine"\n';
    const file = await withFile(".codex/config.toml", text);
    const { code, stderr } = await setUp("codex", "--undo");
    const problem = "it has a table mcp_servers.agent-inspector that this command did not write";
    expect([code, stderr]).toEqual([
      2,
      `error: ${file} is not changed: ${problem}. Remove agent-inspector there by hand.\n`,
    ]);
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("has --undo and --yes with --setup alone", async () => {
    expect((await run("mcp", "--undo")).stderr).toBe("error: --undo goes with --setup TOOL.\n");
    expect((await run("mcp", "--setup", "emacs")).stderr).toContain("Allowed choices are claude-code, codex");
  });
});

describe("The command that mcp --setup writes", () => {
  const commandFor = async (scope: string) => {
    const { stdout } = await setUp("claude-code", "--scope", scope);
    const { mcpServers } = await written(scope === "user" ? ".claude.json" : ".mcp.json");
    const { command, args } = mcpServers["agent-inspector"];
    return { line: [command, ...args], stdout };
  };

  it("is the package that is installed globally", async () => {
    await install("lib/node_modules", "bin");
    const { line, stdout } = await commandFor("user");
    expect(line).toEqual([INSTALLED.command, ...INSTALLED.args]);
    expect(stdout).toContain(
      `The entry starts the installed package: ${path.join(home, "bin/agent-inspector")}.`,
    );
    expect((await commandFor("project")).line).toEqual(line);
  });

  it("is the package that the project has, in that project", async () => {
    await install("node_modules", "node_modules/.bin");
    vi.stubEnv("PATH", path.join(home, "node_modules/.bin"));
    await mkdir("packages/web", { recursive: true });
    expect((await commandFor("project")).line).toEqual(["npx", "--no", "agent-inspector", "mcp"]);
    // Another project of the user does not have it, nor the PATH that npm gives to a script.
    expect((await commandFor("user")).line).toEqual(["npx", ...ARGS]);
    process.chdir("packages/web");
    expect((await setUp("cursor", "--scope", "project")).stdout).toContain('"--no"');
  });

  it.each([
    ["without the package of the protocol", "2.4.0", "@modelcontextprotocol"],
    ["with another version of the protocol", "1.9.0", undefined],
    ["in a way that hides its packages", "2.4.0", "agent-inspector"],
  ])("downloads both packages where one is installed %s", async (_, protocol, missing) => {
    await install("lib/node_modules", "bin", { protocol });
    if (missing !== undefined) await chmodAway(path.join("lib/node_modules", missing));
    const { line, stdout } = await commandFor("user");
    expect(line).toEqual(["npx", ...ARGS]);
    expect(stdout).toContain("npm install -g agent-inspector @modelcontextprotocol/server@2\n");
  });

  const chmodAway = async (folder: string) => {
    const { rename } = await import("node:fs/promises");
    await rename(folder, `${folder}-away`);
  };

  it("names the installation for the project", async () => {
    const { stdout } = await setUp("cursor", "--scope", "project");
    expect(stdout).toContain("npm install --save-dev agent-inspector @modelcontextprotocol/server@2\n");
  });
});

describe("The settings file that mcp --setup writes", () => {
  it("keeps permissions and owner", async () => {
    const file = await withFile(".claude.json", '{"a": 1}\n');
    if (process.getuid!() === 0) await chown(file, 65_534, 65_534);
    await chmod(file, 0o640);
    const before = await stat(file);
    await setUp("claude-code");
    const after = await stat(file);
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(await readdir(home)).not.toContainEqual(expect.stringContaining(".tmp"));
  });

  it("stays a link, and its real path is printed", async () => {
    const file = await withFile("dotfiles/claude.json", '{"a": 1}\n');
    await symlink("dotfiles/claude.json", ".claude.json");
    const { stdout } = await setUp("claude-code");
    expect(stdout).toContain(`${path.join(home, ".claude.json")}, which is a link to ${file}:\n`);
    expect(await readlink(".claude.json")).toBe("dotfiles/claude.json");
    expect(await readdir("dotfiles")).toEqual(["claude.json"]);
    await setUp("claude-code", "--undo");
    expect(await readFile(file, "utf8")).toBe('{"a": 1}\n');
  });

  it("lies in the folder that a link leads to, and its real path is printed", async () => {
    await mkdir("dotfiles/codex", { recursive: true });
    await symlink("dotfiles/codex", ".codex");
    const { stdout } = await setUp("codex");
    expect(stdout).toContain(`, which is a link to ${path.join(home, "dotfiles/codex/config.toml")}:\n`);
    expect(await readdir("dotfiles/codex")).toEqual(["config.toml"]);
    expect(await readlink(".codex")).toBe("dotfiles/codex");
  });

  const CURSOR = ".cursor/mcp.json";
  const CODEX = ".codex/config.toml";

  it.each([
    [CURSOR, '{"mcpServers": {', "line 1 is not JSON"],
    [CURSOR, "", "is not JSON"],
    [CURSOR, "[]", "it is not a JSON object"],
    [CURSOR, '{"mcpServers": []}', '"mcpServers" is not an object'],
    [CURSOR, '{"mcpServers": {}, "mcpServers": {"a": 1}}', "two members have the same name"],
    [CURSOR, `{"a": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "it is nested too deeply"],
    [CURSOR, `{"mcpServers": ${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`, "it is nested too deeply"],
    [CURSOR, Buffer.from([0x7b, 0xff, 0x7d]), "it is not a text in UTF-8"],
    [CODEX, "a = 1\nb =\n", "line 2 is not TOML"],
    [CODEX, "mcp_servers = { a = { command = 'x' } }\n", '"mcp_servers" takes no further tables'],
    [CODEX, "[mcp_servers.agent-inspector]\n", "that this command did not write"],
  ] as const)("is left as it is: %s, case %#", async (name, text, problem) => {
    const file = await withFile(name, text);
    const { code, stderr } = await setUp(name === CODEX ? "codex" : "cursor");
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(await readFile(file)).toEqual(Buffer.from(text));
  });

  it("is named with what to add by hand where it is left as it is", async () => {
    await withFile(CODEX, "mcp_servers = {}\n");
    expect((await setUp("codex")).stderr).toContain("add this by hand:\n# agent-inspector begin");
    const file = await withFile(CURSOR, "[]");
    expect((await setUp("cursor")).stderr).toContain('add this by hand:\n{\n  "mcpServers": {');
    await truncate(file, 5 * 2 ** 20);
    expect((await setUp("cursor")).stderr).toMatch(/: it is larger than 4 MiB\. .*add this by hand:\n\{/);
    expect((await stat(file)).size).toBe(5 * 2 ** 20);
  });

  it.each([
    ["a folder", () => mkdir(CURSOR), "is not a file"],
    ["a named pipe", () => execFileSync("/usr/bin/mkfifo", [CURSOR]), "is not a file"],
    ["a link to itself", () => symlink("mcp.json", CURSOR), "leads back to itself"],
    ["a link to a device", () => symlink("/dev/zero", CURSOR), "is not a file"],
    [
      "a link to nothing",
      () => symlink("away.json", CURSOR),
      "mcp.json is a link to ", // and the target
    ],
  ])("is not written where it is %s", async (_, make, problem) => {
    await mkdir(".cursor");
    await make();
    const { code, stderr } = await setUp("cursor");
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(stderr).toMatch(/^error: .*: nothing was changed\.\n$/);
    expect(await readdir(".cursor")).toEqual(["mcp.json"]);
  });

  it.each([
    ["a file that this user may not read", 0o000, 0o777],
    ["in a folder that this user may not write", 0o644, 0o555],
  ])("is not written where it is %s", async (_, fileMode, folderMode) => {
    const file = await withFile(CURSOR, "{}");
    await chmod(file, fileMode);
    await chmod(home, 0o755);
    await chmod(path.dirname(file), folderMode);
    const { code, stderr } = await withoutPrivileges(() => setUp("cursor"));
    await chmod(path.dirname(file), 0o755);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("permission denied (EACCES): nothing was changed."),
    ]);
    expect(await readdir(".cursor")).toEqual(["mcp.json"]);
  });
});
