import { readdirSync } from "node:fs";
import { appendFile, chmod, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lines, newProjects, userRecord } from "../../../test/claude-code/support/projects.js";
import {
  HAS_HISTORIES,
  projectsFolders,
  WITHOUT_HISTORIES,
} from "../../../test/claude-code/support/real-histories.js";
import { temporaryFolder } from "../../../test/support/data-directory.js";
import { withoutPrivileges } from "../../../test/support/privileges.js";
import { knownSources } from "../../composition/command-line-parts.js";
import { kindOf, knownSource } from "./known-sources.js";
import { CommandLineError } from "./terminal.js";

/** What a folder is, or what its user is told. */
async function told(folder: string, source?: string): Promise<string> {
  try {
    const known = knownSources();
    return (await kindOf(folder, known, source === undefined ? undefined : knownSource(known, source))).name;
  } catch (error) {
    if (error instanceof CommandLineError) return error.message;
    throw error;
  }
}

const RECORDS = lines(userRecord(1, 0, "Hi.", { sessionId: "s", isSidechain: false }));
const ROLLOUT = lines({ timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "x" } });

/** A folder with files in it, of which an ending slash makes folders. */
async function folderOf(...names: readonly string[]): Promise<string> {
  const root = await temporaryFolder();
  for (const name of names) {
    const file = path.join(root, name);
    await mkdir(name.endsWith("/") ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith("/")) await appendFile(file, name.includes("rollout") ? ROLLOUT : RECORDS);
  }
  return root;
}

const REQUEST = lines({ resourceSpans: [] });

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
    expect(await told(path.join(root, named))).toBe("otlp");
  });

  it.each<[what: string, file: string, text: string]>([
    ["other JSON", "package.json", '{"name":"shop","resourceSpans":"none"}'],
    ["text", "notes.txt", REQUEST],
    ["a request inside of a record", "log.jsonl", '{"data":{"resourceSpans":[]}}\n'],
  ])("are not recognised in a folder of %s", async (_, file, text) => {
    const root = await temporaryFolder();
    await appendFile(path.join(root, file), text);
    expect(await told(root)).toContain(
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
    expect(await told(path.join(await folderOf(...names), named))).toBe(name);
  });

  it.each<[what: string, names: string[], named: string, told: string]>([
    [
      "one project of Claude Code",
      ["projects/-work-shop/s.jsonl"],
      "projects/-work-shop",
      "is a part of the Claude Code projects directory ROOT/projects. Name that instead.",
    ],
    [
      "the sub-agents of one session",
      ["projects/-work-shop/s.jsonl", "projects/-work-shop/s/subagents/agent-1.jsonl"],
      "projects/-work-shop/s/subagents",
      "is a part of the Claude Code projects directory ROOT/projects. Name that instead.",
    ],
    [
      "a session's file",
      ["projects/-work-shop/s.jsonl"],
      "projects/-work-shop/s.jsonl",
      "is a part of the Claude Code projects directory ROOT/projects. Name that instead.",
    ],
    [
      "Claude Code's own folder",
      [".claude/projects/-work-shop/s.jsonl", ".claude/settings.json"],
      ".claude",
      "holds the Claude Code projects directory ROOT/.claude/projects. Name that instead.",
    ],
    [
      "a home folder",
      [".claude/projects/-work-shop/s.jsonl", "data/tenants/"],
      "",
      "holds the data directory ROOT/data and the Claude Code projects directory ROOT/.claude/projects. Name that instead.",
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
      "a file that is a part of nothing",
      ["x/rollout.jsonl"],
      "x/rollout.jsonl",
      "is a file. Name the folder",
    ],
    ["a file called tenants", ["tenants"], "", "is no data directory: there is no"],
    ["nothing", [], "nowhere", "There is no folder"],
    ["nothing, below a file", ["x"], "x/nowhere", "There is no folder"],
  ])("is asked about: %s", async (_, names, named, expected) => {
    const root = await folderOf(...names);
    expect(await told(path.join(root, named))).toContain(expected.replaceAll("ROOT", root));
  });

  it("is what its user says it is, as long as it is a folder", async () => {
    const both = await folderOf("tenants/t1/", "-work-shop/s.jsonl");
    expect(await told(both, "claude-code")).toBe("claude-code");
    expect(await told(await folderOf(), "data")).toBe("data");
    expect(await told(path.join(both, "-work-shop/s.jsonl"), "data")).toContain("is a part of");
    expect(await told(path.join(both, "nowhere"), "data")).toContain("There is no folder");
    expect(await told(both, "codecs")).toBe(
      'There is no kind of source "codecs". Known are data, claude-code, codex, gemini-cli, otlp.',
    );
  });

  it("may be a file, where its user says that it is of a kind that takes files", async () => {
    const file = path.join(await folderOf("x/rollout.jsonl"), "x/rollout.jsonl");
    expect(await told(file, "otlp")).toBe("otlp");
    expect(await told(file)).toContain("Where it holds histories of OpenTelemetry, add --source otlp.");
  });

  it("cannot be told where it may not be read", async () => {
    const root = await newProjects({ "closed/-work-shop/s.jsonl": RECORDS });
    await chmod(root, 0o755);
    await chmod(path.join(root, "closed"), 0o000);
    const answer = await withoutPrivileges(() => told(path.join(root, "closed")));
    await chmod(path.join(root, "closed"), 0o700);
    expect(answer).toMatch(/cannot be read \(EACCES\)|is no data directory/);
  });

  it("is not followed out of itself to be recognised", async () => {
    const [outside, root] = [await folderOf("-work-shop/s.jsonl"), await folderOf()];
    await symlink(path.join(outside, "-work-shop"), path.join(root, "link"));
    expect(await told(root)).toContain("is no data directory");
  });

  it.skipIf(!HAS_HISTORIES)(`is recognised among real ones${WITHOUT_HISTORIES}`, async () => {
    for (const [, folder] of projectsFolders()) {
      expect(await told(folder)).toBe("claude-code");
      expect(await told(path.dirname(folder))).toContain(
        `holds the Claude Code projects directory ${folder}`,
      );
    }
    const data = path.resolve(projectsFolders()[0]![1], "../../..");
    const month = "codex/session-bridge/sessions/2026/04";
    for (const name of ["codex/cyspbot", "codex/cyspbot/sessions", "codex/codexbar-fork", month]) {
      expect([name, await told(path.join(data, name))]).toEqual([name, "codex"]);
    }
    const project = readdirSync(path.join(data, "gemini-cli/session-bridge/tmp"))[0]!;
    for (const name of ["", "tmp", `tmp/${project}`, `tmp/${project}/chats`]) {
      const folder = path.join(data, "gemini-cli/session-bridge", name);
      expect([name, await told(folder)]).toEqual([name, "gemini-cli"]);
    }
    for (const name of ["", "clew", "sideseat", "kagua", "assay/run_arm_b.json"]) {
      expect([name, await told(path.join(data, "otlp", name))]).toEqual([name, "otlp"]);
    }
    for (const name of ["codex", "gemini-cli", "opencode", "pi", "inspect", "copilot-cli"]) {
      expect([name, await told(path.join(data, name))]).toEqual([
        name,
        expect.stringContaining("is no data directory"),
      ]);
    }
  });
});

it("looks where the user's own settings say", () => {
  const placesOf = (env: NodeJS.ProcessEnv) => knownSources(env, "/home/ada").map(({ place }) => place);
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
