import { countField, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import * as parts from "../../transcripts/recorder/parts.js";
import { completedParts } from "./completed-items.js";
import {
  type CodexPart,
  compactionPart,
  promptParts,
  spawnPart,
  textEvent,
  textPart,
  thinkingPart,
  turnEndPart,
} from "./part-kinds.js";
import { type Entry, entryOf, isHuman, isTyped, promptIn, thoughtsOf } from "./record.js";
import { BOOKKEEPING, unknownTypeOf } from "./registered-types.js";
import * as tools from "./tools.js";
import { callUsagePart, usagePart } from "./usage.js";

const CONTENT =
  /^(content|message|text|summary|arguments|input|action|(aggregated_|formatted_)?output|stdout|changes|result|replacement_history)$/;

export function readRecord(record: JsonObject, line: number): parts.RecordParts<CodexPart> {
  const entry = entryOf(record);
  const { type, payload, kind, instant, hasOddInstant } = entry;
  return {
    parts: partsOf(entry, line),
    instant,
    hasOddInstant,
    isMessage: tools.isMessage(entry),
    version: type === "session_meta" ? textField(payload, "cli_version") : undefined,
    unknownType: unknownTypeOf(entry),
    sessionStart() {
      const { cwd, cli_version: version, originator, source, model_provider: provider } = payload;
      return { cwd, version, gitBranch: objectField(payload, "git").branch, originator, source, provider };
    },
    passed(isRepeated) {
      const name = (type === "event_msg" || type === "response_item" ? kind : type) || "unknown";
      const bookkeeping = BOOKKEEPING.has(name) ? "record" : undefined;
      const item = objectField(payload, "item");
      const toolCallId = textField(payload, "call_id");
      const subtype = textField(item, "type");
      return {
        type: `codex.${name}`,
        subtype,
        bookkeeping,
        toolCallId,
        repeats: isRepeated ? true : undefined,
      };
    },
    rest() {
      const rest = Object.fromEntries(Object.entries(payload).filter(([member]) => !CONTENT.test(member)));
      return payload === record ? rest : { ...record, payload: rest };
    },
    text: () => parts.textIn(payload.content ?? payload.message),
  };
}

function partsOf({ type, payload, kind }: Entry, line: number): readonly CodexPart[] {
  switch (type) {
    case "response_item":
      return itemParts(payload, kind, line);
    case "event_msg":
      return eventParts(payload, kind, line);
    case "compacted":
      return [compactionPart(payload, "item")];
    case "token_usage_record":
      return [callUsagePart(payload)];
    case "turn_context":
      return [settingsPart(payload)];
    case "session_meta": {
      const before = textField(objectField(payload, "history_base"), "thread_id");
      const isFork = textField(payload, "forked_from_id") !== undefined;
      return [{ is: "session", isContinued: before !== undefined, isFork }];
    }
    default:
      return [];
  }
}

/** The tier is absent unless stated: it applies until the next one. */
function settingsPart(settings: JsonObject): CodexPart {
  const { service_tier: tier } = settings;
  // Codex calls the tier of OpenAI by another name, too.
  return { is: "settings", model: textField(settings, "model"), tier: tier === "fast" ? "priority" : tier };
}

function itemParts(payload: JsonObject, kind: string, line: number): readonly CodexPart[] {
  switch (kind) {
    case "message": {
      const text = promptIn(payload.content);
      if (payload.role === "assistant") return [textPart(payload, kind, "item", text)];
      if (payload.role === "user" && (isHuman(payload) ?? isTyped(text)))
        return promptParts(payload, kind, "item", text);
      return [{ is: "input", event: () => textEvent(payload, kind) }];
    }
    case "agent_message":
      return promptParts(payload, kind, undefined, parts.textIn(payload.content));
    case "reasoning": {
      const thoughts = thoughtsOf(payload);
      if (thoughts.length === 0) return [thinkingPart("item", undefined, 0)];
      return thoughts.map((text, block) => thinkingPart("item", text, block));
    }
  }
  if (tools.OUTPUT.test(kind)) return [tools.resultPart(payload, "item", line)];
  if (!tools.CALL.test(kind)) return [];
  const call = tools.callPart(payload, line);
  return tools.RUN_BY_MODEL.test(kind) ? [call, tools.resultPart(payload, "item", line, true)] : [call];
}

const INJECTED: ReadonlySet<unknown> = new Set(["user_instructions", "environment_context"]);

function eventParts(payload: JsonObject, kind: string, line: number): readonly CodexPart[] {
  switch (kind) {
    case "user_message": {
      const text = parts.textIn(payload.message);
      // Versions of 2025 also announce texts that Codex itself adds.
      const isAdded = INJECTED.has(payload.kind) || !isTyped(text);
      return isAdded ? [{ is: "twin" }] : promptParts(payload, kind, "event", text);
    }
    case "agent_message":
      return [textPart(payload, kind, "event", parts.textIn(payload.message))];
    case "agent_reasoning":
    case "agent_reasoning_raw_content": {
      const [visible] = parts.textsIn(payload.text);
      return [{ ...thinkingPart("event", visible, 0), text: parts.textIn(payload.text) }];
    }
    case "thread_settings_applied":
      return [settingsPart(objectField(payload, "thread_settings"))];
    case "task_started":
      return [{ is: "task" }];
    case "task_complete": {
      const { error } = payload;
      const outcome = error === undefined || error === null ? undefined : "failed";
      return [turnEndPart(payload, outcome)];
    }
    case "turn_aborted":
      return [turnEndPart(payload, "cancelled")];
    case "error": {
      const { message, codex_error_info: info } = payload;
      return [
        {
          is: "error",
          endsCall: true,
          isLast: true,
          event: () => ({ type: "error", error: { message, info } }),
        },
      ];
    }
    case "context_compacted":
      return [compactionPart(payload, "event")];
    case "item_completed":
      return completedParts(objectField(payload, "item"), line);
    case "token_count":
      return [usagePart(objectField(payload, "info"))];
    case "thread_rolled_back":
      return [{ is: "rewind", turns: countField(payload, "num_turns") }];
    case "thread_name_updated":
      return [{ is: "title", titles: { chosen: textField(payload, "thread_name") } }];
    case "collab_agent_spawn_end":
      return [spawnPart(payload, "new_thread_id", "call_id")];
    case "sub_agent_activity":
      return payload.kind === "started" ? [spawnPart(payload, "agent_thread_id", "event_id")] : [];
    default:
      return tools.END_EVENT.test(kind) ? [tools.resultPart(payload, "event", line)] : [];
  }
}
