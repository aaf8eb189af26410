import type { ContextRow } from "../../../src/domain/conversation/compare-contexts.js";
import type { ReadMessage } from "../../../src/domain/conversation/conversation.js";
import type { MessagePart } from "../../../src/domain/conversation/message-part.js";
import type { ToolUse } from "../../../src/domain/conversation/provenance.js";
import { filesReadBy } from "../../../src/domain/dialects/file-tools.js";
import { previewText } from "../../../src/domain/text/preview-text.js";
import { callSubject } from "../../../src/domain/text/subject.js";

/**
 * Content that was in the context of an earlier model call and is missing from that of a later call, and the parts that tools returned
 * again. Sizes are characters.
 */
export interface DroppedMessages {
  readonly size: number;
  /** The largest first. */
  readonly messages: readonly DroppedContent[];
  /** The tool calls that gave some of it again, each once, and the size of their results. */
  readonly again: { readonly calls: number; readonly size: number };
}

export interface DroppedContent {
  /** The message as it was in the earlier context. */
  readonly message: ReadMessage;
  /** Size of the dropped content: less than the message's size if a note replaces its results. */
  readonly size: number;
  /** True if the message is still in the context, without most of a tool's result. */
  readonly isCleared: boolean;
  /** The tool calls whose results it holds. */
  readonly uses: readonly ToolUse[];
  /** The first later call that gave the same again: of the same tool with the same input, or one that read the same file. */
  readonly again: CalledAgain | undefined;
}

export interface CalledAgain extends ToolUse {
  readonly same: "input" | "file";
  /** Size of its result; 0 if none is recorded. */
  readonly size: number;
  /** The index of the message that holds the result; `undefined` if none is recorded. */
  readonly messageIndex: number | undefined;
}

/** A result that retains a smaller share than this was cleared. */
const LEAST_KEPT = 0.5;
/** Later calls beyond these are not looked at. */
const MOST_CALLS = 20_000;
const MOST_OF_TEXT = 80;

/**
 * @param rows changes from the earlier call to the later call
 * @param seen context of the earlier call
 * @param later the messages after that, in their order; may include messages of that context
 */
export function droppedMessages(
  rows: readonly ContextRow[],
  seen: readonly ReadMessage[],
  later: readonly ReadMessage[],
): DroppedMessages {
  const gone = rows.flatMap(goneIn);
  const calls = callsIn(seen);
  const again = new LaterCalls(later, calls);
  const messages = gone
    .map((one): DroppedContent => {
      const given = one.message.results.flatMap(({ callId }) => calls.get(callId) ?? []);
      const found = given.map((call) => again.of(call)).find((call) => call !== undefined);
      return { ...one, uses: given.map(toolUse), again: found };
    })
    .sort((a, b) => b.size - a.size);
  const found = new Map(messages.flatMap((one) => (one.again ? [[one.again.toolCallId, one.again]] : [])));
  return {
    size: messages.reduce((sum, { size }) => sum + size, 0),
    messages,
    again: { calls: found.size, size: [...found.values()].reduce((sum, { size }) => sum + size, 0) },
  };
}

function goneIn({
  change,
  before,
  after,
}: ContextRow): Pick<DroppedContent, "message" | "size" | "isCleared">[] {
  if (change === "dropped") return [{ message: before!, size: before!.size, isCleared: false }];
  if (change !== "rewritten" || before!.results.length === 0) return [];
  const kept = after!.size;
  if (kept >= before!.size * LEAST_KEPT) return [];
  return [{ message: before!, size: before!.size - kept, isCleared: true }];
}

type CallPart = Extract<MessagePart, { type: "call" }>;

/** The calls of tools in some messages, by the vendor's ids. */
function callsIn(messages: readonly ReadMessage[]): Map<string, CallPart> {
  const calls = new Map<string, CallPart>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === "call") calls.set(part.callId, part);
  }
  return calls;
}

/** The first later calls with each input, and the first that read each file. */
class LaterCalls {
  readonly #byInput = new Map<string, CallPart>();
  readonly #byFile = new Map<string, CallPart>();
  readonly #results = new Map<string, { readonly size: number; readonly messageIndex: number }>();

  constructor(later: readonly ReadMessage[], known: ReadonlyMap<string, CallPart>) {
    let looked = 0;
    for (const { index, parts, results } of later) {
      for (const { callId, size } of results) this.#results.set(callId, { size, messageIndex: index });
      for (const part of parts) {
        if (part.type !== "call" || known.has(part.callId) || ++looked > MOST_CALLS) continue;
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
    // Whoever reads the same file reads it again, with whatever input.
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
