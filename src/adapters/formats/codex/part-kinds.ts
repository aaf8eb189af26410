import { type JsonObject, textField } from "../../../domain/json/json.js";
import * as parts from "../../transcripts/recorder/parts.js";
import type { TextSource } from "./recent-texts.js";
import { requestIn } from "./record.js";
import type { CallUsagePart, UsagePart } from "./usage.js";

/** Undefined for content that only one record reports. */
interface Reported {
  readonly by?: TextSource | undefined;
  /** Id that both records use. Without it, records are matched by content. */
  readonly itemId?: string | undefined;
}

export type CodexPart =
  | parts.TitlePart
  | parts.ErrorPart
  | parts.CallPart
  | (parts.ResultPart & Reported)
  /** The text part follows unless it begins a turn. `isMessage`: the event is the message unless an item reports it. */
  | (parts.PromptPart & Reported & { readonly text: string; readonly isMessage: boolean })
  | (parts.TextPart & Reported)
  | parts.PlainPart
  | (parts.Part & Reported & { readonly is: "thinking"; readonly text: string | undefined })
  | (parts.CompactionPart & Reported)
  /** `isSilent`: the turn ended without output of the model. */
  | (parts.TurnEndPart & { readonly isSilent: boolean })
  | (parts.Part & { readonly is: "task" })
  /** Takes back the newest `turns` prompts. */
  | (parts.Part & { readonly is: "rewind"; readonly turns: number })
  | UsagePart
  | CallUsagePart
  | (parts.Part & { readonly is: "twin" })
  | (parts.Part & { readonly is: "spawn"; readonly agentId: string; readonly toolCallId: string })
  | (parts.Part & { readonly is: "settings"; readonly model: string | undefined; readonly tier: unknown })
  /** `isContinued` where the history before it lies in another file. */
  | (parts.Part & { readonly is: "session"; readonly isContinued: boolean; readonly isFork: boolean });

export function promptParts(
  payload: JsonObject,
  kind: string,
  by: TextSource | undefined,
  text: string,
  isMessage = true,
): CodexPart[] {
  const prompt = by === undefined ? text : requestIn(text);
  return [
    { ...parts.promptPart(prompt, () => textIn(payload)), by, text, isMessage },
    textPart(payload, kind, by, text),
  ];
}

export function textPart(
  payload: JsonObject,
  kind: string,
  by: TextSource | undefined,
  text: string,
): CodexPart {
  return { is: "text", by, text, itemId: textField(payload, "id"), event: () => textEvent(payload, kind) };
}

export function thinkingPart(
  by: TextSource,
  text: string | undefined,
  block: number,
): CodexPart & { readonly is: "thinking" } {
  const encrypted = text === undefined ? true : undefined;
  return {
    is: "thinking",
    by,
    text,
    block,
    event: () => ({ type: "thinking", text: text ?? "", encrypted }),
  };
}

export function turnEndPart(payload: JsonObject, outcome: "failed" | "cancelled" | undefined): CodexPart {
  const { duration_ms: durationMs, reason, error, last_agent_message: last } = payload;
  const stated = { durationMs, reason, error: error ?? undefined };
  return { ...parts.turnEndPart(outcome, stated), isSilent: last === null };
}

export function compactionPart(
  { message: summary, replacement_history: history }: JsonObject,
  by: TextSource,
): CodexPart {
  const retained = Array.isArray(history) ? history.length : undefined;
  return {
    is: "compaction",
    by,
    event: () => ({ type: "compaction.end", tokensBefore: undefined, summary, kept: retained }),
  };
}

export function spawnPart(payload: JsonObject, thread: string, call: string): CodexPart {
  return {
    is: "spawn",
    agentId: textField(payload, thread) ?? "",
    toolCallId: textField(payload, call) ?? "",
  };
}

function textIn({ content, message }: JsonObject): unknown {
  if (!Array.isArray(content)) return message ?? content;
  return parts.textsIn(content).length === content.length ? parts.textIn(content) : content;
}

export function textEvent(payload: JsonObject, kind: string): JsonObject {
  const role = textField(payload, "role") ?? (kind === "user_message" ? "user" : "assistant");
  const { author, recipient, phase, images } = payload;
  const spoken = textIn(payload);
  const text =
    typeof spoken === "string" ? { text: spoken } : { text: parts.textIn(spoken), content: spoken };
  return { type: "text", role: author === undefined ? role : author, ...text, recipient, phase, images };
}
