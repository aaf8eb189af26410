import type { ContextRow } from "../../../../src/domain/conversation/compare-contexts.js";
import type { ReadMessage } from "../../../../src/domain/conversation/conversation.js";
import type { MessagePart } from "../../../../src/domain/conversation/message-part.js";
import type { ToolUse } from "../../../../src/domain/conversation/provenance.js";
import { filesReadBy } from "../../../../src/domain/dialects/file-tools.js";
import { previewText } from "../../../../src/domain/text/preview-text.js";
import { callSubject } from "../../../../src/domain/text/subject.js";

/** Content of an earlier call's context that a later one lacks, and the parts that tools returned again. Sizes are in characters. */
export interface DroppedMessages {
  readonly size: number;
  readonly messages: readonly DroppedContent[];
  readonly again: { readonly calls: number; readonly size: number };
}

export interface DroppedContent {
  readonly message: ReadMessage;
  /** Less than the message if a note replaces its results. */
  readonly size: number;
  readonly isCleared: boolean;
  readonly uses: readonly ToolUse[];
  /** First later call of the same tool with the same input, or of the same file. */
  readonly again: CalledAgain | undefined;
}

export interface CalledAgain extends ToolUse {
  readonly same: "input" | "file";
  /** 0 if no result is recorded. */
  readonly size: number;
  /** Message with the result; `undefined` if none is recorded. */
  readonly messageIndex: number | undefined;
}

/** A result with a smaller remaining share was cleared. */
const LEAST_RETAINED = 0.5;
const MOST_CALLS = 20_000;
const MOST_OF_TEXT = 80;

/**
 * @param rows changes from the earlier call to the later call
 * @param context context of the earlier call
 * @param later following messages in order; may include messages of that context
 */
export function droppedMessages(
  rows: readonly ContextRow[],
  context: readonly ReadMessage[],
  later: readonly ReadMessage[],
): DroppedMessages {
  const gone = rows.flatMap(goneIn);
  const calls = callsIn(context);
  const again = new LaterCalls(later, calls);
  const messages = gone
    .map((one): DroppedContent => {
      const resultCalls = one.message.results.flatMap(({ callId }) => calls.get(callId) ?? []);
      const repeated = resultCalls.map((call) => again.of(call)).find((call) => call !== undefined);
      return { ...one, uses: resultCalls.map(toolUse), again: repeated };
    })
    .sort((a, b) => b.size - a.size);
  const repeated = new Map(messages.flatMap((one) => (one.again ? [[one.again.toolCallId, one.again]] : [])));
  return {
    size: messages.reduce((sum, { size }) => sum + size, 0),
    messages,
    again: { calls: repeated.size, size: [...repeated.values()].reduce((sum, { size }) => sum + size, 0) },
  };
}

function goneIn({
  change,
  before,
  after,
}: ContextRow): Pick<DroppedContent, "message" | "size" | "isCleared">[] {
  if (change === "dropped") return [{ message: before!, size: before!.size, isCleared: false }];
  if (change !== "rewritten" || before!.results.length === 0) return [];
  const retained = after!.size;
  if (retained >= before!.size * LEAST_RETAINED) return [];
  return [{ message: before!, size: before!.size - retained, isCleared: true }];
}

type CallPart = Extract<MessagePart, { type: "call" }>;

function callsIn(messages: readonly ReadMessage[]): Map<string, CallPart> {
  const calls = new Map<string, CallPart>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === "call") calls.set(part.callId, part);
  }
  return calls;
}

class LaterCalls {
  readonly #byInput = new Map<string, CallPart>();
  readonly #byFile = new Map<string, CallPart>();
  readonly #results = new Map<string, { readonly size: number; readonly messageIndex: number }>();

  constructor(later: readonly ReadMessage[], callParts: ReadonlyMap<string, CallPart>) {
    let looked = 0;
    for (const { index, parts, results } of later) {
      for (const { callId, size } of results) this.#results.set(callId, { size, messageIndex: index });
      for (const part of parts) {
        if (part.type !== "call" || callParts.has(part.callId) || ++looked > MOST_CALLS) continue;
        setFirst(this.#byInput, inputKey(part), part);
        for (const file of filesOf(part)) setFirst(this.#byFile, file, part);
      }
    }
  }

  of(first: CallPart): CalledAgain | undefined {
    const file = filesOf(first)
      .map((path) => this.#byFile.get(path))
      .find((call) => call !== undefined);
    const call = this.#byInput.get(inputKey(first)) ?? file;
    if (call === undefined) return undefined;
    const { size = 0, messageIndex } = this.#results.get(call.callId) ?? {};
    // A call that reads the same file counts, with any input.
    return { ...toolUse(call), same: file === undefined ? "input" : "file", size, messageIndex };
  }
}

function setFirst<Value>(values: Map<string, Value>, key: string, value: Value): void {
  if (!values.has(key)) values.set(key, value);
}

function inputKey({ name, input }: CallPart): string {
  return `${name}\n${JSON.stringify(input)}`;
}

function filesOf({ name, input }: CallPart): readonly string[] {
  const { text, paths } = callSubject(input, () => "");
  return filesReadBy({ name, subject: text, paths });
}

function toolUse({ callId, name, input }: CallPart): ToolUse {
  const { paths, text } = callSubject(input, () => "");
  return { toolCallId: callId, name, paths, text: previewText(text, MOST_OF_TEXT) };
}
