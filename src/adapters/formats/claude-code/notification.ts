import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import type { JobEndPart, ToolOutcome } from "../../transcripts/parts.js";
import { blocksOf, firstText } from "./record.js";

/** How work in the background ends; what is told of it with another status has not ended. */
const OUTCOMES: ReadonlyMap<string, ToolOutcome> = new Map([
  ["completed", "completed"],
  ["failed", "failed"],
  ["error", "failed"],
  ["killed", "refused"],
  ["stopped", "refused"],
  ["cancelled", "refused"],
]);

const START = "<task-notification>";

/**
 * The end of a task in the background, as Claude Code tells it to the model: in a record of its own, or attached while the agent worked.
 *
 * @example `<task-notification><task-id>a86d</task-id><tool-use-id>toolu_2</tool-use-id><status>completed</status><result>…</result></task-notification>`
 */
export function jobEndIn(record: JsonObject): JobEndPart | undefined {
  const text = noticeIn(record);
  if (text === undefined) return undefined;
  const told = partsOf(text);
  const outcome = OUTCOMES.get(memberOf(told.head, "status") ?? "");
  const toolCallId = memberOf(told.head, "tool-use-id");
  // Older versions say neither which call it was nor what came of it: the agent's own file says more.
  if (outcome === undefined || (toolCallId === undefined && told.result === undefined)) return undefined;
  return {
    is: "job end",
    agentId: memberOf(told.head, "task-id"),
    toolCallId,
    outcome,
    result: () => ({
      text: told.result ?? memberOf(told.head, "summary") ?? "",
      details: {
        totalDurationMs: countOf(told.tail, "duration_ms"),
        totalTokens: countOf(told.tail, "subagent_tokens"),
        totalToolUseCount: countOf(told.tail, "tool_uses"),
      },
    }),
  };
}

function noticeIn(record: JsonObject): string | undefined {
  const attachment = objectField(record, "attachment");
  const isAttached = record.type === "attachment" && attachment.type === "queued_command";
  const { kind } = objectField(isAttached ? attachment : record, "origin");
  if (kind !== "task-notification") return undefined;
  const text = isAttached
    ? textField(attachment, "prompt")
    : firstText(blocksOf(objectField(record, "message")));
  return text?.trimStart().startsWith(START) ? text : undefined;
}

/** A result may hold anything, also what looks like a member: it reaches from the first beginning of one to the last end. */
function partsOf(text: string): { readonly head: string; readonly result?: string; readonly tail: string } {
  const from = text.indexOf("<result>");
  const to = text.lastIndexOf("</result>");
  if (from === -1 || to < from) return { head: text, tail: text };
  return {
    head: text.slice(0, from),
    result: text.slice(from + "<result>".length, to),
    tail: text.slice(to),
  };
}

function memberOf(text: string, name: string): string | undefined {
  const begin = text.indexOf(`<${name}>`);
  const from = begin + name.length + 2;
  const to = begin === -1 ? -1 : text.indexOf(`</${name}>`, from);
  return to === -1 ? undefined : text.slice(from, to).trim();
}

function countOf(text: string, name: string): number | undefined {
  const count = memberOf(text, name) ?? "";
  return /^\d{1,15}$/.test(count) ? Number(count) : undefined;
}
