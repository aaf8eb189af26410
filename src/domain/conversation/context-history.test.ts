import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json.js";
import { readEventFacts } from "../spans/event-facts.js";
import { contextCalls } from "./context-calls.js";
import { ContextHistory } from "./context-history.js";
import { contextOf } from "./context-messages.js";
import { readMessage } from "./conversation.js";
import { provenanceOf } from "./provenance.js";

/** Repeatable numbers from 0 up to, but without, `below`. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const LENGTHS = [0, 3, 79, 199, 200, 201, 5_000];

/** A conversation with few different texts, inputs and files, and some compactions. */
function conversation(seed: number): JsonObject[] {
  const next = random(seed);
  const text = () => `${"ab"[next(2)]!.repeat(LENGTHS[next(LENGTHS.length)]!)}${next(3)}`;
  const messages: JsonObject[] = [{ role: "user", content: text() }];
  for (let n = 0; n < 25; n++) {
    const id = `t${n}`;
    const input =
      next(2) === 0 ? { file_path: `${next(3)}.ts`, note: text() } : { command: text(), deep: [[text()]] };
    const use = { type: "tool_use", id, name: next(2) === 0 ? "Read" : "Edit", input };
    messages.push(
      { role: "assistant", id: `m${n}`, content: [{ type: "thinking", thinking: text() }, use] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text() }] },
    );
    if (next(8) === 0) messages.push({ role: "user", content: `<summary>${text()}</summary>` });
    if (next(8) === 0) messages.push({ role: "user", content: text() });
  }
  return messages;
}

/** A history with a trace of such calls, and one requested call. */
function historyOf(answers: readonly string[], prompt: string, members: (at: number) => object = () => ({})) {
  const history = new ContextHistory();
  const events = answers.flatMap((callId, at) => [
    { type: "llm.start", callId, ...members(at) },
    { type: "llm.end", callId, messageId: callId },
  ]);
  for (const [i, event] of events.entries()) {
    const envelope = { id: `e${i}`, timestamp: new Date(i).toISOString(), traceId: "t", event };
    history.addEnvelope(envelope, readEventFacts(envelope, i, 0));
  }
  return { history, agentId: history.find(prompt, []) };
}

describe("what is known of contexts by digests of messages", () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    "is what whole messages say, of random ones (%i)",
    (seed) => {
      const records = conversation(seed + 1);
      const messages = records.map((record, i) => readMessage(record, i));
      const calls = contextCalls(messages);
      const contexts = {
        count: calls.length,
        messages,
        isSubAgent: false,
        contextOf: (at: number) => contextOf(messages, calls[at]!),
        removalsBefore: (at: number) => calls[at]!.removals,
      };
      for (const call of [0, Math.floor(calls.length / 2), calls.length - 1]) {
        const { history, agentId } = historyOf(
          calls.map(({ answerId }) => answerId!),
          `e${2 * call}`,
        );
        expect(agentId).toBe("");
        for (const record of records) history.addMessage(record);
        for (const message of messages) {
          const isInContext = contexts.contextOf(call).includes(message)
            ? provenanceOf(contexts, call, message)
            : undefined;
          const provenance = history.provenance({ index: message.index });
          expect(provenance?.source).toEqual(isInContext?.source);
          expect(provenance?.firstSeen.index).toBe(isInContext?.firstContext);
          expect(provenance?.rewrittenAt.map(({ index }) => index)).toEqual(isInContext?.rewrittenAt);
          expect(provenance?.dropped?.index).toBe(isInContext?.dropped?.at);
          expect(provenance?.dropped?.byCompaction).toBe(isInContext?.dropped?.byCompaction);
          expect(provenance?.repetitions).toEqual(isInContext?.repetitions);
        }
      }
    },
  );

  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    "is the same of contexts that calls record (%i)",
    (seed) => {
      const next = random(seed + 7);
      const pool = conversation(seed + 1).slice(0, 12);
      const calls = Array.from({ length: 6 }, (_, at) =>
        pool
          .slice(0, 2 * at + 2)
          .map((record) => (next(6) === 0 ? { role: record.role!, content: "(cleared)" } : record)),
      );
      const visited = calls.map((records, at) =>
        records.map((record, i) => readMessage(record as JsonObject, -(at + 1) * 1_000 + i)),
      );
      const contexts = {
        count: calls.length,
        messages: [],
        isSubAgent: false,
        contextOf: (at: number) => visited[at]!,
        removalsBefore: () => [],
      };
      for (const [call, messages] of visited.entries()) {
        const { history } = historyOf(
          calls.map((_, i) => `c${i}`),
          `e${2 * call + 1}`,
          (at) => ({ messages: calls[at] }),
        );
        for (const [index, message] of messages.entries()) {
          const isInContext = provenanceOf(contexts, call, message);
          const provenance = history.provenance({ index });
          expect(provenance?.firstSeen.index).toBe(isInContext?.firstContext);
          expect(provenance?.rewrittenAt.map((one) => one.index)).toEqual(isInContext?.rewrittenAt);
          expect(provenance?.dropped?.index).toBe(isInContext?.dropped?.at);
          expect(provenance?.source).toEqual(isInContext?.source);
          expect(provenance?.repetitions).toEqual(isInContext?.repetitions);
        }
        expect(history.provenance({ index: messages.length })).toBeUndefined();
      }
    },
  );
});
