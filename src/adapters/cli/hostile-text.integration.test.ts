import { mkdir, writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type ContractSession, envelopeText, NOON } from "../../../test/contract/fixture.js";
import { homeFolder, run, runInTerminal } from "../../../test/support/command-line.js";
import { writeSessions } from "../../../test/support/data-directory.js";
import { visibleLines, visibleText } from "../../domain/text/visible-text.js";

/** Clears a terminal, sets its title, turns the direction of text, hides, and begins a line. */
const HOSTILE = "a\u001b[2J\u001b]0;own\u0007\u009b1mb\u202ec\u2066d\u200b\u{e0041}\ne\r\u0085\u2028f";
/** The same as an id, without ASCII control characters. */
const HOSTILE_ID = "i\u009b1m\u202e\u200bd";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the search itself marks hits with it
const STYLES = /\u001b\[\d+m/g;

const message = (role: string, content: unknown) => JSON.stringify({ role, content });
const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };

function session(sessionId: string, text: string): ContractSession {
  const call = { toolCallId: "t1", toolName: HOSTILE };
  const events = [
    { type: "turn.start", turnIndex: 0, input: HOSTILE },
    { type: "llm.start", callId: "c1", model: HOSTILE },
    { type: "llm.end", callId: "c1", model: HOSTILE, usage },
    { type: "tool.start", ...call, input: { path: HOSTILE } },
    { type: "tool.end", ...call, output: HOSTILE, isError: true },
    { type: "turn.end", turnIndex: 0, outcome: "completed" },
  ];
  return {
    ...{ tenantId: HOSTILE_ID, sessionId, userId: HOSTILE, title: HOSTILE, createdAt: NOON },
    turns: [{ ...usage, updatedAt: NOON + 60_000 }],
    envelopes: events.map((event, i) => envelopeText(i, event, { tenantId: HOSTILE_ID, sessionId })),
    messages: [
      message("user", HOSTILE),
      message("assistant", [{ type: "tool_use", id: "t1", name: HOSTILE, input: { path: HOSTILE } }]),
      message("user", [{ type: "tool_result", tool_use_id: "t1", content: text, is_error: true }]),
    ],
  };
}

const A = `${HOSTILE_ID}/${HOSTILE_ID}-a`;
const B = `${HOSTILE_ID}/${HOSTILE_ID}-b`;
/** As commands print it. */
const PRINTED_A = visibleText(A);
const FOLDER = `${HOSTILE} folder`;

beforeEach(async () => {
  await homeFolder();
});

async function writeHistories(folder: string): Promise<void> {
  await writeSessions(folder, [
    session(`${HOSTILE_ID}-a`, HOSTILE),
    session(`${HOSTILE_ID}-b`, `x${HOSTILE}`),
  ]);
}

/** Nothing that a terminal obeys, or that nobody sees, but the ends of lines. */
function expectVisible({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
  expect(visibleLines(stdout)).toBe(stdout);
  expect(visibleLines(stderr)).toBe(stderr);
}

describe("what histories say", () => {
  it.each([
    ["list"],
    ["search", "own"],
    ["search", "own", "--in", "output,error"],
    ["summary", A],
    ["summary", PRINTED_A],
    ["compare", A, B],
    ["compare", PRINTED_A, B],
    ["usage", "--by", "tenant"],
    ["usage", "--by", "tool"],
  ])("is printed by %s so that all of it can be seen", async (...command) => {
    await writeHistories(FOLDER);
    const printed = await run(...command, FOLDER);
    expectVisible(printed);
    expect([printed.code, printed.stderr]).toEqual([0, ""]);
    expect(printed.stdout).toContain("\\u{202e}");
    for (const width of [40, 80, 200]) {
      const { stdout } = await runInTerminal(width, ...command, FOLDER);
      expectVisible({ stdout: stdout.replaceAll(STYLES, ""), stderr: "" });
    }
  });

  it.each([
    [0, "sources"],
    [1, "export", PRINTED_A, "--findings"],
    [0, "export", PRINTED_A, "-o", HOSTILE_ID, "--no-redact", "--force"],
    [0, "keep", "--to", `kept ${HOSTILE}`],
    [0, "keep", "--to", `kept ${HOSTILE}`, "--json"],
    [1, "why", "cart.ts"],
  ] as [number, ...string[]][])(
    "is printed so by a command that ends with %d: %s",
    async (ending, ...command) => {
      await writeHistories(`./${FOLDER}`);
      await writeFile("cart.ts", "1\n");
      const printed = await run(...command, `./${FOLDER}`);
      expectVisible(printed);
      expect(printed.code).toBe(ending);
    },
  );

  it.each([["list"], ["search", "own"], ["summary", A], ["compare", A, B]])(
    "is printed by %s --json in the escapes of JSON",
    async (...command) => {
      await writeHistories("data");
      const { stdout, stderr, code } = await run(...command, "data", "--json");
      expectVisible({ stdout, stderr });
      expect(code).toBe(0);
      const documents = command[0] === "search" ? stdout.trimEnd().split("\n") : [stdout];
      for (const text of documents) expect(JSON.stringify(JSON.parse(text))).toContain(HOSTILE_ID);
    },
  );

  it("is printed in warnings, too", async () => {
    await writeSessions("data", [session("s1", "")]);
    await mkdir(`data/tenants/${HOSTILE_ID}/sessions/${HOSTILE}`, { recursive: true });
    await writeFile(`data/tenants/${HOSTILE_ID}/sessions/${HOSTILE}/session.jsonl`, "{\n");
    expectVisible(await run("list", "data"));
  });
});

const DATABASE = "postgres://127.0.0.1:1/none";

/** Commands that end with an error which quotes part of their input, or states its origin. */
const WRONG: readonly (readonly string[])[] = [
  [HOSTILE],
  [`./${HOSTILE}/x`],
  [`--${HOSTILE}`],
  ["--source", HOSTILE],
  ["--port", HOSTILE],
  ["--host", HOSTILE, "data"],
  ["--prices", HOSTILE, "data"],
  ["--prices", "prices.json", "data"],
  ["--database-url", HOSTILE],
  ["--database-url", `postgres://127.0.0.1:1/${HOSTILE}`],
  [HOSTILE, "--database-url", DATABASE, "--import"],
  [HOSTILE, "data", "--source", "data"],
  ["list", HOSTILE],
  ["list", "data", "--limit", HOSTILE],
  ["list", "data", `--${HOSTILE}`],
  ["search", `re:(${HOSTILE}`, "data"],
  ["search", "x", HOSTILE],
  ["search", "x", "data", "--in", HOSTILE],
  ["search", "x", "data", "--session", HOSTILE],
  ["search", "x", "data", "--session", HOSTILE, "--tenant", HOSTILE],
  ["search", "x", "data", "--limit", HOSTILE],
  ["search", "x", "data", "--session", "i", "--tenant", HOSTILE_ID],
  ["export", HOSTILE, "data", "-o", "a.html", "--no-redact"],
  ["export", A, "data", "-o", `prices.json/${HOSTILE}`, "--no-redact"],
  ["help", HOSTILE],
  ["keep", "data", "--to", `prices.json/${HOSTILE}`],
  ["keep", HOSTILE, "--to", "kept"],
  ["usage", "data", "--since", HOSTILE],
  ["usage", "data", "--zone", HOSTILE],
  ["list", "data", "--filter", `${HOSTILE}:x`],
  ["why", HOSTILE, "data"],
  ["why", `prices.json:${HOSTILE}`, "data"],
  ["summary", HOSTILE, "data"],
  ["summary", `${HOSTILE}/${HOSTILE}`, "data"],
  ["summary", HOSTILE_ID, "data"],
  ["compare", A, HOSTILE, "data"],
  ["mcp", HOSTILE],
  ["collect", "--data", `prices.json/${HOSTILE}`],
  ["collect", "--port", HOSTILE],
  ["collect", "--ui-port", HOSTILE],
  ["collect", "--host", HOSTILE, "--data", "spans"],
  ["cache", HOSTILE],
  ["cache", "clear", HOSTILE],
  ["migrate", "--database-url", HOSTILE],
  ["ui", "--agent-url", HOSTILE],
  ["ui", "--agent-url", "http://127.0.0.1:1", "--header", HOSTILE],
  ["ui", "--agent-url", "http://127.0.0.1:1", "--header", `${HOSTILE}: x`],
];

it("quotes what was typed so that all of it can be seen", async () => {
  await writeHistories("data");
  await writeFile("prices.json", `{"${HOSTILE}": ${HOSTILE}`);
  for (const command of WRONG) {
    const { code, ...printed } = await run(...command);
    expect([command, code]).toEqual([command, expect.toBeOneOf([1, 2])]);
    expectVisible(printed);
  }
  for (const args of [["list"], ["search", "x"], ["search", HOSTILE]]) {
    expectVisible(await run(...args, "data", "--tenant", HOSTILE));
  }
});
