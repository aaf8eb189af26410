import { recordedCostOf } from "../../../domain/dialects/recorded-usage.js";
import {
  countField,
  isJsonObject,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import * as parts from "../../transcripts/recorder/parts.js";
import * as blocks from "./block-parts.js";
import { failureIn, passedThrough, unknownTypeOf } from "./bookkeeping.js";
import { jobEndIn } from "./notification.js";
import * as claude from "./record.js";
import * as requests from "./requests.js";

type ClaudePart = Exclude<parts.CommonPart, parts.CompactionPart> | ClaudeCompactionPart;

export interface ClaudeCompactionPart extends parts.CompactionPart {
  readonly preserved: claude.PreservedRecords;
  /** Only for a micro-compaction: tool calls with cleared results. Everything else stays. */
  readonly cleared: readonly string[] | undefined;
}

export interface ClaudeRecord extends parts.RecordParts<ClaudePart> {
  readonly agentId: string | undefined;
  readonly parentId: string | undefined;
  /** As `parentId`, also over a compaction; `null` for the first record of a conversation. */
  readonly previousId: string | null | undefined;
  /** A record of a sub-agent, which it need not name (version 1.0). */
  readonly isSidechain: boolean;
  /** A record of any sub-agent. */
  readonly isAgents: boolean;
  /** A person typed it while the agent worked. */
  readonly isQueued: boolean;
  /** Message of the API that the line belongs to. */
  readonly messageId: string | undefined;
  readonly sent: requests.SentRecord | undefined;
  readonly requestId: string | undefined;
  /** `endsAnswer`: the answer called no tool. */
  readonly isAnswer: boolean;
  readonly endsAnswer: boolean;
  /** `undefined` for a text that Claude Code itself wrote in the model's name. */
  call(): ReportedCall | undefined;
  innerCalls(): readonly ReportedCall[];
  /** Copy of a sub-agent's record. */
  readonly inner?: InnerRecord | undefined;
}

interface InnerRecord extends ClaudeRecord {
  readonly ownerId: string;
  readonly spawnId: string | undefined;
}

export function readRecord(record: JsonObject, line: number): ClaudeRecord {
  const progress = claude.agentProgress(record);
  if (progress === undefined) return readPlain(record, line);
  const spawnId = textField(record, "parentToolUseID");
  return readPlain(record, line, { ...readPlain(progress.inner, line), ownerId: progress.agentId, spawnId });
}

function readPlain(record: JsonObject, line: number, inner?: InnerRecord): ClaudeRecord {
  const id = textField(record, "uuid");
  const message = objectField(record, "message");
  const isSidechain = record.isSidechain === true;
  const queued = claude.queuedPrompt(record);
  const isMessage = isJsonObject(record.message) || queued !== undefined;
  return {
    parts: partsOf(record, line, id),
    ...parts.recordedAt(record.timestamp),
    id,
    isMessage,
    version: textField(record, "version"),
    unknownType: unknownTypeOf(record),
    agentId: textField(record, "agentId"),
    parentId: textField(record, "parentUuid"),
    previousId:
      textField(record, "logicalParentUuid") ??
      (record.parentUuid === null ? null : textField(record, "parentUuid")),
    messageId: record.type === "assistant" ? textField(message, "id") : undefined,
    sent: requests.sentIn(record),
    requestId: textField(record, "requestRef"),
    isSidechain,
    isAgents: isSidechain || record.agentId !== undefined,
    isAnswer: record.type === "assistant" && isMessage && record.isApiErrorMessage !== true,
    endsAnswer: message.stop_reason !== "tool_use",
    call() {
      if (message.model === "<synthetic>") return undefined;
      return {
        messageId: textField(message, "id"),
        recordId: blocks.toolCallIdOf(undefined, id, 0, line),
        model: claude.modelOf(message),
        usage: claude.usageOf(message),
        hasOddCount: claude.hasOddUsage(message),
        recordedUsd: recordedCostOf(record),
        writtenSize: claude.writtenSize(message),
      };
    },
    innerCalls() {
      const callId = textField(message, "id") ?? blocks.toolCallIdOf(undefined, id, 0, line);
      return claude.innerCalls(message).map(({ at, model, usage }) => {
        const messageId = `${callId}#iteration-${at}`;
        return { messageId, recordId: messageId, model, retainsModel: true, usage, isBeside: true };
      });
    },
    sessionStart() {
      const { cwd, version, gitBranch } = record;
      return { cwd, version, gitBranch };
    },
    callEnd() {
      const { stop_reason } = message;
      const { requestId, costUSD } = record;
      return { model: claude.modelOf(message), stopReason: stop_reason ?? undefined, requestId, costUSD };
    },
    passed: () => passedThrough(record),
    rest() {
      if (inner === undefined) return withoutContent(record);
      const data = objectField(record, "data");
      return { ...record, data: { ...data, message: withoutContent(objectField(data, "message")) } };
    },
    text: () => parts.textIn(queued ?? claude.blocksOf(message)),
    isQueued: queued !== undefined,
    inner,
  };
}

function withoutContent(record: JsonObject): JsonObject {
  if (!isJsonObject(record.message)) return record;
  const { content: _, ...message } = record.message;
  return { ...record, message };
}

function partsOf(record: JsonObject, line: number, id: string | undefined): readonly ClaudePart[] {
  const { message } = record;
  switch (record.type) {
    case "assistant":
      if (!isJsonObject(message)) break;
      if (record.isApiErrorMessage === true) return [errorPart(record, true, true)];
      return claude.blocksOf(message).map((block, at) => blocks.callPart(block, at, line, id));
    case "user":
      if (!isJsonObject(message)) break;
      return userParts(record, message, line, id);
    case "attachment": {
      const queued = claude.queuedPrompt(record);
      if (queued !== undefined)
        return queued.map((block, at) => blocks.blockPart(block, at, { role: "user" }));
      const end = jobEndIn(record);
      return end === undefined ? otherParts(record) : [end];
    }
    case "custom-title":
      return [{ is: "title", titles: { chosen: textField(record, "customTitle") } }];
    case "ai-title":
      return [{ is: "title", titles: { suggested: textField(record, "aiTitle") } }];
    case "summary": {
      const title = textField(record, "summary");
      const claim = title === undefined ? undefined : { key: textField(record, "leafUuid") ?? "", title };
      return [{ is: "title", titles: { claim } }];
    }
    case "system":
      switch (record.subtype) {
        case "turn_duration":
          return [parts.turnEndPart(undefined, { durationMs: record.durationMs })];
        case "api_error":
        case "error": {
          const retries = countField(record, "maxRetries");
          return [errorPart(record, false, retries === 0 || countField(record, "retryAttempt") >= retries)];
        }
        case "compact_boundary":
        case "microcompact_boundary":
          return [compactionPart(record)];
      }
  }
  return otherParts(record);
}

function otherParts(record: JsonObject): readonly ClaudePart[] {
  const failure = failureIn(record);
  return failure === undefined ? [] : [{ is: "failure", cause: () => failure }];
}

function userParts(
  record: JsonObject,
  message: JsonObject,
  line: number,
  id: string | undefined,
): readonly ClaudePart[] {
  const content = claude.blocksOf(message);
  const notice = jobEndIn(record);
  const ends = notice === undefined ? [] : [notice];
  switch (claude.userRecordKind(record, content)) {
    case "tool results":
      return content.map((block, at) => blocks.resultPart(block, at, record, line, id));
    case "prompt": {
      const prompt = parts.promptPart(claude.firstText(content), () => message.content);
      return [{ ...prompt, directory: textField(record, "cwd"), promptOf: claude.promptIn }];
    }
    case "interruption":
      return [parts.turnEndPart("cancelled", { durationMs: record.durationMs })];
    case "notification":
      return [noticePart(message), ...ends];
    case "other":
      return [{ is: "input" }, ...ends];
  }
}

/** A turn without a person's prompt. */
function noticePart(message: JsonObject): parts.PromptPart {
  const event = () => ({ type: "turn.start", turnIndex: undefined, input: message.content });
  return { is: "prompt", prompt: undefined, isPrompt: false, event };
}

/** Claude Code writes API errors as answers or as separate records. */
function errorPart(record: JsonObject, endsCall: boolean, isLast: boolean): ClaudePart {
  const { retryAttempt, maxRetries, retryInMs } = record;
  const retry = typeof retryAttempt === "number" ? { retryAttempt, maxRetries, retryInMs } : {};
  const event = () => ({ type: "error", error: { message: claude.errorMessage(record) }, ...retry });
  return { is: "error", endsCall, isLast, event };
}

function compactionPart(record: JsonObject): ClaudePart {
  const compacted = objectField(record, "compactMetadata");
  const event = () => {
    const metadata = { ...objectField(record, "microcompactMetadata"), ...compacted };
    const { trigger, preTokens: tokensBefore, postTokens: tokensAfter } = metadata;
    return { type: "compaction.end", subtype: record.subtype, trigger, tokensBefore, tokensAfter };
  };
  return {
    is: "compaction",
    durationMs: countField(compacted, "durationMs"),
    preserved: claude.preservedIn(compacted),
    cleared: claude.clearedIn(record),
    event,
  };
}
