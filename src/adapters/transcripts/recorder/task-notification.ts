import type { JobEndPart, ToolOutcome } from "./parts.js";

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
 * Parses the end of a background task, which a tool reports as text.
 * @example `<task-notification><task-id>a86d</task-id><tool-use-id>toolu_2</tool-use-id><status>completed</status><result>…</result></task-notification>`
 * @returns `undefined` for a text that reports no such end, or that states neither the call nor its outcome
 */
export function jobEndInText(text: string): JobEndPart | undefined {
  if (!text.trimStart().startsWith(START)) return undefined;
  const notice = partsOf(text);
  const outcome = OUTCOMES.get(memberOf(notice.head, "status") ?? "");
  const toolCallId = memberOf(notice.head, "tool-use-id");
  if (outcome === undefined || (toolCallId === undefined && notice.result === undefined)) return undefined;
  return {
    is: "job end",
    agentId: memberOf(notice.head, "task-id"),
    toolCallId,
    outcome,
    result: () => ({
      text: notice.result ?? memberOf(notice.head, "summary") ?? "",
      details: {
        totalDurationMs: countOf(notice.tail, "duration_ms"),
        totalTokens: countOf(notice.tail, "subagent_tokens") ?? countOf(notice.tail, "total_tokens"),
        totalToolUseCount: countOf(notice.tail, "tool_uses"),
      },
    }),
  };
}

/** A result may contain tags, so it spans the first start to the last end. */
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
