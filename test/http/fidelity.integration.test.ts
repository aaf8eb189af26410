import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { temporaryFolder } from "../support/data-directory.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { askAllPages, inspect, MOUNTS } from "../support/inspector.js";
import { at } from "../support/sample.js";
import { appendLines, filesystemSource } from "../support/sources.js";

/** Texts that `JSON.parse` and `JSON.stringify` would change. */
const MESSAGES = [
  '{"role":"user","content":"big","n":12345678901234567890,"f":1.10,"e":1E400,"m":-0}',
  '{"10":"ten","9":"nine","b":1,"a":2}',
  '{ "role" : "user" , "content" : [ ] }',
  String.raw`{"role":"user","content":"\u00e9 \/ \ud83d\ude00 \ud800","__proto__":{"x":1}}`,
  '{"role":"user","role":"assistant"}',
  '{"text":"世界 🌍 é \u2028","empty":"","null":null}',
  "{}",
];

function envelopeText(sequence: number, traceId: string, more = ""): string {
  return (
    `{"zeta":1.0,"id":"${traceId}-${sequence}","timestamp":"${at(sequence)}","sequence": ${sequence} ,` +
    `"source":"runtime","sessionId":"s1","tenantId":"acme","traceId":"${traceId}",` +
    `"event":{"type":"never.seen","cost":9007199254740993,"2":0,"1":0,"sequence":99},"später":[1.50]${more}}`
  );
}

async function stored(
  files: Readonly<Record<string, readonly string[]>>,
): Promise<{ source: InspectorDataSource; dataDir: string }> {
  const dataDir = await temporaryFolder();
  for (const [file, lines] of Object.entries(files)) await appendLines(dataDir, "acme", "s1", file, lines);
  return { source: filesystemSource(dataDir), dataDir };
}

const TRACE = "/sessions/s1/trace?tenantId=acme";

describe.each(MOUNTS)("Records of a data directory, mounted at %s", (_, prefix) => {
  it("keep every byte of a message", async () => {
    const { source } = await stored({ "messages.jsonl": MESSAGES });
    const { text } = await inspect(source, prefix).ask("/sessions/s1/messages?tenantId=acme");
    expect(text).toBe(`{"messages":[${MESSAGES.join(",")}]}`);
  });

  it("keep every byte of an envelope whose sequence stays", async () => {
    const lines = [envelopeText(0, "t1"), envelopeText(1, "t1"), envelopeText(7, "t1")];
    const { source } = await stored({ "trace/events.jsonl": lines });
    const { text } = await inspect(source, prefix).ask(TRACE);
    expect(text).toBe(`{"envelopes":[${lines.join(",")}]}`);
  });

  it("keep every other byte of an envelope that is numbered anew", async () => {
    const lines = [
      envelopeText(0, "t1"),
      envelopeText(1, "t1"),
      envelopeText(0, "t2"),
      envelopeText(1, "t2"),
    ];
    const { source } = await stored({ "trace/events.jsonl": lines });
    const { text, body } = await inspect(source, prefix).ask(TRACE);
    const envelopes = body.envelopes as { id: string; sequence: number }[];
    expect(envelopes.map(({ id, sequence }) => `${id} ${sequence}`)).toStrictEqual([
      "t1-0 0",
      "t2-0 1",
      "t1-1 2",
      "t2-1 3",
    ]);
    const [a, c, b, d] = [0, 2, 1, 3].map((line, i) =>
      lines[line]?.replace(/"sequence": \d/, `"sequence": ${i}`),
    );
    expect(text).toBe(`{"envelopes":[${[a, c, b, d].join(",")}]}`);
  });

  it("are the same bytes in pages", async () => {
    const lines = [envelopeText(0, "t1"), envelopeText(1, "t1"), envelopeText(0, "t2")];
    const { source } = await stored({ "trace/events.jsonl": lines, "messages.jsonl": MESSAGES });
    const inspector = inspect(source, prefix);
    const whole = (await inspector.ask(TRACE)).text;
    const pages: string[] = [];
    for (let cursor = ""; cursor !== "null"; ) {
      const page = await inspector.ask(`${TRACE}&limit=1${cursor && `&cursor=${cursor}`}`);
      pages.push(page.text.slice('{"envelopes":['.length, page.text.lastIndexOf('],"nextCursor"')));
      cursor = String(page.body.nextCursor);
    }
    expect(`{"envelopes":[${pages.join(",")}]}`).toBe(whole);
  });

  it("are shown as they are where they lack what an envelope has", async () => {
    const odd = ["{}", '{"sequence":"x","timestamp":17,"event":null}', '{"event":{"type":"ok"}}'];
    const { source } = await stored({ "trace/events.jsonl": odd });
    const { body } = await inspect(source, prefix).ask(TRACE, { incompleteEnvelopes: true });
    expect(body.envelopes).toStrictEqual([
      { sequence: 0 },
      { sequence: 1, timestamp: 17, event: null },
      { sequence: 2, event: { type: "ok" } },
    ]);
  });
});

describe("Warnings", () => {
  it("name what could not be read, and only then", async () => {
    const lines = [envelopeText(0, "t1"), "{broken", envelopeText(1, "t1"), "null", "42"];
    const { source, dataDir } = await stored({
      "trace/events.jsonl": lines,
      "orchestration/events.jsonl": ["[]", '{"type":"run_started","runId":"r"}'],
      "messages.jsonl": ["{}", "nonsense", "{}"],
    });
    const inspector = inspect(source);
    const { body, text } = await inspector.ask(TRACE);
    expect(body.envelopes).toHaveLength(3);
    expect(body.warnings).toMatchObject([
      { file: "trace/events.jsonl", line: 2 },
      { file: "trace/events.jsonl", line: 4 },
      { file: "trace/events.jsonl", line: 5 },
      { file: "orchestration/events.jsonl", line: 1 },
    ]);
    expect(text).not.toContain(dataDir);
    const messages = await inspector.ask("/sessions/s1/messages?tenantId=acme");
    expect(messages.body).toMatchObject({
      messages: [{}, {}],
      warnings: [{ file: "messages.jsonl", line: 2 }],
    });
    expect(await askAllPages(inspector, TRACE, "envelopes", 2)).toStrictEqual(body.envelopes);
  });

  it("come with every page of what is read; those of orchestration with the pages that hold it", async () => {
    const { source } = await stored({
      "trace/events.jsonl": [envelopeText(0, "t1"), "{broken", envelopeText(1, "t1")],
      "orchestration/events.jsonl": ["nonsense", '{"type":"run_started","runId":"r"}'],
    });
    const inspector = inspect(source);
    const trace = { file: "trace/events.jsonl", line: 2 };
    const orchestration = { file: "orchestration/events.jsonl", line: 1 };
    const first = await inspector.ask(`${TRACE}&limit=1`);
    expect(first.body.warnings).toMatchObject([trace]);
    const second = await inspector.ask(`${TRACE}&limit=1&cursor=${String(first.body.nextCursor)}`);
    expect(second.body.warnings).toMatchObject([trace, orchestration]);
    const third = await inspector.ask(`${TRACE}&limit=1&cursor=${String(second.body.nextCursor)}`);
    expect(third.body).toMatchObject({ nextCursor: null, warnings: [trace, orchestration] });
    expect((await inspector.ask(`${TRACE}&limit=1000`)).body.warnings).toMatchObject([trace, orchestration]);
  });

  it("have no warning for a last line that is being written", async () => {
    const { source } = await stored({ "messages.jsonl": ['{"n":1}\n{"n":2}\n{"n":'] });
    const { body } = await inspect(source).ask("/sessions/s1/messages?tenantId=acme");
    expect(body.messages).toStrictEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe("Records of arrays", () => {
  it("keep key order, unicode and unknown fields", async () => {
    const messages = [{ z: 1, a: "世界 🌍 \u2028 \ud800", nested: { deep: [null, true] } }, {}];
    const source = handMadeSource({ loadMessages: async () => messages });
    const { text } = await inspect(source).ask("/sessions/s1/messages");
    expect(text).toBe(JSON.stringify({ messages }));
  });

  it("are the reader's: memory keeps what was stored", async () => {
    const message = { role: "user", content: "before" };
    const source = createInMemoryInspectorDataSource([{ sessionId: "s1", messages: [message] }]);
    message.content = "after";
    const { body } = await inspect(source).ask("/sessions/s1/messages");
    expect(body.messages).toStrictEqual([{ role: "user", content: "before" }]);
  });
});
