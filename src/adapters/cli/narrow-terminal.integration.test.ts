import { mkdir, writeFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { envelopeText, NOON } from "../../../test/contract/fixture.js";
import { homeFolder, run, runInTerminal } from "../../../test/support/command-line.js";
import { writeSessions } from "../../../test/support/data-directory.js";

const WIDTHS = [40, 60, 80, 100, 200];
const TITLE =
  "カートの合計を直す 👩\u200d👩\u200d👧 and e\u0301crire a test for the total of the cart, then a second one";
const TOOL = "mcp__github__create_or_update_pull_request_review";
const usage = {
  inputTokens: 1_234_567,
  outputTokens: 20_000,
  cacheReadTokens: 9_876_543,
  cacheWriteTokens: 55_000,
};

/** Width of this test's characters, counted by hand. */
function columnsOf(line: string): number {
  const plain = stripVTControlCharacters(line)
    .replaceAll("👩\u200d👩\u200d👧", "##")
    .replaceAll("e\u0301", "e");
  return [...plain].reduce((sum, character) => sum + (/[\u3000-\u9fff]/.test(character) ? 2 : 1), 0);
}

beforeEach(async () => {
  await homeFolder();
  await mkdir("cart");
  await writeFile("cart/total.ts", "export const total = 86400;\n".repeat(3));
  const sessions = ["0bf6e6a4-3c2d-4a0e-9e0b-000000000001", "日本語のセッション-0002"].map((sessionId, i) => {
    const key = { tenantId: "-srv-shop-cart-service-of-the-shop", sessionId };
    const input = {
      file_path: `/srv/shop/cart/${i === 0 ? "total" : "other"}.ts`,
      content: "export const total = 86400;\n",
    };
    const call = (n: number, toolName: string) => [
      { type: "tool.start", toolCallId: `t${n}`, toolName, input },
      {
        type: "tool.end",
        toolCallId: `t${n}`,
        toolName,
        output: "No route to host ".repeat(9),
        isError: n > i,
      },
    ];
    const events = [
      { type: "turn.start", turnIndex: 0, input: TITLE },
      { type: "llm.start", callId: "c1", model: "claude-sonnet-4-5-20250929" },
      { type: "llm.end", callId: "c1", model: "claude-sonnet-4-5-20250929", usage },
      ...[call(0, "Write"), call(1, TOOL), call(2, TOOL)].flat(),
      { type: "hologram" },
      { type: "turn.end", turnIndex: 0, outcome: "completed" },
    ];
    return {
      ...{ ...key, userId: "ada", title: TITLE, createdAt: NOON },
      turns: [{ ...usage, updatedAt: NOON + 60_000 }],
      envelopes: events.map((event, sequence) => envelopeText(sequence, event, key)),
      messages: [JSON.stringify({ role: "user", content: `${TITLE} ${i}` })],
    };
  });
  await writeSessions("data", sessions);
});

const FITTING: readonly (readonly string[])[] = [
  ["list", "data"],
  ["usage", "data"],
  ...["project", "model", "tool", "user"].map((by) => ["usage", "data", "--by", by]),
  ["search", "total", "data"],
  ["search", "total", "data", "--session", "0bf6"],
  ["summary", "0bf6", "data"],
  ["compare", "0bf6", "日本", "data"],
  ["why", "cart/total.ts", "data"],
  ["sources", "data"],
];

describe("In a terminal", () => {
  it.each(FITTING)("%s %s %s %s fits every width", async (...command) => {
    const args = command.filter((one) => one !== undefined);
    for (const width of WIDTHS) {
      const { stdout, code } = await runInTerminal(width, ...args);
      expect([width, code]).toEqual([width, 0]);
      const wide = stdout.split("\n").filter((line) => columnsOf(line) > width);
      // A word is not broken: a terminal displays it on two lines, and it can be copied.
      expect([width, wide.filter((line) => /\S\s+\S/.test(line))]).toEqual([width, []]);
      if (args[0] === "list" || args[0] === "usage") expect([width, wide]).toEqual([width, []]);
    }
  });

  it("list drops the least important columns first, and cuts names and titles", async () => {
    const header = async (width: number) =>
      (await runInTerminal(width, "list", "data")).stdout.split("\n")[0]!.split(/ {2,}/);
    expect(await header(40)).toEqual(["SESSION", "TITLE"]);
    expect(await header(60)).toEqual(["LAST ACTIVE", "SESSION", "TITLE"]);
    expect(await header(80)).toEqual(["LAST ACTIVE", "STATUS", "TOKENS", "COST", "SESSION", "TITLE"]);
    expect((await header(200)).length).toBe(8);
    expect(await header(20)).toEqual(["SESSION"]);
  });

  it("columns stand one below the other where characters are wide", async () => {
    const { stdout } = await runInTerminal(100, "list", "data");
    const starts = stdout
      .trimEnd()
      .split("\n")
      .map((line) => columnsOf(line.slice(0, line.search(/TITLE|カ/))));
    expect(new Set(starts).size).toBe(1);
  });
});

it("where there is no terminal, nothing is cut", async () => {
  const { stdout } = await run("list", "data");
  expect(stdout.match(new RegExp(TITLE, "g"))).toHaveLength(2);
  expect(stdout).toContain("-srv-shop-cart-service-of-the-shop/日本語のセッション-0002");
  for (const args of FITTING) {
    const all = await run(...args);
    expect(all.stdout).not.toContain("\u001b");
  }
});
