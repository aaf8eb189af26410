import type { RecordOrigin } from "./record-origin.js";
import type { RecordedRow, RowKind } from "./trace-rows.js";

export type OwnOfRow = Partial<Pick<RecordedRow, "isMain" | "part" | "sequence" | "instant" | "detail">>;

/** Member by member, because spreading costs ten times as much, for each envelope. */
export function rowOf(
  { conversation, place, instant, isInner, isRepeated }: RecordOrigin,
  kind: RowKind,
  sequence: number,
  row: OwnOfRow,
): RecordedRow {
  return {
    start: place.start,
    length: place.length,
    line: place.line,
    content: place.content,
    kind,
    isMain: row.isMain ?? false,
    isInner,
    isRepeated,
    part: row.part ?? 0,
    conversation: conversation.ordinal,
    sequence,
    instant: row.instant ?? instant,
    detail: row.detail ?? 0,
  };
}
