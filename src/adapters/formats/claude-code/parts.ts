import {
  countField,
  isJsonObject,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { recordedCostOf } from "../../../domain/usage/recorded-usage.js";
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
import type { TurnOutcome } from "../../transcripts/trace-rows.js";
import { bookkeepingOf, subtypeOf } from "./bookkeeping.js";
import * as claude from "./record.js";

export type ClaudePart =
  | TitlePart
  | CallPart
  | ResultPart
  | (PromptPart & { readonly directory: string | undefined })
  /** `text` is `undefined` where the block has none after all. */
  | (Part & { readonly is: "text"; readonly text: string | undefined })
  /** Reasoning, or whatever else a message holds. */
  | (Part & { readonly is: "block" })
  /** What the model is given that nobody typed. */
  | (Part & { readonly is: "input" })
  | (Part & { readonly is: "turn end"; readonly outcome: TurnOutcome | undefined })
  /** `endsCall` where the API answered with it; it is the last one where no further try follows. */
  | (Part & { readonly is: "error"; readonly endsCall: boolean; readonly isLast: boolean })
  | (Part & { readonly is: "compaction"; readonly durationMs: number })
  /** A hook failed, or the like. */
  | (Part & { readonly is: "failure" });

export class ClaudeRecord implements RecordParts<ClaudePart> {
  readonly parts: readonly ClaudePart[];
  readonly id: string | undefined;
  readonly instant: number | undefined;
  readonly isMessage: boolean;
  readonly #record: JsonObject;
  readonly #line: number;
  #inner: InnerRecord | undefined;

  constructor(record: JsonObject, line: number) {
    this.#record = record;
    this.#line = line;
    this.id = textField(record, "uuid");
    this.instant = instantOf(record.timestamp);
    this.isMessage = isJsonObject(record.message);
    this.parts = partsOf(record, line, this.id);
  }

  /** The agent that the record names as its own. */
  get agentId(): string | undefined {
    return textField(this.#record, "agentId");
  }

  /** Whether it is of a sub-agent that it need not name (version 1.0), and whether it is of any. */
  get isSidechain(): boolean {
    return this.#record.isSidechain === true;
  }

  get isAgents(): boolean {
    return this.isSidechain || this.#record.agentId !== undefined;
  }

  /** The record that it follows. */
  get parentId(): string | undefined {
    return textField(this.#record, "parentUuid");
  }

  /** What the model answered with; `undefined` where the record holds no answer. */
  get answer(): ClaudeAnswer | undefined {
    return answerIn(this.#record, this.#line, this.id);
  }

  /** The record of a sub-agent that it repeats. */
  get inner(): InnerRecord | undefined {
    const progress = this.#inner === undefined ? claude.agentProgress(this.#record) : undefined;
    if (progress !== undefined)
      this.#inner = new InnerRecord(progress, textField(this.#record, "parentToolUseID"), this.#line);
    return this.#inner;
  }

  sessionStart(): JsonObject {
    const { cwd, version, gitBranch } = this.#record;
    return { cwd, version, gitBranch };
  }

  callEnd(): JsonObject {
    const { requestId, costUSD } = this.#record;
    const { model, stop_reason } = objectField(this.#record, "message");
    return { model, stopReason: stop_reason ?? undefined, requestId, costUSD };
  }

  passed(): JsonObject {
    return passedThrough(this.#record);
  }

  rest(): JsonObject {
    const record = this.#record;
    if (claude.agentProgress(record) === undefined) return withoutContent(record);
    const data = objectField(record, "data");
    return { ...record, data: { ...data, message: withoutContent(objectField(data, "message")) } };
  }

  text(): string {
    return claude.textsOf(claude.blocksOf(objectField(this.#record, "message")));
  }
}

/** A record of a sub-agent that its parent's file repeats. */
export class InnerRecord extends ClaudeRecord {
  readonly ownerId: string;
  /** The call that spawned the sub-agent. */
  readonly spawnId: string | undefined;

  constructor({ agentId, inner }: claude.AgentProgress, spawnId: string | undefined, line: number) {
    super(inner, line);
    this.ownerId = agentId;
    this.spawnId = spawnId;
  }
}

/** One line of an answer. */
interface ClaudeAnswer {
  /** The call that it is a part of; `undefined` for what Claude Code itself put in the model's mouth. */
  readonly call: ReportedCall | undefined;
  /** Whether more follows because the model called a tool. */
  readonly callsTool: boolean;
}

function withoutContent(record: JsonObject): JsonObject {
  if (!isJsonObject(record.message)) return record;
  const { content: _, ...message } = record.message;
  return { ...record, message };
}

/** The event of a record that passes through. */
function passedThrough(record: JsonObject): JsonObject {
  // Words that Claude Code puts in the user's name, and that ask the model for nothing.
  if (record.type === "user") return { type: "text", role: "user" };
  const caller = record.type === "progress" ? textField(record, "parentToolUseID") : undefined;
  return {
    type: `claude-code.${textField(record, "type") ?? "unknown"}`,
    subtype: subtypeOf(record),
    toolCallId: caller ?? textField(objectField(record, "attachment"), "toolUseID"),
    ...bookkeepingOf(record),
  };
}

function answerIn(record: JsonObject, line: number, recordId: string | undefined): ClaudeAnswer | undefined {
  const message = claude.messageOf(record);
  if (record.type !== "assistant" || message === undefined || record.isApiErrorMessage === true)
    return undefined;
  const callsTool = message.stop_reason === "tool_use";
  if (message.model === "<synthetic>") return { call: undefined, callsTool };
  const call = {
    messageId: textField(message, "id"),
    recordId: toolCallIdOf(undefined, recordId, 0, line),
    model: textField(message, "model"),
    usage: claude.usageOf(message),
    hasOddCount: claude.hasOddUsage(message),
    recordedUsd: recordedCostOf(record),
  };
  return { call, callsTool };
}

/** The one place that knows the types of records; each of those that are not here passes through. */
function partsOf(record: JsonObject, line: number, id: string | undefined): readonly ClaudePart[] {
  const message = claude.messageOf(record);
  switch (record.type) {
    case "assistant":
      if (message === undefined) break;
      if (record.isApiErrorMessage === true) return [errorPart(record, true, true)];
      return claude.blocksOf(message).map((block, at) => answerPart(block, at, line, id));
    case "user":
      if (message === undefined) break;
      return userParts(record, message, line, id);
    case "system": {
      const parts = systemParts(record);
      if (parts !== undefined) return parts;
      break;
    }
    case "custom-title":
      return [{ is: "title", titles: { given: textField(record, "customTitle") } }];
    case "ai-title":
      return [{ is: "title", titles: { suggested: textField(record, "aiTitle") } }];
    case "summary": {
      const title = textField(record, "summary");
      const claim = title === undefined ? undefined : { key: textField(record, "leafUuid") ?? "", title };
      return [{ is: "title", titles: { claim } }];
    }
  }
  return bookkeepingOf(record).isError === true ? [{ is: "failure" }] : [];
}

function systemParts(record: JsonObject): readonly ClaudePart[] | undefined {
  switch (record.subtype) {
    case "turn_duration":
      return [turnEndPart(record, undefined)];
    case "api_error":
    case "error": {
      const retries = countField(record, "maxRetries");
      return [errorPart(record, false, retries === 0 || countField(record, "retryAttempt") >= retries)];
    }
    case "compact_boundary":
    case "microcompact_boundary":
      return [compactionPart(record)];
    default:
      return undefined;
  }
}

function userParts(
  record: JsonObject,
  message: JsonObject,
  line: number,
  id: string | undefined,
): readonly ClaudePart[] {
  const blocks = claude.blocksOf(message);
  switch (claude.userRecordKind(record, blocks)) {
    case "tool results":
      return blocks.map((block, at) => resultPart(block, at, record, line, id));
    case "prompt": {
      const event = () => ({ type: "turn.start", turnIndex: undefined, input: message.content });
      const directory = textField(record, "cwd");
      return [{ is: "prompt", prompt: claude.firstText(blocks), directory, asked: claude.askedIn, event }];
    }
    case "interruption":
      return [turnEndPart(record, "cancelled")];
    case "other":
      return [{ is: "input" }];
  }
}

function answerPart(block: unknown, at: number, line: number, id: string | undefined): ClaudePart {
  const type = claude.blockType(block);
  if (type !== "tool_use" || !isJsonObject(block)) return blockPart(block, at, type, undefined);
  const toolCallId = toolCallIdOf(block.id, id, at, line);
  const toolName = textField(block, "name") ?? "unknown";
  return {
    is: "call",
    block: at,
    toolCallId,
    toolName,
    event() {
      const { type: _, id: __, name, input, ...rest } = block;
      return { ...rest, type: "tool.start", toolCallId, toolName: name ?? "unknown", input };
    },
    spawn() {
      if (!claude.spawnsAgent(toolName)) return undefined;
      const input = objectField(block, "input");
      const [role, description, prompt] = ["subagent_type", "description", "prompt"].map((name) =>
        textField(input, name),
      );
      return { role, description, prompt };
    },
  };
}

function resultPart(
  block: unknown,
  at: number,
  record: JsonObject,
  line: number,
  id: string | undefined,
): ClaudePart {
  const type = claude.blockType(block);
  if (type !== "tool_result" || !isJsonObject(block)) return blockPart(block, at, type, "user");
  const toolCallId = toolCallIdOf(block.tool_use_id ?? record.sourceToolUseID, id, at, line);
  const given = objectField(record, "toolUseResult");
  return {
    is: "result",
    block: at,
    toolCallId,
    event() {
      const { type: _, tool_use_id: __, content: output, is_error, ...rest } = block;
      const refused = claude.isRefusedResult(block) ? true : undefined;
      const isError = is_error === true;
      return { ...rest, type: "tool.end", toolCallId, toolName: undefined, output, isError, refused };
    },
    end() {
      const outcome = block.is_error === true ? "failed" : "completed";
      return {
        outcome: claude.isRefusedResult(block) ? "refused" : outcome,
        agentId: textField(given, "agentId"),
        isLaunch: given.status === "async_launched" || given.isAsync === true,
      };
    },
    result() {
      const { totalDurationMs, totalTokens, totalToolUseCount } = given;
      const details = { totalDurationMs, totalTokens, totalToolUseCount };
      return { text: claude.textsOf(block.content), details };
    },
  };
}

/** @param role of a text whose author is not the model */
function blockPart(block: unknown, at: number, type: string, role: "user" | undefined): ClaudePart {
  const shown = type === "text" || type === "thinking" ? type : `claude-code.${type}`;
  const event = () => {
    if (!isJsonObject(block)) return { type: shown, value: block };
    return { ...block, type: shown, ...(role !== undefined && type === "text" ? { role } : {}) };
  };
  if (type !== "text") return { is: "block", block: at, event };
  return { is: "text", block: at, text: claude.firstText([block]), event };
}

function turnEndPart({ durationMs }: JsonObject, outcome: TurnOutcome | undefined): ClaudePart {
  return { is: "turn end", outcome, event: () => turnEndEvent({ durationMs }) };
}

/** An error of the API, which Claude Code wrote as an answer or as a record of its own. */
function errorPart(record: JsonObject, endsCall: boolean, isLast: boolean): ClaudePart {
  const event = () => {
    const { retryAttempt, maxRetries, retryInMs } = record;
    const retry = typeof retryAttempt === "number" ? { retryAttempt, maxRetries, retryInMs } : {};
    return { type: "error", error: { message: claude.errorMessage(record) }, ...retry };
  };
  return { is: "error", endsCall, isLast, event };
}

function compactionPart(record: JsonObject): ClaudePart {
  const compacted = objectField(record, "compactMetadata");
  const event = () => {
    const { trigger, preTokens, postTokens } = {
      ...objectField(record, "microcompactMetadata"),
      ...compacted,
    };
    return {
      type: "compaction.end",
      subtype: record.subtype,
      trigger,
      tokensBefore: preTokens,
      tokensAfter: postTokens,
    };
  };
  return { is: "compaction", durationMs: countField(compacted, "durationMs"), event };
}

/** The id of a tool call; one that was stored without is named by its record or line, so that its beginning has one nevertheless. */
function toolCallIdOf(id: unknown, recordId: string | undefined, block: number, line: number): string {
  if (typeof id === "string" && id !== "") return id;
  return `${recordId ?? `line ${line}`}#${block}`;
}
