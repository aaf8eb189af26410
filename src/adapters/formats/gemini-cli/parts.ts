import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { ReportedCall } from "../../transcripts/calls.js";
import {
  type CallPart,
  type Part,
  type PromptPart,
  type RecordParts,
  type ResultPart,
  type TitlePart,
  turnEndEvent,
} from "../../transcripts/parts.js";
import * as gemini from "./record.js";

interface Timed {
  /** When the call began and ended, in milliseconds since the epoch; `message` is when its message came in. */
  times(message: number): gemini.CallTimes;
}

export type GeminiPart =
  | TitlePart
  | PromptPart
  | (CallPart & Timed)
  /** There as long as the call goes on, too. */
  | (ResultPart & Timed & { readonly isEnded: boolean })
  /** A text, a thought, or whatever else a message holds. */
  | (Part & { readonly is: "block" })
  /** What the model is given that nobody typed. */
  | (Part & { readonly is: "input" })
  | (Part & { readonly is: "compaction" })
  | (Part & { readonly is: "error" })
  /** The user stopped what was going on. */
  | (Part & { readonly is: "turn end" })
  /** The messages that follow inside of the record take the place of all. */
  | (Part & { readonly is: "replacement" })
  /** The messages from one on are taken back; it follows the end of the turn that it cancels. */
  | (Part & { readonly is: "rewind"; readonly messageId: string });

export class GeminiRecord implements RecordParts<GeminiPart> {
  readonly parts: readonly GeminiPart[];
  readonly id: string | undefined;
  readonly instant: number | undefined;
  readonly isMessage: boolean;
  /** Whether it is a message of any type; else it says something of the session. */
  readonly isTyped: boolean;
  readonly #record: JsonObject;
  readonly #line: number;

  constructor(record: JsonObject, line: number) {
    this.#record = record;
    this.#line = line;
    this.isTyped = typeof record.type === "string";
    this.id = textField(record, "id");
    this.instant = instantOf(record.timestamp);
    this.isMessage = record.type === "user" || record.type === "gemini";
    this.parts = partsOf(record, line);
  }

  /** Whether the model answered with it. */
  get isAnswer(): boolean {
    return this.#record.type === "gemini";
  }

  /** When the session began, in milliseconds since the epoch, where the record says that alone. */
  get begunAt(): number | undefined {
    return instantOf(this.#record.timestamp ?? this.#record.startTime);
  }

  /** A number that tells apart what the message says, and what it cost; `undefined` where it says neither. */
  get blocksKey(): number | undefined {
    const { thoughts, content } = this.#record;
    return this.parts[0]?.is === "block" ? hash53(jsonTextOf([thoughts, content])!) : undefined;
  }

  get tokensKey(): number | undefined {
    const { tokens } = this.#record;
    return isJsonObject(tokens) ? hash53(jsonTextOf(tokens)!) : undefined;
  }

  /** The model call that the message is of; `undefined` where the model was not called for it. */
  get call(): ReportedCall | undefined {
    if (!gemini.isModelCall(this.#record)) return undefined;
    return {
      messageId: this.id,
      recordId: `line ${this.#line}`,
      model: textField(this.#record, "model"),
      usage: gemini.usageOf(this.#record),
      hasOddCount: gemini.hasOddUsage(this.#record),
    };
  }

  get saysText(): boolean {
    return gemini.textsOf(this.#record.content).length > 0;
  }

  sessionStart(): JsonObject {
    const { projectHash, kind, directories } = this.#record;
    return { projectHash, sessionKind: kind, directories };
  }

  callEnd(): JsonObject {
    return { model: this.#record.model };
  }

  passed(isRepeated: boolean): JsonObject {
    const type = textField(this.#record, "type");
    const bookkeeping = "record";
    if (isRepeated) return { type: "gemini-cli.rewritten", subtype: type, bookkeeping };
    // Words that Gemini CLI puts in the user's name, and that ask the model for nothing.
    if (type === "user") return { type: "text", role: "user" };
    if (type !== undefined) return { type: `gemini-cli.${type}` };
    const { $set: set } = this.#record;
    if (!isJsonObject(set)) return { type: "gemini-cli.session", bookkeeping };
    return { type: "gemini-cli.set", subtype: Object.keys(set).join(", "), bookkeeping };
  }

  rest(): JsonObject {
    const { content, displayContent, thoughts: _, toolCalls: __, ...rest } = this.#record;
    // Of a prompt that was expanded, what was typed is shown as its input.
    if (this.#record.type === "user" && displayContent !== undefined) return { ...rest, content };
    return displayContent === undefined ? rest : { ...rest, displayContent };
  }

  text(): string {
    return textIn(this.#record);
  }
}

function textIn({ content }: JsonObject): string {
  return gemini.textsOf(content).join("\n");
}

/** The one place that knows the types of records; each of those that are not here passes through. */
function partsOf(record: JsonObject, line: number): readonly GeminiPart[] {
  if (typeof record.type !== "string") return sessionParts(record);
  switch (record.type) {
    case "gemini":
      return answerParts(record, line);
    case "user":
      return [userPart(record)];
    case "error": {
      const message = () => textIn(record) || "The API answered with an error.";
      return [{ is: "error", event: () => ({ type: "error", error: { message: message() } }) }];
    }
    default:
      return gemini.isCancellation(record) ? [TURN_END] : [];
  }
}

const TURN_END: GeminiPart = { is: "turn end", event: () => turnEndEvent({}) };

/** What is said of the session, or what takes messages back. */
function sessionParts(record: JsonObject): readonly GeminiPart[] {
  const fields = isJsonObject(record.$set) ? record.$set : record;
  const suggested = textField(fields, "summary");
  const parts: GeminiPart[] = suggested === undefined ? [] : [{ is: "title", titles: { suggested } }];
  if (Array.isArray(fields[gemini.MESSAGES])) parts.push({ is: "replacement" });
  const { $rewindTo: rewindTo } = record;
  if (typeof rewindTo !== "string") return parts;
  const event = () => ({ type: "gemini-cli.rewind", rewindTo, droppedMessages: undefined });
  return [...parts, TURN_END, { is: "rewind", messageId: rewindTo, event }];
}

function userPart(record: JsonObject): GeminiPart {
  switch (gemini.userMessageKind(record)) {
    case "prompt": {
      const said = record.displayContent ?? record.content;
      const input = () => (typeof said === "string" ? said : gemini.partsOf(said).map(gemini.blockOf));
      const event = () => ({ type: "turn.start", turnIndex: undefined, input: input() });
      return { is: "prompt", prompt: gemini.promptText(record), event };
    }
    case "summary":
      return { is: "compaction", event: () => ({ type: "compaction.end", summary: textIn(record) }) };
    default:
      return { is: "input" };
  }
}

/** Thoughts, texts and other parts of a message, then the calls in it, then their ends. */
function answerParts(record: JsonObject, line: number): readonly GeminiPart[] {
  const thoughts = Array.isArray(record.thoughts) ? record.thoughts : [];
  const events = [
    ...thoughts.map((thought) => () => gemini.thinkingOf(thought)),
    ...gemini.partsOf(record.content).map((part) => () => gemini.blockOf(part)),
  ];
  const calls = gemini.toolCallsOf(record);
  return [
    ...events.map((event, block): GeminiPart => ({ is: "block", block, event })),
    ...calls.map((call, block) => callPart(call, block, gemini.toolCallIdOf(call, block, record, line))),
    ...calls.map((call, block) => resultPart(call, block, gemini.toolCallIdOf(call, block, record, line))),
  ];
}

function callPart(call: JsonObject, block: number, toolCallId: string): GeminiPart {
  const toolName = textField(call, "name") ?? "unknown";
  return {
    is: "call",
    block,
    toolCallId,
    toolName,
    event() {
      const { id: _, name, args, result, resultDisplay, status, timestamp, ...rest } = call;
      return { ...rest, type: "tool.start", toolCallId, toolName, input: args };
    },
    spawn() {
      if (textField(call, "agentId") === undefined) return undefined;
      return { role: toolName, description: textField(call, "description"), prompt: undefined };
    },
    times: (message) => gemini.timesOf(call, message),
  };
}

function resultPart(call: JsonObject, block: number, toolCallId: string): GeminiPart {
  const outcome = gemini.outcomeOf(call);
  return {
    is: "result",
    block,
    toolCallId,
    isEnded: gemini.isEnded(call),
    event() {
      const toolName = textField(call, "name") ?? "unknown";
      const ended = { isError: outcome !== "completed", refused: outcome === "refused" ? true : undefined };
      const { status, resultDisplay } = call;
      const output = gemini.outputOf(call);
      return { type: "tool.end", toolCallId, toolName, output, ...ended, status, resultDisplay };
    },
    end: () => ({ outcome, agentId: textField(call, "agentId"), isLaunch: false }),
    result() {
      const output = gemini.outputOf(call);
      return { text: typeof output === "string" ? output : (jsonTextOf(output) ?? "") };
    },
    times: (message) => gemini.timesOf(call, message),
  };
}
