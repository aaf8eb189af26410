import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import * as parts from "../../transcripts/recorder/parts.js";
import * as gemini from "./record.js";

export type GeminiPart =
  | Exclude<parts.CommonPart, parts.CallPart | parts.ResultPart>
  | (parts.CallPart & Timed)
  | (parts.ResultPart & Timed & { readonly isEnded: boolean })
  | (parts.Part & { readonly is: "replacement"; readonly messageIds: readonly string[] })
  /** Takes back messages from this one. Follows the end of the turn that it cancels. */
  | (parts.Part & { readonly is: "rewind"; readonly messageId: string });

interface Timed {
  /** In milliseconds since the epoch; `message` is the time of its message. */
  times(message: number): gemini.CallTimes;
}

export interface GeminiRecord extends parts.RecordParts<GeminiPart> {
  /** Start of the session in milliseconds since the epoch, for records without an instant. */
  readonly begunAt: number | undefined;
  readonly isTyped: boolean;
  readonly isAnswer: boolean;
  readonly saysText: boolean;
  /** `undefined` if the model was not called for the message. */
  call(): ReportedCall | undefined;
  /** Hashes of content and cost; `undefined` without them. */
  blocksKey(): number | undefined;
  tokensKey(): number | undefined;
}

export function readRecord(record: JsonObject, line: number): GeminiRecord {
  const { type, timestamp, startTime, content, thoughts, tokens, model, projectHash, directories } = record;
  const id = textField(record, "id");
  const read = partsOf(record, line);
  return {
    parts: read,
    ...parts.recordedAt(timestamp),
    id,
    begunAt: instantOf(timestamp) ?? instantOf(startTime),
    isMessage: type === "user" || type === "gemini",
    unknownType: unknownTypeOf(record),
    isTyped: typeof type === "string",
    isAnswer: type === "gemini",
    saysText: gemini.textsOf(content).length > 0,
    call() {
      if (!gemini.isModelCall(record)) return undefined;
      const facts = { usage: gemini.usageOf(record), hasOddCount: gemini.hasOddUsage(record) };
      return { messageId: id, recordId: `line ${line}`, model: textField(record, "model"), ...facts };
    },
    blocksKey: () => (read[0]?.is === "block" ? hash53(jsonTextOf([thoughts, content])!) : undefined),
    tokensKey: () => (isJsonObject(tokens) ? hash53(jsonTextOf(tokens)!) : undefined),
    sessionStart: () => ({ projectHash, sessionKind: record.kind, directories }),
    callEnd: () => ({ model }),
    passed: (isRepeated) => passedThrough(record, isRepeated),
    rest() {
      const { content: _, displayContent, thoughts: __, toolCalls: ___, ...rest } = record;
      if (type === "user" && displayContent !== undefined) return { ...rest, content };
      return displayContent === undefined ? rest : { ...rest, displayContent };
    },
    text: () => textIn(record),
  };
}

const TYPES = new Set(["user", "gemini", "error", "info", "warning"]);

function unknownTypeOf({ type }: JsonObject): string | undefined {
  return typeof type !== "string" || TYPES.has(type) ? undefined : type;
}

function passedThrough(record: JsonObject, isRepeated: boolean): JsonObject {
  const type = textField(record, "type");
  const bookkeeping = "record";
  if (isRepeated) return { type: "gemini-cli.rewritten", subtype: type, bookkeeping };
  // Gemini CLI wrote these words in the user's name; they request nothing.
  if (type === "user") return { type: "text", role: "user" };
  if (type !== undefined) return { type: `gemini-cli.${type}` };
  const { $set: set } = record;
  if (!isJsonObject(set)) return { type: "gemini-cli.session", bookkeeping };
  return { type: "gemini-cli.set", subtype: Object.keys(set).join(", "), bookkeeping };
}

function textIn({ content }: JsonObject): string {
  return gemini.textsOf(content).join("\n");
}

function partsOf(record: JsonObject, line: number): readonly GeminiPart[] {
  if (typeof record.type !== "string") return sessionParts(record);
  switch (record.type) {
    case "gemini":
      return answerParts(record, line);
    case "user":
      return [userPart(record)];
    case "error": {
      const message = () => textIn(record) || "The API answered with an error.";
      return [{ is: "error", isLast: true, event: () => ({ type: "error", error: { message: message() } }) }];
    }
    default:
      return gemini.isCancellation(record) ? [TURN_END] : [];
  }
}

const TURN_END = parts.turnEndPart("cancelled", {});

function sessionParts(record: JsonObject): readonly GeminiPart[] {
  const fields = isJsonObject(record.$set) ? record.$set : record;
  const suggested = textField(fields, "summary");
  const titles: GeminiPart[] = suggested === undefined ? [] : [{ is: "title", titles: { suggested } }];
  const messages = fields[gemini.MESSAGES];
  if (Array.isArray(messages)) {
    const messageIds = messages.flatMap((one) => (isJsonObject(one) ? (textField(one, "id") ?? []) : []));
    titles.push({ is: "replacement", messageIds });
  }
  const { $rewindTo: rewindTo } = record;
  if (typeof rewindTo !== "string") return titles;
  const event = () => ({ type: "gemini-cli.rewind", rewindTo, droppedMessages: undefined });
  return [...titles, TURN_END, { is: "rewind", messageId: rewindTo, event }];
}

function userPart(record: JsonObject): GeminiPart {
  switch (gemini.userMessageKind(record)) {
    case "prompt": {
      const titles = record.displayContent ?? record.content;
      return parts.promptPart(gemini.promptText(record), () =>
        typeof titles === "string" ? titles : gemini.partsOf(titles).map(gemini.blockOf),
      );
    }
    case "summary":
      return { is: "compaction", event: () => ({ type: "compaction.end", summary: textIn(record) }) };
    default:
      return { is: "input" };
  }
}

function answerParts(record: JsonObject, line: number): readonly GeminiPart[] {
  const thoughts = Array.isArray(record.thoughts) ? record.thoughts : [];
  const titles = gemini.partsOf(record.content);
  const calls = gemini.toolCallsOf(record).map((call, at) => {
    const toolCallId = gemini.toolCallIdOf(call, at, record, line);
    return [callPart(call, at, toolCallId), resultPart(call, at, toolCallId)] as const;
  });
  return [
    ...thoughts.map((one, at) => blockPart(at, () => gemini.thinkingOf(one))),
    ...titles.map((one, at) => blockPart(thoughts.length + at, () => gemini.blockOf(one))),
    ...calls.map(([begin]) => begin),
    ...calls.map(([, end]) => end),
  ];
}

function blockPart(block: number, event: () => JsonObject): GeminiPart {
  return { is: "block", block, event };
}

function callPart(call: JsonObject, block: number, toolCallId: string): GeminiPart {
  const toolName = textField(call, "name") ?? "unknown";
  return {
    is: "call",
    block,
    toolCallId,
    toolName,
    event() {
      // The agent that the call runs is not its owner.
      const { id: _, name, args, result, resultDisplay, status, timestamp, agentId, ...rest } = call;
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
      const { status, resultDisplay } = call;
      const ended = { output: gemini.outputOf(call), ...parts.failureOf(outcome), status, resultDisplay };
      return { type: "tool.end", toolCallId, toolName, ...ended };
    },
    end: () => ({ outcome, agentId: textField(call, "agentId"), isLaunch: false }),
    result() {
      const output = gemini.outputOf(call);
      return { text: typeof output === "string" ? output : (jsonTextOf(output) ?? "") };
    },
    times: (message) => gemini.timesOf(call, message),
  };
}
