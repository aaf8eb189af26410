import { appendFile, chmod, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lines, newProjects, userRecord } from "../../../../test/claude-code/support/projects.js";
import { temporaryFolder } from "../../../../test/support/data-directory.js";
import { withoutPrivileges } from "../../../../test/support/privileges.js";
import { supportedSources } from "../../../composition/command-line-parts.js";
import { CommandLineError } from "../text/terminal.js";
import { placesOf } from "./place-sources.js";
import { supportedSource } from "./supported-sources.js";

/** Returns the opened histories for a named path, or the message for its user; for several folders, and for parts of one, their names. */
async function report(named: string, source?: string): Promise<string> {
  try {
    const sources = supportedSources();
    const chosen = source === undefined ? undefined : supportedSource(sources, source);
    const { histories: results, leftOut } = await placesOf(named, sources, chosen);
    const [one, another] = results;
    if (leftOut.length > 0 || another !== undefined || one!.part !== undefined || one!.folder !== named) {
      const places = results.map(({ kind, folder, part }) => [
        kind.name,
        folder,
        ...(part ? ["part", part.tenantId] : []),
      ]);
      return [...places.map((place) => place.join(" ")), ...leftOut].join("\n");
    }
    return one!.kind.name;
  } catch (error) {
    if (error instanceof CommandLineError) return error.message;
    throw error;
  }
}

const RECORDS = lines(userRecord(1, 0, "Hi.", { sessionId: "s", isSidechain: false }));
const REQUEST = lines({ resourceSpans: [] });
const ROLLOUT = lines({ timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "x" } });

function textOf(name: string): string {
  if (name.includes("rollout")) return ROLLOUT;
  if (name.includes("otlp")) return REQUEST;
  return name.endsWith(".jsonl") ? RECORDS : "Nothing.\n";
}

/** Creates a folder with files; names that end with a slash become folders. */
async function folderOf(...names: readonly string[]): Promise<string> {
  const root = await temporaryFolder();
  for (const name of names) {
    const file = path.join(root, name);
    await mkdir(name.endsWith("/") ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith("/")) await appendFile(file, textOf(name));
  }
  return root;
}

describe("Traces of OpenTelemetry that are named", () => {
  it.each<[what: string, file: string, text: string, named: string]>([
    ["a folder of requests", "traces.jsonl", REQUEST, ""],
    ["a file of requests", "traces.jsonl", REQUEST, "traces.jsonl"],
    ["a folder in a folder", "2026/01/traces.json", REQUEST, ""],
    ["a document on many lines", "dump.json", '{\n  "resourceSpans": [\n    {\n', ""],
    ["names in snake case", "dump.json", '{"resource_spans": [', ""],
    ["an array of requests", "spans.json", `[${REQUEST.trim()}]`, "spans.json"],
    ["an array of requests on many lines", "spans.json", '[\n  {\n    "resourceSpans": [\n', ""],
    ["other signals alone", "metrics.jsonl", '{"resourceMetrics":[{}]}\n', ""],
  ])("are recognised: %s", async (_, file, text, named) => {
    const root = await temporaryFolder();
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await appendFile(path.join(root, file), text);
    expect(await report(path.join(root, named))).toBe("otlp");
  });

  it.each<[what: string, file: string, text: string]>([
    ["other JSON", "package.json", '{"name":"shop","resourceSpans":"none"}'],
    ["text", "notes.txt", REQUEST],
    ["a request inside of a record", "log.jsonl", '{"data":{"resourceSpans":[]}}\n'],
  ])("are not recognised in a folder of %s", async (_, file, text) => {
    const root = await temporaryFolder();
    await appendFile(path.join(root, file), text);
    expect(await report(root)).toContain(
      "no folder of OpenTelemetry traces: there is no file in it of OTLP JSON",
    );
  });
});

describe("A folder that is named", () => {
  it.each<[what: string, names: string[], named: string, told: string]>([
    ["a data directory", ["tenants/t1/sessions/"], "", "data"],
    ["a data directory without a session", ["tenants/"], "", "data"],
    ["a Claude Code projects directory", ["-work-shop/s.jsonl"], "", "claude-code"],
    ["one with other things in it", ["notes/x.txt", "-work-shop/s.jsonl", "todo.md"], "", "claude-code"],
    ["one with a trailing slash and dots", ["p/-work-shop/s.jsonl"], "p/../p/", "claude-code"],
    ["a home of Codex", ["sessions/2026/01/02/rollout-1.jsonl"], "", "codex"],
    ["the sessions of one", ["sessions/2026/01/02/rollout-1.jsonl"], "sessions", "codex"],
    ["a month of Codex", ["2026/01/02/rollout-1.jsonl"], "2026/01", "codex"],
  ])("is recognised: %s", async (_, names, named, name) => {
    expect(await report(path.join(await folderOf(...names), named))).toBe(name);
  });

  it.each<[what: string, names: string[], named: string, told: string]>([
    [
      "the sub-agents of one session",
      ["projects/-work-shop/s.jsonl", "projects/-work-shop/s/subagents/agent-1.jsonl"],
      "projects/-work-shop/s/subagents",
      "is a part of the Claude Code projects directory ROOT/projects. Name that instead.",
    ],
    [
      "the folder tenants of a data directory",
      ["tenants/t1/sessions/s1/"],
      "tenants",
      "is a part of the data directory ROOT. Name that instead.",
    ],
    [
      "a session of a data directory",
      ["tenants/t1/sessions/s1/trace/"],
      "tenants/t1/sessions/s1",
      "is a part of the data directory ROOT. Name that instead.",
    ],
    [
      "both in one",
      ["tenants/t1/", "-work-shop/s.jsonl"],
      "",
      "may be a data directory or a Claude Code projects directory. Say which: --source data, or --source claude-code.",
    ],
    ["an empty folder", [], "", "is no data directory: there is no"],
    ["a month of another tool", ["2026/01/log-1.txt"], "2026/01", "is no data directory: there is no"],
    ["a folder of another tool", ["2026/01/log-1.txt"], "", "Where it is one of them nevertheless, say"],
    [
      "a file of no known format",
      ["x/notes.txt"],
      "x/notes.txt",
      "is a file in which no history is recognised (Claude Code, ",
    ],
    ["what to do with one", ["x/notes.txt"], "x/notes.txt", "Name a file of one, or the folder"],
    [
      "how to open one nevertheless",
      ["x/notes.txt"],
      "x/notes.txt",
      "say which with --source (claude-code, ",
    ],
    ["a file called tenants", ["tenants"], "", "is no data directory: there is no"],
    ["nothing", [], "nowhere", "There is no file or folder"],
    ["nothing, below a file", ["x"], "x/nowhere", "There is no file or folder"],
  ])("is asked about: %s", async (_, names, named, expected) => {
    const root = await folderOf(...names);
    expect(await report(path.join(root, named))).toContain(expected.replaceAll("ROOT", root));
  });

  it.each<[what: string, names: string[], named: string, opened: string[]]>([
    [
      "one project of Claude Code, without the others",
      ["projects/-work-shop/s.jsonl", "projects/-work-cart/s.jsonl"],
      "projects/-work-shop",
      ["claude-code ROOT/projects part -work-shop"],
    ],
    [
      "one tenant of a data directory",
      ["tenants/t1/sessions/s1/", "tenants/t2/sessions/s1/"],
      "tenants/t1",
      ["data ROOT part t1"],
    ],
    ["one session's file", ["projects/-work-shop/s.jsonl"], "projects/-work-shop/s.jsonl", ["claude-code"]],
    ["a file that lies alone", ["x/rollout.jsonl"], "x/rollout.jsonl", ["codex"]],
    [
      "Claude Code's own folder",
      [".claude/projects/-work-shop/s.jsonl", ".claude/settings.json"],
      ".claude",
      ["claude-code ROOT/.claude/projects"],
    ],
    [
      "all that lie in a home folder",
      [
        ".claude/projects/-work-shop/s.jsonl",
        ".codex/sessions/2026/01/02/rollout-1.jsonl",
        "data/tenants/",
        "work/other/-work-shop/s.jsonl",
      ],
      "",
      ["data ROOT/data", "claude-code ROOT/.claude/projects", "codex ROOT/.codex"],
    ],
    [
      "histories of several tools side by side",
      [
        "ada/projects/-work-shop/s.jsonl",
        "bob/2026/01/02/rollout-1.jsonl",
        "cleo/spans/otlp.jsonl",
        "notes/x.txt",
        "z/node_modules/p/-work-shop/s.jsonl",
        "z/.hidden/-work-shop/s.jsonl",
      ],
      "",
      ["claude-code ROOT/ada/projects", "codex ROOT/bob", "otlp ROOT/cleo"],
    ],
    ["traces alone as one", ["a/otlp.jsonl", "b/otlp.jsonl"], "", ["otlp"]],
    [
      "all but what may be either of two, of which it tells",
      ["a/-work-shop/s.jsonl", "b/tenants/", "b/-work-shop/s.jsonl"],
      "",
      [
        "claude-code ROOT/a",
        '"ROOT/b" may be a data directory or a Claude Code projects directory. Say which: --source data, or --source claude-code.',
      ],
    ],
    [
      "nothing that a link in it leads to, nor what lies too deep",
      ["a/-work-shop/s.jsonl", "1/2/3/4/5/-work-shop/s.jsonl"],
      "",
      ["claude-code ROOT/a"],
    ],
  ])("is opened: %s", async (_, names, named, opened) => {
    const root = await folderOf(...names);
    await symlink(await folderOf("projects/-work-shop/s.jsonl"), path.join(root, "link"));
    const expected = opened.map((line) => line.replaceAll("ROOT", root)).join("\n");
    expect(await report(path.join(root, named))).toBe(expected);
  });

  it("costs the others nothing where one in it may not be read", async () => {
    const root = await folderOf("a/-work-shop/s.jsonl", "b/-work-shop/s.jsonl");
    await chmod(root, 0o755);
    await chmod(path.join(root, "b"), 0o000);
    const answer = await withoutPrivileges(() => report(root));
    await chmod(path.join(root, "b"), 0o700);
    expect(answer).toBe(
      process.geteuid?.() === undefined
        ? `claude-code ${root}/a\nclaude-code ${root}/b`
        : `claude-code ${root}/a\n"${root}/b/tenants" cannot be read (EACCES).`,
    );
  });

  it("is what its user says it is, as long as it is a folder", async () => {
    const both = await folderOf("tenants/t1/", "-work-shop/s.jsonl");
    expect(await report(both, "claude-code")).toBe("claude-code");
    expect(await report(await folderOf(), "data")).toBe("data");
    expect(await report(path.join(both, "-work-shop/s.jsonl"), "data")).toContain(
      "is a file, and a data directory is a folder. Name that.",
    );
    expect(await report(both, "data")).toBe("data");
    const home = await folderOf(".claude/projects/-work-shop/s.jsonl", "data/tenants/");
    expect(await report(home, "claude-code")).toBe(`claude-code ${home}/.claude/projects`);
    expect(await report(path.join(both, "nowhere"), "data")).toContain("There is no file or folder");
    expect(await report(both, "codecs")).toBe(
      `There is no kind of source "codecs". Supported kinds: ${supportedSources()
        .map(({ name }) => name)
        .join(", ")}.`,
    );
  });

  it("may be a file, where its user says that it is of a kind that takes files", async () => {
    const file = path.join(await folderOf("x/rollout.jsonl"), "x/rollout.jsonl");
    expect(await report(file)).toBe("codex");
    expect(await report(file, "otlp")).toBe("otlp");
  });

  it("cannot be told where it may not be read", async () => {
    const root = await newProjects({ "closed/-work-shop/s.jsonl": RECORDS });
    await chmod(root, 0o755);
    await chmod(path.join(root, "closed"), 0o000);
    const answer = await withoutPrivileges(() => report(path.join(root, "closed")));
    await chmod(path.join(root, "closed"), 0o700);
    expect(answer).toMatch(/cannot be read \(EACCES\)|is no data directory/);
  });

  it("is not followed out of itself to be recognised", async () => {
    const [outside, root] = [await folderOf("-work-shop/s.jsonl"), await folderOf()];
    await symlink(path.join(outside, "-work-shop"), path.join(root, "link"));
    expect(await report(root)).toContain("is no data directory");
  });
});

it("looks where the user's own settings say", () => {
  const placesOf = (env: NodeJS.ProcessEnv) =>
    supportedSources(env, "/home/ada")
      .filter(({ name }) => ["data", "claude-code", "codex", "gemini-cli", "otlp"].includes(name))
      .map(({ place }) => place);
  const usual = ["./data", "/home/ada/.claude/projects", "/home/ada/.codex", "/home/ada/.gemini", "./otlp"];
  expect(placesOf({})).toEqual(usual);
  expect(placesOf({ CLAUDE_CONFIG_DIR: "", CODEX_HOME: "" })).toEqual(usual);
  expect(placesOf({ CLAUDE_CONFIG_DIR: "/etc/claude", CODEX_HOME: "/etc/codex" })).toEqual([
    "./data",
    "/etc/claude/projects",
    "/etc/codex",
    "/home/ada/.gemini",
    "./otlp",
  ]);
});
