import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/soak.js";
import type { JsonObject } from "../json/json.js";
import { BytesCount } from "./bytes-account.js";

const LONG = "x".repeat(300);
const PIXELS = "iVBORw0KGgo=".repeat(20);

function accountOf(...events: readonly JsonObject[]) {
  const count = new BytesCount();
  for (const [i, event] of events.entries()) {
    const envelope = { id: `e${i}`, event };
    count.add(envelope, Buffer.byteLength(JSON.stringify(envelope)));
  }
  return count.result();
}

describe("what a record is", () => {
  const cases: readonly (readonly [event: JsonObject, kind: string])[] = [
    [{ type: "turn.start", input: "Go." }, "prompts"],
    [{ type: "text", role: "user", text: "Go." }, "prompts"],
    [{ type: "text", text: "Gone." }, "answers"],
    [{ type: "text", role: "model", text: "Gone." }, "answers"],
    [{ type: "thinking", text: "", encrypted: true, record: { encrypted_content: LONG } }, "reasoning"],
    [{ type: "llm.start", messages: [] }, "modelCalls"],
    [{ type: "llm.end", usage: {} }, "modelCalls"],
    [{ type: "tool.start", input: {} }, "toolInputs"],
    [{ type: "tool.end", output: LONG }, "toolResults"],
    [{ type: "acme.hook", bookkeeping: "hook" }, "bookkeeping"],
    [{ type: "acme.file-history-snapshot", bookkeeping: "record" }, "snapshots"],
    [{ type: "compaction.end" }, "other"],
    [{}, "other"],
  ];
  for (const [event, kind] of cases) {
    it(`is ${kind} of ${JSON.stringify(event).slice(0, 60)}`, () => {
      expect(accountOf(event).parts.map((part) => part.kind)).toEqual([kind]);
    });
  }
});

describe("the account of bytes", () => {
  it("is nothing without records", () => {
    expect(new BytesCount().result()).toEqual({ bytes: 0, records: 0, parts: [], largest: [], images: 0 });
  });

  it("has the base64 of images apart, wherever it lies, and leaves addresses where they are", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXELS } };
    const address = { type: "image", source: { type: "url", url: `https://example.test/${LONG}` } };
    const { parts, images, largest } = accountOf(
      { type: "tool.end", output: [image, address], record: { images: [`data:image/png;base64,${PIXELS}`] } },
      { type: "tool.end", output: [image] },
    );
    expect(images).toBe(3);
    expect(parts.find(({ kind }) => kind === "images")).toEqual({
      kind: "images",
      bytes: 3 * PIXELS.length,
      records: 2,
    });
    expect(largest.map(({ id, kind }) => [id, kind])).toEqual([
      ["e0", "toolResults"],
      ["e1", "images"],
    ]);
  });

  it("tells a long result that was there before", () => {
    const { parts } = accountOf(
      { type: "tool.end", output: LONG },
      { type: "tool.end", output: LONG, toolCallId: "again" },
      { type: "tool.end", output: [LONG] },
      { type: "tool.end", output: "ok" },
      { type: "tool.end", output: "ok" },
    );
    expect(parts.map(({ kind, records }) => [kind, records])).toEqual([
      ["toolResults", 4],
      ["repeatedResults", 1],
    ]);
  });

  it("names the 20 largest records, the largest first", () => {
    const sizes = Array.from({ length: 60 }, (_, i) => 10 + ((i * 7) % 30));
    const { largest } = accountOf(...sizes.map((size) => ({ type: "text", text: "é".repeat(size) })));
    const expected = sizes
      .map((size, i) => ({ id: `e${i}`, size }))
      .sort((a, b) => b.size - a.size || Number(a.id.slice(1)) - Number(b.id.slice(1)));
    const order = (ids: readonly string[]) => ids.map((id) => sizes[Number(id.slice(1))]);
    expect(order(largest.map(({ id }) => id))).toEqual(order(expected.slice(0, 20).map(({ id }) => id)));
    expect(largest).toHaveLength(20);
  });

  it("names the first ones first of those that are as large", () => {
    const { largest } = accountOf(...Array.from({ length: 5 }, () => ({ type: "text", text: "same" })));
    expect(largest.map(({ id }) => id)).toEqual(["e0", "e1", "e2", "e3", "e4"]);
  });

  it("adds up to all bytes, whatever the records hold", () => {
    const event = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom("text", "thinking", "tool.end", "tool.start", "turn.start", "error"),
        output: fc.oneof(fc.constant(LONG), fc.jsonValue()),
        images: fc.array(fc.constantFrom(`data:image/png;base64,${PIXELS}`, "data:image/png", "é")),
      }),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { bytes, parts, largest, records } = accountOf(...(events as JsonObject[]));
        const all = events.map((one, i) => Buffer.byteLength(JSON.stringify({ id: `e${i}`, event: one })));
        const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
        expect(bytes).toBe(sum(all));
        expect(sum(parts.map((part) => part.bytes))).toBe(bytes);
        const own = parts.filter(({ kind }) => kind !== "images");
        expect(sum(own.map((part) => part.records))).toBe(records);
        expect(largest.map((one) => one.bytes)).toEqual(all.sort((a, b) => b - a).slice(0, 20));
      }),
      { numRuns: runs(500), seed: 4 },
    );
  });
});
