import { isDeepStrictEqual } from "node:util";
import type { InspectorDataSource } from "../../../src/index.js";
import { sized } from "../soak.js";
import { ComparedInspector, type SeenMessage, type TracedCall } from "./compared-inspector.js";
import { groupedBy, type OracleCall, type OracleMessage, type RawMessage } from "./oracle-call.js";

export interface History {
  readonly source: InspectorDataSource;
  readonly calls: readonly OracleCall[];
  readonly messages: readonly RawMessage[];
}

export interface Answer {
  calls: number;
  compared: number;
  agreed: number;
  /** Only their tokens are recorded, so neither the inspector nor the file can place them. */
  unplaced: number;
  readonly disagreements: Disagreement[];
}

export interface Disagreement {
  /** Line of the call's first record; for Gemini CLI its id. */
  readonly call: number | string;
  readonly kind:
    | "context"
    | "order"
    | "content"
    | "no context"
    | "call unknown to the inspector"
    | "call unknown to the file";
  /** Records in the file's context, but not in the inspector's. */
  readonly unseen: readonly string[];
  /** Records in the inspector's context alone. */
  readonly unduly: readonly string[];
}

/**
 * Each question reads the complete trace: a short one gets up to 20 calls, a long one fewer. The last call of each conversation is added,
 * and those that do not extend the previous context; a soak compares all.
 */
function sampleOf(envelopes: number): number {
  return sized(Math.min(20, Math.max(6, Math.round(4_000 / envelopes))), Number.POSITIVE_INFINITY);
}

/** @returns by file, and where a session's file has its sub-agents as well, by `file, sub-agents` */
export async function compareContexts({ source, calls, messages }: History): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const answerOf = (conversation: string) => {
    if (!answers.has(conversation)) {
      answers.set(conversation, { calls: 0, compared: 0, agreed: 0, unplaced: 0, disagreements: [] });
    }
    return answers.get(conversation)!;
  };
  const names = new RecordNames(messages);
  const oracle = new Map(
    calls.flatMap((call) => call.places.map((place) => [`${call.file}:${place}`, call])),
  );
  const met = new Set<unknown>();
  const inspector = new ComparedInspector(source);
  for (const session of await inspector.sessions()) {
    const { size, traced } = await inspector.modelCalls(session);
    const sample = new Set(spread(traced, sampleOf(size)));
    for (const own of groupedBy(traced, ({ agentId }) => agentId).values()) {
      const { agentId, file } = own[0]!;
      const conversation = names.of(await inspector.messages(session, agentId), file);
      let before: OracleCall | undefined;
      for (const call of own) {
        const expected = oracle.get(`${call.file}:${call.place}`);
        if (expected !== undefined)
          for (const name of [expected, expected.answerId ?? expected]) met.add(name);
        const isWithin = agentId !== "" && !call.file.includes(agentId);
        const answer = answerOf(isWithin ? `${call.file}, sub-agents` : call.file);
        answer.calls++;
        const isTurn = expected !== undefined && !goesOn(before, expected);
        before = expected;
        if (!sample.has(call) && !isTurn && call !== own.at(-1)) continue;
        const seen = await inspector.seenBy(session, call);
        if (expected === undefined && seen.length === 0) {
          answer.unplaced++;
          continue;
        }
        answer.compared++;
        const found = compare(call.place, expected, seen, conversation);
        if (found === undefined) answer.agreed++;
        else answer.disagreements.push(found);
      }
    }
  }
  for (const call of calls) {
    if (met.has(call) || met.has(call.answerId)) continue;
    answerOf(call.file).disagreements.push(
      disagreement(
        call.places[0]!,
        "call unknown to the inspector",
        call.messages.map(({ key }) => key),
      ),
    );
  }
  return answers;
}

function goesOn(before: OracleCall | undefined, call: OracleCall): boolean {
  const last = before?.messages.at(-1)?.key;
  return last === undefined || call.messages[before!.messages.length - 1]?.key === last;
}

function compare(
  place: number | string,
  expected: OracleCall | undefined,
  seen: readonly SeenMessage[],
  conversation: readonly string[],
): Disagreement | undefined {
  const found = seen.map(
    ({ index, item }) => `${conversation[index]}${item === undefined ? "" : `#${item}`}`,
  );
  if (expected === undefined) return disagreement(place, "call unknown to the file", [], found);
  const keys = expected.messages.map(({ key }) => key);
  if (isDeepStrictEqual(found, keys)) {
    const wrong = expected.messages.filter((message, at) => !says(seen[at]!, message)).map(({ key }) => key);
    return wrong.length === 0 ? undefined : disagreement(place, "content", wrong);
  }
  const unseen = keys.filter((key) => !found.includes(key));
  const unduly = found.filter((key) => !keys.includes(key));
  const kind = found.length === 0 ? "no context" : unseen.length + unduly.length === 0 ? "order" : "context";
  return disagreement(place, kind, unseen, unduly);
}

function says({ text, length }: SeenMessage, message: OracleMessage): boolean {
  const isWhole = length === text.length;
  const has = (words: string) => text.includes(words);
  if (message.gone !== undefined) return message.gone === "" || !has(message.gone);
  return !isWhole || has(message.text);
}

function disagreement(
  call: number | string,
  kind: Disagreement["kind"],
  unseen: readonly string[],
  unduly: readonly string[] = [],
): Disagreement {
  return { call, kind, unseen, unduly };
}

/** Identifies the record of an inspector's message by its content. */
class RecordNames {
  readonly #byValue = new Map<string, RawMessage[]>();

  constructor(messages: readonly RawMessage[]) {
    for (const message of messages) {
      const text = JSON.stringify(message.value);
      this.#byValue.set(text, [...(this.#byValue.get(text) ?? []), message]);
    }
  }

  /** @param file among equal records, prefers an unused one in this file */
  of(conversation: readonly object[], file: string): string[] {
    const used = new Set<RawMessage>();
    return conversation.map((value) => {
      const records = this.#byValue.get(JSON.stringify(value)) ?? [];
      const free = records.filter((one) => !used.has(one));
      const found = free.find((one) => one.file === file) ?? free[0];
      if (found === undefined) return `no record: ${JSON.stringify(value).slice(0, 80)}`;
      used.add(found);
      return found.key;
    });
  }
}

function spread(calls: readonly TracedCall[], count: number): TracedCall[] {
  if (calls.length <= count) return [...calls];
  return Array.from(
    { length: count },
    (_, at) => calls[Math.round((at * (calls.length - 1)) / (count - 1))]!,
  );
}
