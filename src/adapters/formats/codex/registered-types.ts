import { objectField, textField } from "../../../domain/json/json.js";
import { isRecordedItem } from "./completed-items.js";
import type { Entry } from "./record.js";
import * as tools from "./tools.js";

export const BOOKKEEPING: ReadonlySet<string> = new Set([
  "context_compacted",
  "ghost_snapshot",
  "inter_agent_communication_metadata",
  "retained_context",
  "session_meta",
  "task_complete",
  "task_started",
  "thread_settings_applied",
  "token_count",
  "token_usage_record",
  "turn_context",
  "world_state",
]);

const ITEMS =
  /^(message|agent_message|reasoning|compaction|context_compaction|configuration_update|additional_tools)$/;
const EVENTS =
  /^((user|agent|injected)_message|agent_reasoning(_raw_content)?|turn_aborted|error|thread_(rolled_back|name_updated|goal_updated)|collab_.*|sub_agent_activity|web_search_end|view_image_tool_call|dynamic_tool_call_request|(entered|exited)_review_mode|guardian_assessment|undo_completed)$/;
const OTHERS = /^(compacted|inter_agent_communication|security_risk_score|realtime_item)$/;

export function unknownTypeOf({ type, payload, kind }: Entry): string | undefined {
  switch (type) {
    case "response_item": {
      const isRegistered =
        BOOKKEEPING.has(kind) || ITEMS.test(kind) || tools.CALL.test(kind) || tools.OUTPUT.test(kind);
      return isRegistered ? undefined : `${type}/${kind}`;
    }
    case "event_msg": {
      if (kind === "item_completed") {
        const item = textField(objectField(payload, "item"), "type") ?? "";
        return isRecordedItem(item) ? undefined : `${type}/${kind}/${item}`;
      }
      const isRegistered = BOOKKEEPING.has(kind) || EVENTS.test(kind) || tools.END_EVENT.test(kind);
      return isRegistered ? undefined : `${type}/${kind}`;
    }
    default:
      return BOOKKEEPING.has(type) || OTHERS.test(type) ? undefined : type;
  }
}
