import { type JsonObject, textField } from "../../../domain/json/json.js";
import * as parts from "../../transcripts/parts.js";
import type { Teller } from "./recent-texts.js";
import { requestIn } from "./record.js";
import type { CallUsagePart, UsagePart } from "./usage.js";

/**
 * The kind of record: an item of the conversation, or an event for the same content. Default is for content that only one record reports.
 */
interface Told {
  readonly by?: Teller | undefined;
  /** Id that both records use. Default is that the records are matched by their content. */
  readonly itemId?: string | undefined;
}

export type CodexPart =
  | parts.TitlePart
  | parts.ErrorPart
  | parts.CallPart
  | (parts.ResultPart & Told)
  /**
   * Followed by the text to display if it does not begin a turn. `text` is also reported by a second record; `isMessage` if the event is
   * the message unless an item reports it.
   */
  | (parts.PromptPart & Told & { readonly text: string; readonly isMessage: boolean })
  | (parts.TextPart & Told)
  /** Input of the model that nobody typed. */
  | parts.PlainPart
  /** A thought; without a text where it cannot be read. */
  | (parts.Part & Told & { readonly is: "thinking"; readonly text: string | undefined })
  | (parts.CompactionPart & Told)
  /** `isSilent` if the turn ended without output of the model. */
  | (parts.TurnEndPart & { readonly isSilent: boolean })
  /** A task begins: its turn does with what comes next. */
  | (parts.Part & { readonly is: "task" })
  /** The newest prompts are taken back; `turns` is their number. */
  | (parts.Part & { readonly is: "rewind"; readonly turns: number })
  | UsagePart
  | CallUsagePart
  /** The record says again what another one does. */
  | (parts.Part & { readonly is: "twin" })
  | (parts.Part & { readonly is: "spawn"; readonly agentId: string; readonly toolCallId: string })
  | (parts.Part & { readonly is: "settings"; readonly model: string | undefined })
  /** `isContinued` where the history before it lies in another file. */
  | (parts.Part & { readonly is: "session"; readonly isContinued: boolean });

/** A prompt begins a turn; a prompt during a task is displayed in the task's turn. */
export function promptParts(
  payload: JsonObject,
  kind: string,
  by: Teller | undefined,
  text: string,
  isMessage = true,
): CodexPart[] {
  // Text that an editor adds before the prompt is not part of it.
  const prompt = by === undefined ? text : requestIn(text);
  return [
    { ...parts.promptPart(prompt, () => saidIn(payload)), by, text, isMessage },
    textPart(payload, kind, by, text),
  ];
}

export function textPart(payload: JsonObject, kind: string, by: Teller | undefined, text: string): CodexPart {
  return { is: "text", by, text, itemId: textField(payload, "id"), event: () => textEvent(payload, kind) };
}

/** Only summarized thoughts are readable. */
export function thinkingPart(
  by: Teller,
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
  by: Teller,
): CodexPart {
  const kept = Array.isArray(history) ? history.length : undefined;
  return {
    is: "compaction",
    by,
    event: () => ({ type: "compaction.end", tokensBefore: undefined, summary, kept }),
  };
}

export function spawnPart(payload: JsonObject, thread: string, call: string): CodexPart {
  return {
    is: "spawn",
    agentId: textField(payload, thread) ?? "",
    toolCallId: textField(payload, call) ?? "",
  };
}

/** A prompt: its text where it is nothing but text. */
function saidIn({ content, message }: JsonObject): unknown {
  if (!Array.isArray(content)) return message ?? content;
  return parts.textsIn(content).length === content.length ? parts.textIn(content) : content;
}

export function textEvent(payload: JsonObject, kind: string): JsonObject {
  const role = textField(payload, "role") ?? (kind === "user_message" ? "user" : "assistant");
  const { author, recipient, phase, images } = payload;
  const said = saidIn(payload);
  const text = typeof said === "string" ? { text: said } : { text: parts.textIn(said), content: said };
  return { type: "text", role: author === undefined ? role : author, ...text, recipient, phase, images };
}
