import type { SessionStart } from "../../application/ports/session-store.js";
import { countOf, isJsonObject, type JsonObject, present, textField } from "../../domain/json/json.js";
import { addTo } from "../../domain/lists/lists.js";
import { countsCalls, NO_PARTS } from "../../domain/session/log-counts.js";
import { type ListedSession, usageOfModels } from "../../domain/session/model-usage.js";
import { followEnvelope, followOrchestrationEvent } from "../../domain/session/session-activity.js";
import { followLog, type SessionLog } from "../../domain/session/session-log.js";
import { followUncounted } from "../../domain/session/used-calls.js";
import { instantOf, newestInstant } from "../../domain/trace/instant.js";
import { sequenceOf } from "../../domain/trace/trace-sequence-merge.js";
import { usageOf } from "../../domain/usage/token-usage.js";
import type { StoredSummary } from "./session-summary.js";
import {
  type PlacedRecord,
  type RecordColumns,
  type RecordList,
  recordOfText,
  type StoredRecord,
} from "./stored-records.js";
import { toStoredText } from "./stored-values.js";

export type WriteOperation =
  | { readonly kind: "open"; readonly start: SessionStart; readonly key: string }
  | { readonly kind: "append"; readonly list: RecordList; readonly records: readonly StoredRecord[] }
  /** Replaces records at their positions; only in an import, with a new incarnation of the session. */
  | { readonly kind: "rewrite"; readonly list: RecordList; readonly records: readonly RewrittenRecord[] }
  | { readonly kind: "replace"; readonly log: StoredRecord; readonly messages: readonly StoredRecord[] }
  | { readonly kind: "describe"; readonly item: ListedSession };

export type RewrittenRecord = StoredRecord & { readonly position: number };

export function recordsOf(operation: WriteOperation): [list: RecordList, records: readonly StoredRecord[]][] {
  switch (operation.kind) {
    case "append":
      return [[operation.list, operation.records]];
    case "replace":
      return [
        ["log", [operation.log]],
        ["messages", operation.messages],
      ];
    default:
      return [];
  }
}

export interface WriteResult {
  readonly turns: number;
}

export class SessionChanges {
  summary: StoredSummary;
  readonly added = new Map<RecordList, PlacedRecord[]>();
  readonly rewritten = new Map<RecordList, PlacedRecord[]>();
  readonly #indexed: Map<RecordList, Set<string>>;

  constructor(summary: StoredSummary, storedKeys: Map<RecordList, Set<string>>) {
    this.summary = summary;
    this.#indexed = storedKeys;
  }

  apply(operation: WriteOperation): WriteResult {
    const { turns } = this.summary.log;
    switch (operation.kind) {
      case "open":
        if (this.summary.log.createdAt === undefined) {
          const init = { type: "init", ...operation.start, title: operation.start.title ?? null };
          this.#append("log", recordOfText(JSON.stringify(init), operation.key));
        }
        break;
      case "append":
        for (const record of operation.records) this.#append(operation.list, record);
        break;
      case "rewrite":
        for (const record of operation.records) this.#rewrite(operation.list, record);
        break;
      case "replace":
        if (this.#append("log", operation.log)) this.#startConversation();
        for (const message of operation.messages) this.#append("messages", message);
        break;
      case "describe":
        this.#describe(operation.item);
        break;
      default:
        operation satisfies never;
    }
    return { turns };
  }

  #append(list: RecordList, record: StoredRecord): boolean {
    const storedKeys = this.#indexed.get(list) ?? new Set();
    if (storedKeys.has(record.key)) return false;
    this.#indexed.set(list, storedKeys.add(record.key));
    const fields = fieldsOf(list, record);
    const added = this.added.get(list) ?? [];
    this.added.set(list, added);
    added.push({ ...record, position: this.#nextPosition(list), columns: columnsOf(list, fields) });
    this.summary = follow(this.summary, list, fields);
    return true;
  }

  #rewrite(list: RecordList, record: RewrittenRecord): void {
    const fields = fieldsOf(list, record);
    addTo(this.rewritten, list, { ...record, columns: columnsOf(list, fields) });
    const size = `${list}Size` as const;
    this.summary = { ...follow(this.summary, list, fields), [size]: this.summary[size] };
  }

  #nextPosition(list: RecordList): number {
    const { messagesFirst } = this.summary;
    return this.summary[`${list}Size`] + (list === "messages" ? messagesFirst : 0);
  }

  #startConversation(): void {
    const { messagesFirst, messagesSize } = this.summary;
    this.summary = { ...this.summary, messagesFirst: messagesFirst + messagesSize, messagesSize: 0 };
  }

  #describe(item: ListedSession): void {
    const { log, addedAt, traceEnd, orchestrationEnd } = this.summary;
    const described = logOfItem(item, newestInstant(traceEnd.newest, orchestrationEnd.newest));
    const lastActive = instantOf(item.lastActive) ?? addedAt;
    const isCounted = this.summary.uncounted.length === 0;
    if (isCounted && JSON.stringify(log) === JSON.stringify(described) && addedAt === lastActive) return;
    this.summary = { ...this.summary, log: described, uncounted: [], addedAt: lastActive };
  }
}

/** Inverse of the item's derivation. Without a recorded instant, the log has none either. */
function logOfItem(item: ListedSession, recorded: number | undefined): SessionLog {
  const { userId, title, agentId, turns, tokens, usageByModel = [] } = item;
  const { directory, errors, model, prompt, lastAnswer } = item;
  const createdAt = instantOf(item.createdAt);
  const usage = usageOf(item.usage ?? { inputTokens: tokens });
  const knowsInstant = createdAt !== undefined || recorded !== undefined || turns > 0;
  return {
    userId,
    agentId,
    title,
    createdAt,
    newest: knowsInstant ? instantOf(item.lastActive) : undefined,
    turns: countOf(turns),
    turnParts: { recorded: countOf(turns), begun: 0 },
    usage,
    usageParts: { ...NO_PARTS, turns: usage, calls: usageOfModels(usageByModel) },
    usageByModel,
    ...present({ directory, errors, model, prompt, lastAnswer }),
    lastTurnAt: recorded,
    lastUsageAt: recorded,
    countedUntil: recorded,
  };
}

function follow(summary: StoredSummary, list: RecordList, fields: JsonObject): StoredSummary {
  switch (list) {
    case "trace": {
      const traceEnd = followEnvelope(summary.traceEnd, fields);
      const uncounted = followUncounted(summary.uncounted, fields, summary.log.countedUntil);
      return { ...summary, traceEnd, uncounted, traceSize: summary.traceSize + 1 };
    }
    case "orchestration": {
      const orchestrationEnd = followOrchestrationEvent(summary.orchestrationEnd, fields);
      return { ...summary, orchestrationEnd, orchestrationSize: summary.orchestrationSize + 1 };
    }
    case "log": {
      const uncounted = countsCalls(fields) ? [] : summary.uncounted;
      return { ...summary, log: followLog(summary.log, fields), uncounted, logSize: summary.logSize + 1 };
    }
    case "messages":
      return { ...summary, messagesSize: summary.messagesSize + 1 };
    default:
      return list satisfies never;
  }
}

function fieldsOf(list: RecordList, record: StoredRecord): JsonObject {
  const value: unknown = list === "messages" ? undefined : JSON.parse(textOf(record));
  return isJsonObject(value) ? value : {};
}

function columnsOf(list: RecordList, fields: JsonObject): RecordColumns {
  if (list !== "trace") return {};
  return {
    trace_id: toStoredText(textField(fields, "traceId") ?? ""),
    sequence: sequenceOf(fields.sequence),
    instant: instantOf(fields.timestamp) ?? Number.NaN,
  };
}

function textOf({ raw, text }: StoredRecord): string {
  return raw === undefined ? text : new TextDecoder().decode(raw);
}
