import { describe, expect, it, vi } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { ExplainLines, type LinesRequest } from "../../src/application/questions/explain-lines.js";
import { untilRead } from "../support/until-read.js";

const WRITTEN = [
  'import { priceOf } from "./prices.js";',
  "",
  "export function totalOf(basket) {",
  "  const vatRate = 0.19;",
  "  return basket.reduce((sum, one) => sum + priceOf(one), 0) * (1 + vatRate);",
  "}",
];

interface Edit {
  readonly tool: string;
  readonly input: object;
  readonly isError?: boolean;
}

function session(tenantId: string, day: number, edits: readonly Edit[]) {
  const at = (second: number) => new Date(Date.UTC(2026, 10, day, 9, 0, second)).toISOString();
  const calls = edits.map((edit, i) => ({ ...edit, id: `w${i}` }));
  const events = [
    { type: "llm.start", callId: "c1", model: "m" },
    { type: "llm.end", callId: "c1" },
    { type: "tool.start", toolCallId: "r1", toolName: "Bash", input: { command: "cat tax.md" } },
    { type: "tool.end", toolCallId: "r1", output: "Every basket has a vatRate of 0.19." },
    { type: "llm.start", callId: "c2", model: "m" },
    { type: "llm.end", callId: "c2" },
    ...calls.flatMap(({ id, tool, input, isError = false }) => [
      { type: "tool.start", toolCallId: id, toolName: tool, input },
      { type: "tool.end", toolCallId: id, output: isError ? "No such text." : "Done.", isError },
    ]),
  ];
  return {
    tenantId,
    sessionId: `s${day}`,
    userId: "",
    title: `Day ${day}`,
    createdAt: Date.UTC(2026, 10, day),
    envelopes: events.map((event, sequence) => ({
      id: `${day}-${sequence}`,
      timestamp: at(sequence),
      sequence,
      source: "runtime" as const,
      sessionId: `s${day}`,
      tenantId,
      traceId: "t",
      event,
    })),
    messages: [
      { role: "user", content: "Write totalOf for a basket." },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look at the prices." },
          { type: "tool_use", id: "r1", name: "Bash", input: { command: "cat tax.md" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "r1", content: "Every basket has a vatRate of 0.19." }],
      },
      {
        role: "assistant",
        content: calls.map(({ id, tool, input }) => ({ type: "tool_use", id, name: tool, input })),
      },
    ],
  };
}

const FILE = "/home/ada/shop/src/total.js";

const SESSIONS = [
  session("acme", 1, [{ tool: "Write", input: { file_path: FILE, content: `${WRITTEN.join("\n")}\n` } }]),
  session("acme", 2, [
    {
      tool: "Edit",
      input: { file_path: FILE, old_string: "vatRate = 0.19", new_string: "vatRate = 0.21" },
    },
    {
      tool: "Edit",
      input: { file_path: FILE, old_string: "gone", new_string: "neverWritten(basket);" },
      isError: true,
    },
  ]),
  session("globex", 3, [
    { tool: "Write", input: { file_path: "/srv/other/index.js", content: "start(serverOfGlobex);\n" } },
  ]),
];

function asking() {
  const explain = new ExplainLines(createInMemoryInspectorDataSource(SESSIONS));
  return (request: LinesRequest) =>
    untilRead(
      () => explain.execute(request),
      ({ coverage }) => coverage.unread,
    );
}

describe("why a line is there", () => {
  it("is the edit that wrote it last, wherever the project lies, and the message that said its words first", async () => {
    const { blocks, coverage } = await asking()({
      file: "src/total.js",
      text: WRITTEN[4]!,
      before: "  const vatRate = 0.21;",
      after: "}",
      line: 5,
    });
    expect(coverage).toEqual({ sessions: 2, edits: 2, unread: 0, undecided: 0 });
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toMatchObject({ from: 5, to: 5 });
    const [writer] = blocks[0]!.candidates;
    expect(writer).toMatchObject({
      sessionId: "s1",
      title: "Day 1",
      call: { id: "1-6", sequence: 6, tool: "Write" },
      evidence: { lines: { exact: 1 }, path: "checkout", isAlternative: false },
      saw: {
        call: "1-4",
        because: {
          index: 2,
          origin: "tool",
          words: ["vatRate"],
          source: { by: "tool", uses: [{ name: "Bash" }] },
        },
      },
    });
    expect(writer!.saw!.newWords).toEqual(["priceOf", "reduce", "sum", "one"]);
  });

  it("is told without a text by the number of a line of the file as it was left", async () => {
    const { blocks } = await asking()({ file: "total.js", line: 3, toLine: 4 });
    expect(blocks.map(({ from, to, candidates }) => [from, to, candidates[0]?.sessionId])).toEqual([
      [3, 3, "s1"],
      [4, 4, "s2"],
    ]);
    await expect(asking()({ file: "total.js", line: 7 })).rejects.toThrow("line of the file, which has 6");
  });

  it("follows lines that were formatted and moved", async () => {
    const text = [
      "export function other() {}",
      "export function totalOf( basket )",
      "{",
      "\tconst vatRate = 0.21",
      "\treturn basket.reduce((sum, one) =>",
      "\t\tsum + priceOf(one), 0) * (1 + vatRate)",
      "}",
      "import { priceOf } from './prices.js'",
      "neverWritten(basket);",
    ];
    const { blocks } = await asking()({
      file: "src/total.js",
      text: text.join("\n"),
      workspace: { folder: "/home/ada/shop", formerPaths: [], versions: [], commits: [] },
    });
    const writers = blocks.flatMap(({ from, to, candidates: [first] }) =>
      Array.from({ length: to - from + 1 }, () => first?.sessionId),
    );
    expect(writers).toEqual([undefined, "s1", undefined, "s2", "s1", "s1", "s1", "s1", undefined]);
  });

  it("is nobody for lines that no session wrote, and for what everybody writes", async () => {
    for (const text of ["const total = 7;", "}", "  return;", "neverWritten(basket);"]) {
      const { blocks } = await asking()({ file: "src/total.js", text });
      expect([text, blocks.map(({ candidates }) => candidates)]).toEqual([text, [[]]]);
    }
  });

  it("is not worked out while sessions are left to be read, for who asks until none is", async () => {
    const explain = new ExplainLines(createInMemoryInspectorDataSource(SESSIONS));
    const question = { file: "src/total.js", text: WRITTEN.join("\n") };
    const ask = () => explain.execute({ ...question, whileUnread: "nothing" });
    let now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      now += 10_000;
      return now;
    });
    const first = await ask();
    clock.mockRestore();
    expect(first).toEqual({
      ...{ file: "src/total.js", from: 1, to: 0, blocks: [], moreBlocks: 0 },
      coverage: { sessions: 0, edits: 0, unread: 3, undecided: 0 },
    });
    const whole = await untilRead(ask, ({ coverage }) => coverage.unread);
    expect(whole).toEqual(await asking()(question));
    expect(whole.blocks.length).toBeGreaterThan(1);
  });

  it("knows nothing of sessions that the caller may not see", async () => {
    const text = "start(serverOfGlobex);";
    const ask = asking();
    const found = await ask({ file: "index.js", text, tenants: ["globex"] });
    expect(found.blocks[0]!.candidates).toEqual([]); // one line of a file that only has the same name
    expect((await ask({ file: "/srv/other/index.js", text })).blocks[0]!.candidates).toHaveLength(1);
    const hidden = await ask({ file: "/srv/other/index.js", text, tenants: ["acme"] });
    expect(hidden).toMatchObject({ blocks: [{ candidates: [] }], coverage: { sessions: 0, edits: 0 } });
  });
});
