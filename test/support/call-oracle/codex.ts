import path from "node:path";
import { lineage } from "./codex-lineage.js";
import {
  beginningOf,
  listIn,
  type OracleCall,
  type OracleMessage,
  objectIn,
  type Raw,
  type RawLine,
  type RawMessage,
  textIn,
} from "./oracle-call.js";

/** Output of the model; any other item is its input. */
const MODEL_ITEMS = new Set([
  "reasoning",
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "web_search_call",
  "tool_search_call",
  "image_generation_call",
]);

/** Stream events of the model. An aborted call may have only these records. */
const MODEL_EVENTS = new Set(["agent_reasoning", "agent_reasoning_raw_content", "agent_message"]);
const MODEL_TWINS = new Set(["Reasoning", "AgentMessage", "WebSearch"]);

const NEVER_SENT = new Set(["ghost_snapshot"]);

interface Call {
  readonly places: number[];
  readonly seen: readonly OracleMessage[];
  readonly isOwn: boolean;
  /** True with an item of the answer; events alone do not count. */
  answered: boolean;
}

interface Turn {
  /** Number of messages at its start. */
  readonly from: number;
  hasPrompt: boolean;
}

/**
 * A rollout's own model calls, in order, each with the items before its first record. The base rollout (`history_base`) comes first; a
 * copied beginning is input, but its calls are not the file's own.
 */
export function callsOf(file: string): OracleCall[] {
  const lines = lineage(file);
  const ownFrom = ownBeginning(lines, path.basename(file));
  const said = promptsIn(lines);
  const calls: OracleCall[] = [];
  let history: OracleMessage[] = [];
  let turns: Turn[] = [];
  let isInTask = false;
  let call: Call | undefined;
  /** Some versions count the tokens of an answer in front of its items. */
  let countedAt: number[] = [];

  const end = (isAborted = false) => {
    const { isOwn = false, answered = false, places = [], seen: messages = [] } = call ?? {};
    if (isOwn && (answered || isAborted)) calls.push({ file: path.basename(file), places, messages });
    call = undefined;
    countedAt = [];
  };
  for (const [at, { file: name, line, record }] of lines.entries()) {
    const key = `${name}:${line}`;
    const payload = objectIn(record, "payload");
    const begin = (): Call => {
      call ??= { places: countedAt, seen: history, isOwn: at >= ownFrom, answered: false };
      call.places.push(line);
      return call;
    };
    switch (kindOf(record)) {
      case "of the model":
        begin().answered = true;
        history = [...history, itemMessage(key, payload)];
        break;
      case "given":
        end();
        history = [...history, itemMessage(key, payload)];
        break;
      case "event of the model":
        begin();
        break;
      case "counted":
        if (call === undefined) countedAt = [line];
        break;
      case "answered":
        end();
        break;
      case "over":
        end(payload.type === "turn_aborted");
        isInTask = false;
        break;
      case "task":
        end();
        isInTask = true;
        turns.push({ from: history.length, hasPrompt: false });
        break;
      case "prompt": {
        const message = textIn(payload, "message");
        const isTwin = message === undefined || said.some((text) => text.includes(squeezed(message)));
        if (!isInTask) turns.push({ from: history.length - (isTwin ? 1 : 0), hasPrompt: true });
        else turns.at(-1)!.hasPrompt = true;
        if (isTwin) break;
        end();
        history = [...history, { key, role: "user", text: beginningOf(message) }];
        break;
      }
      case "compacted": // In older versions it has only the summary.
        end();
        turns = [];
        history = listIn(payload, "replacement_history").map((item, i) => itemMessage(`${key}#${i}`, item));
        if (history.length === 0) history = [{ key, role: "user", text: beginningOf(payload.message) }];
        break;
      case "rolled back": {
        end();
        const back = turns.filter(({ hasPrompt }) => hasPrompt).at(-Number(payload.num_turns));
        history = history.slice(0, back?.from ?? 0);
        turns = turns.slice(0, back === undefined ? 0 : turns.indexOf(back));
      }
    }
  }
  end();
  return calls;
}

function kindOf(record: Raw) {
  const payload = objectIn(record, "payload");
  const { type } = payload;
  const item = objectIn(payload, "item").type;
  if (record.type === "response_item") {
    if (NEVER_SENT.has(String(type))) return undefined;
    return isOfModel(payload) ? "of the model" : "given";
  }
  if (record.type === "compacted") return "compacted";
  if (record.type === "token_usage_record") return "answered";
  if (type === "task_complete" || type === "turn_aborted") return "over";
  if (type === "thread_rolled_back") return "rolled back";
  if (type === "task_started") return "task";
  if (type === "token_count") return "counted";
  if (type === "user_message" || item === "UserMessage") return "prompt";
  return MODEL_EVENTS.has(String(type)) || MODEL_TWINS.has(String(item)) ? "event of the model" : undefined;
}

/** Messages in the inspector's list, of a rollout and its bases. */
export function messagesIn(file: string): RawMessage[] {
  return lineage(file).flatMap(({ file: name, line, record }) =>
    record.type === "response_item" ||
    record.type === "compacted" ||
    objectIn(record, "payload").type === "user_message"
      ? [{ key: `${name}:${line}`, file: name, value: record.payload }]
      : [],
  );
}

/** After a copied beginning, the own part starts at the first task whose id, which contains its time, is later than the thread's. */
function ownBeginning(lines: readonly RawLine[], file: string): number {
  const first = lines.findIndex((one) => one.file === file);
  const meta = objectIn(lines[first]?.record ?? {}, "payload");
  if (textIn(meta, "forked_from_id") === undefined || "history_base" in meta) return first;
  const at = lines.findIndex(({ record }) => {
    const { type, turn_id } = objectIn(record, "payload");
    return type === "task_started" && String(turn_id) > String(meta.id);
  });
  return at === -1 ? lines.length : at;
}

function isOfModel(item: Raw): boolean {
  return MODEL_ITEMS.has(String(item.type)) || (item.type === "message" && item.role === "assistant");
}

function itemMessage(key: string, item: Raw): OracleMessage {
  const role = textIn(item, "role") ?? (isOfModel(item) ? "assistant" : "tool");
  return { key, role, text: item.type === "message" ? beginningOf(item.content) : "" };
}

/** All parts of an item in one text. */
function promptsIn(lines: readonly RawLine[]): string[] {
  return lines.flatMap(({ record }) => {
    const item = objectIn(record, "payload");
    if (record.type !== "response_item" || item.role !== "user") return [];
    return squeezed(
      listIn(item, "content")
        .map((part) => textIn(part, "text") ?? "")
        .join(""),
    );
  });
}

function squeezed(text: string): string {
  return text.replace(/\s/g, "");
}
