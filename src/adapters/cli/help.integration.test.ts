import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { smallSession } from "../../../test/mcp/support/histories.js";
import { homeFolder, run, runInTerminal, startWith } from "../../../test/support/command-line.js";
import { writeSessions } from "../../../test/support/data-directory.js";
import { type COMMAND_LINE_PARTS, supportedSources } from "../../composition/command-line-parts.js";

/** Each as it is typed. The program itself is the empty one. */
const COMMANDS = [
  ...["", "search", "list", "usage", "sources", "summary", "compare", "why", "demo", "ui", "mcp", "collect"],
  ...["export", "keep", "migrate", "cache", "cache clear"],
];
/** Without them, these commands ask for them first. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  ui: ["--agent-url", "http://127.0.0.1:1"],
  keep: ["--to", "kept"],
  migrate: ["--database-url", "postgres://127.0.0.1:1/none"],
};
const words = (command: string) => command.split(" ").filter(Boolean);
const helpOf = async (command: string) => (await run(...words(command), "--help")).stdout;

let home: string;
beforeEach(async () => {
  home = await homeFolder();
});

interface ListedOption {
  readonly long: string;
  readonly takesValue: boolean;
  /** With its lines joined. */
  readonly text: string;
}

function optionsIn(help: string): ListedOption[] {
  const [, section = ""] = /\nOptions:\n([\s\S]*?)(?:\n\n|\n?$)/.exec(help) ?? [];
  const entries = section.replace(/\n {5,}/g, " ").split("\n");
  return entries.map((text) => {
    const [, long = "", value] = /(--[a-z-]+)( <[^>]+>)?/.exec(text) ?? [];
    return { long, takesValue: value !== undefined, text };
  });
}

function examplesIn(help: string): string[] {
  const [, section = ""] = /\nExamples:\n([\s\S]*?)\n\n/.exec(help) ?? [];
  return section.split("\n").map((line) => line.trim());
}

/** By their names. Made once. */
let allOptions: ReadonlyMap<string, ListedOption> | undefined;

async function listAllOptions(): Promise<ReadonlyMap<string, ListedOption>> {
  const helps = await Promise.all(COMMANDS.map(helpOf));
  return new Map(helps.flatMap(optionsIn).map((option) => [option.long, option]));
}

describe("The help of a command", () => {
  it.each(COMMANDS)(
    "of %j states the answer, the usage, examples and options, in this order",
    async (command) => {
      const { stdout, stderr, code } = await run(...words(command), "--help");
      expect([stderr, code]).toEqual(["", 0]);
      expect(stdout).toMatch(/^[A-Z].*\.\n\nUsage: agent-inspector[^\n]*\n\nExamples:\n/);
      expect(examplesIn(stdout).length).toBeLessThanOrEqual(3);
      const order = ["Usage:", "Examples:", "Options:"].map((heading) => stdout.indexOf(`\n${heading}`));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
      const [first] = words(command);
      if (first === undefined || command === "cache clear") return;
      expect((await run("help", first)).stdout).toBe(stdout);
    },
  );

  it("of the program fits 60 lines of 100 columns, in a file and in a terminal", async () => {
    const file = await helpOf("");
    expect(file.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    expect((await runInTerminal(100, "--help")).stdout).toBe(file);
    expect((await run("help")).stdout).toBe(file);
    for (const command of COMMANDS.slice(1)) expect(file).toContain(`\n  ${words(command)[0]} `);
  });

  it.each(COMMANDS)("of %j lists the options that it takes, and all others are refused", async (command) => {
    allOptions ??= await listAllOptions();
    const all = allOptions;
    expect(all.size).toBeGreaterThan(30);
    const own = optionsIn(await helpOf(command)).map(({ long }) => long);
    for (const { long, takesValue } of all.values()) {
      if (own.includes(long)) continue;
      const { stdout, stderr, code } = await run(
        ...[...words(command), ...(REQUIRED[command] ?? []), long, ...(takesValue ? ["1"] : [])],
      );
      expect([stdout, code]).toEqual(["", 2]);
      expect(stderr).toContain(`unknown option '${long}'`);
    }
  });
});

describe("A default that help prints", () => {
  const SERVING = ["", "demo", "ui", "collect", "mcp"];

  it.each(COMMANDS)("for %j is accepted as a value, and changes nothing", async (command) => {
    await writeSessions("data", [smallSession("acme", "s1"), smallSession("acme", "s2")]);
    const help = await helpOf(command);
    const operands: Readonly<Record<string, readonly string[]>> = {
      ...{ search: ["apples"], summary: ["s1"], compare: ["s1", "s2"], why: ["data"] },
    };
    const typed = [...words(command), ...(operands[command] ?? [])];
    for (const { long, takesValue, text } of optionsIn(help)) {
      const [, value] = /default: (.*?)\)/.exec(text) ?? [];
      if (value === undefined) continue;
      expect([long, takesValue]).toEqual([long, true]);
      const given = [long, value.replace(/^"|"$/g, "")];
      if (SERVING.includes(command)) {
        expect([given, (await run(...typed, ...given, "--help")).code]).toEqual([given, 0]);
      } else {
        const { code, stdout } = await run(...typed, "data", ...given);
        expect([given, code]).toEqual([given, 0]);
        // A search reads as much as there is time for.
        if (command !== "search") expect(stdout).toBe((await run(...typed, "data")).stdout);
      }
    }
  });

  it("is there where the command has one", async () => {
    const defaults = new Map<string, string | undefined>();
    for (const command of COMMANDS)
      for (const { long, text } of optionsIn(await helpOf(command)))
        defaults.set(`${command} ${long}`, /default: "?(.*?)"?\)/.exec(text)?.[1]);
    expect(Object.fromEntries([...defaults].filter(([, value]) => value !== undefined))).toEqual({
      ...{ " --port": "4680", " --host": "127.0.0.1", "demo --port": "4680", "demo --host": "127.0.0.1" },
      ...{ "ui --port": "4680", "ui --host": "127.0.0.1", "mcp --scope": "user", "collect --port": "4318" },
      ...{ "collect --ui-port": "4680", "collect --host": "127.0.0.1" },
      "collect --data": path.join(home, ".data/agent-inspector/spans"),
      ...{ "search --in": "text,thinking,input,output,error", "search --limit": "all", "list --limit": "20" },
      ...{ "usage --by": "day", "usage --since": "all", "usage --until": "now", "usage --zone": "UTC" },
    });
  });
});

/** A line as a shell splits it, up to a pipe or a comment. */
function typedIn(example: string): string[] {
  const [typed = ""] = example.split(/ \| | {2,}/);
  return [...typed.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    .map(([, single, double, plain]) => single ?? double ?? plain!.replace(/^~/, home))
    .slice(1);
}

const git = (...args: readonly string[]) =>
  promisify(execFile)("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args]);

/** Creates the files and sessions in the examples of the help. */
async function writeExamples(): Promise<void> {
  await writeSessions("data", [smallSession("acme", "s1"), smallSession("acme", "s2")]);
  await writeSessions("my-agent/data", [smallSession("acme", "s1")]);
  await mkdir("spans");
  await writeFile("spans/spans.jsonl", '{"resourceSpans":[]}\n');
  await mkdir(".claude/projects/-srv-shop", { recursive: true });
  for (const id of ["3f2a0000", "91c00000"]) {
    const record = {
      ...{ type: "user", uuid: id, sessionId: id, isSidechain: false, timestamp: "2026-01-15T12:00:00.000Z" },
      message: { role: "user", content: "Mail ada@shop.test about the shadow branch." },
    };
    await writeFile(`.claude/projects/-srv-shop/${id}.jsonl`, `${JSON.stringify(record)}\n`);
  }
  await mkdir("src/cart", { recursive: true });
  await git("init", "--quiet");
  await writeFile("src/cart/total.ts", "export const total = 86400;\n".repeat(60));
  await git("add", "src");
  await git("commit", "--quiet", "-m", "Total");
}

it("every example that help prints can be typed", async () => {
  await writeExamples();
  const parts: Partial<typeof COMMAND_LINE_PARTS> = {
    loadMcp: async () => () => ({ ended: Promise.resolve(), close: async () => undefined }),
    migrate: async () => ({ from: 0, to: 1, searchIndex: { isThere: true } }),
  };
  let count = 0;
  for (const command of COMMANDS) {
    for (const example of examplesIn(await helpOf(command))) {
      const typed = typedIn(example);
      const [name = ""] = typed;
      const isCollecting = name === "collect";
      const serves = ["", "demo", "ui", "collect"].includes(name) || !COMMANDS.includes(name);
      const ports = serves && !typed.includes("--port") ? ["--port", "0"] : [];
      if (isCollecting && !typed.includes("--ui-port")) ports.push("--ui-port", "0");
      if (typed.includes("--setup")) ports.push("--yes");
      const { ended, addresses, stop, stderr } = startWith(parts, ...typed, ...ports);
      if (serves && !typed.includes("--help")) {
        await addresses();
        stop("SIGINT");
      }
      const ending = await ended;
      expect([example, ending, stderr.text]).toEqual([
        example,
        expect.toBeOneOf([0, 1]),
        expect.not.stringContaining("error:"),
      ]);
      count++;
    }
  }
  expect(count).toBeGreaterThan(30);
}, 60_000);

describe("A word that is no command", () => {
  it.each([
    ["sumary", "summary"],
    ["lst", "list"],
    ["souces", "sources"],
    ["Export", "export"],
    ["hlep", "help"],
    ["serch", "search"],
  ])("such as %s gets the command that is nearest", async (word, command) => {
    for (const rest of [[], ["x"], ["--json"], ["x", "--filter", "a"]]) {
      expect(await run(word, ...rest)).toEqual({
        stdout: "",
        stderr: `error: There is no command, file or folder "${word}". Did you mean \`${command}\`?\n`,
        code: 2,
      });
    }
  });

  it("is a folder or a file where one has that name", async () => {
    await mkdir("lst");
    await writeFile("souces", "");
    expect((await run("lst")).stderr).toContain('"lst" is no data directory');
    expect((await run("souces")).stderr).toContain('"souces" is a file in which no history is recognised');
  });

  it("is looked for as a folder where it is a path, or near to no command", async () => {
    for (const typed of ["./sumary", "sumary/x", "histories"])
      expect((await run(typed)).stderr).toBe(`error: There is no file or folder "${typed}".\n`);
  });

  it("has no help, and help says so", async () => {
    expect(await run("help", "sumary")).toEqual({
      stdout: "",
      stderr: 'error: There is no command "sumary". Did you mean `summary`?\n',
      code: 2,
    });
    expect((await run("help", "histories")).stderr).toBe(
      'error: There is no command "histories". "agent-inspector help" lists the commands.\n',
    );
    expect((await run("help", "\u001b[2J")).stderr).toContain('"\\u{1b}[2J"');
  });
});

describe("An option before a command", () => {
  it("is the command's, where it has that option", async () => {
    await writeSessions("data", [smallSession("acme", "s1")]);
    expect((await run("--no-cache", "--source", "data", "list")).stdout).toContain("acme/s1");
    expect((await run("--source", "claude-code", "list")).stderr).toContain(
      "There is no Claude Code projects",
    );
    const collected = startWith({}, "--port", "0", "collect", "--ui-port", "0", "--data", "spans");
    expect(await collected.addresses()).toHaveLength(1);
  });

  it("is refused where it has not", async () => {
    for (const [option, command] of [
      [["--import"], ["list"]],
      [
        ["--port", "1"],
        ["summary", "s1"],
      ],
      [["--no-open"], ["cache", "clear"]],
      [["--rules", "a.json"], ["mcp"]],
    ] as const) {
      const { stdout, stderr, code } = await run(...option, ...command);
      expect([stdout, code]).toEqual(["", 2]);
      expect(stderr).toMatch(
        new RegExp(`^error: option '.*${option[0]}.*' does not apply to '${command.at(0)}'\\n$`),
      );
    }
  });
});

describe("Wrong usage", () => {
  it.each([
    ["an unknown option", (command: string) => [...words(command), "--colour"]],
    ["an option without its value", () => ["--source"]],
    ["no operand", () => ["summary"]],
    ["one operand too few", () => ["compare", "s1"]],
    ["one operand too many", () => ["cache", "clear", "x"]],
    ["a value that is no choice", () => ["usage", "--by", "dy"]],
    ["a kind of source that does not exist", (command: string) => [...words(command), "--source", "codecs"]],
    ["a folder that does not exist", () => ["list", "nowhere"]],
    ["a filter that cannot be read", () => ["list", "--filter", "tol:x"]],
    ["a date that cannot be read", () => ["usage", "--since", "soon"]],
    ["an option of another one", () => ["mcp", "--undo"]],
    ["an option that another one excludes", () => ["export", "s1", "--findings", "-o", "a.html"]],
    ["an option of --findings without it", () => ["export", "s1", "-o", "a.jsonl", "--no-redact", "--json"]],
    ["--import without a database", () => ["--import", "data"]],
  ])("ends with 2: %s", async (_, typed) => {
    await writeSessions("data", [smallSession("acme", "s1")]);
    for (const command of [
      "",
      "list",
      "summary s1",
      "search x",
      "why x",
      "export s1",
      "keep --to x",
      "mcp",
    ]) {
      const { stdout, stderr, code } = await run(...typed(command));
      expect([stdout, code]).toEqual(["", 2]);
      expect(stderr).toMatch(/^error: /);
      if (typed.length === 0) break;
    }
  });
});

it.each([
  ["summary", "missing required argument 'session'", "summary"],
  ["keep", "required option '--to <folder>' not specified", "keep"],
  ["cache clear x", "too many arguments for 'clear'. Expected 0 arguments but got 1", "cache clear"],
])("%s is refused in one line that names its help", async (typed, problem, command) => {
  const { code, stderr } = await run(...words(typed));
  expect([code, stderr]).toEqual([
    2,
    `error: ${problem}. "agent-inspector ${command} --help" prints how to use it.\n`,
  ]);
});

it("names the kinds of histories that --source takes", async () => {
  await writeSessions("data", [smallSession("acme", "s1")]);
  const names = [...(await helpOf("sources")).matchAll(/^ {2}([a-z-]+) {2,}[A-Z]/gm)].map(([, name]) => name);
  expect(names).toEqual(supportedSources().map(({ name }) => name));
});
