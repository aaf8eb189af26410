import type { JsonObject } from "../../domain/json/json.js";
import type { DerivedFile } from "./derived-file.js";
import { OUTCOMES, type RecordedRow, RowKind } from "./trace-rows.js";

/** What an end of a turn says, whatever the format: of one that no record states, that it was derived. */
export function turnEnd(row: RecordedRow, stated: JsonObject): JsonObject {
  const turnIndex = Math.floor(row.detail / OUTCOMES.length);
  const outcome = OUTCOMES[row.detail % OUTCOMES.length];
  return { type: "turn.end", turnIndex, outcome, ...(row.isMain ? stated : { derived: true }) };
}

/** The beginning or the end of a model call that other records than its own tell of. */
export function derivedCall(row: RecordedRow, file: DerivedFile): JsonObject {
  const { callId, model, usage } = file.calls[row.detail]!;
  return row.kind === RowKind.llmStart
    ? { type: "llm.start", callId, model, derived: true }
    : { type: "llm.end", callId, model, usage, derived: true };
}

/** The name of the tool that a row ends. */
export function toolNameAt(row: RecordedRow, file: DerivedFile): string {
  return file.toolNames[row.detail - 1] ?? "unknown";
}

/** How many lines of a file are replays, where the row is the beginning of its own conversation and there are some. */
export function replayedIn(row: RecordedRow, { replayed }: DerivedFile): number | undefined {
  return row.conversation === 0 && replayed > 0 ? replayed : undefined;
}
