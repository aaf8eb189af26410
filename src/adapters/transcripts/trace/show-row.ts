import type { JsonObject } from "../../../domain/json/json.js";
import type { RecordParts } from "../recorder/parts.js";
import { OUTCOMES, type RecordedRow, RowKind } from "../recorder/trace-rows.js";
import type { DerivedFile } from "./derived-file.js";

export function showRow(row: RecordedRow, record: RecordParts, file: DerivedFile): JsonObject {
  const part = record.parts[row.part];
  const event = () => part?.event?.() ?? record.passed(false);
  switch (row.kind) {
    case RowKind.record:
    case RowKind.repeat:
      return record.passed(row.isRepeated || row.kind === RowKind.repeat);
    case RowKind.sessionStart:
      return {
        type: "session.start",
        derived: true,
        ...record.sessionStart(),
        replayed: replayedIn(row, file),
      };
    case RowKind.turnStart: {
      const turn = { turnIndex: Math.floor(row.detail / 2), asked: row.detail % 2 === 0 ? undefined : false };
      return row.isMain ? { ...event(), ...turn } : { type: "turn.start", ...turn, derived: true };
    }
    case RowKind.turnEnd: {
      const turnIndex = Math.floor(row.detail / OUTCOMES.length);
      const outcome = OUTCOMES[row.detail % OUTCOMES.length];
      return row.isMain
        ? { ...event(), turnIndex, outcome }
        : { type: "turn.end", turnIndex, outcome, derived: true };
    }
    case RowKind.llmStart:
    case RowKind.llmEnd:
      return showCall(row, record, file);
    case RowKind.block:
      return part?.is === "rewind" ? { ...event(), droppedMessages: row.detail } : event();
    case RowKind.toolStart:
    case RowKind.error:
      return event();
    case RowKind.toolEnd: {
      const ended = event();
      return { ...ended, toolName: ended.toolName ?? file.toolNames[row.detail - 1] ?? "unknown" };
    }
    case RowKind.compactionStart:
    case RowKind.compactionEnd: {
      const ended = row.detail === 0 ? event() : { ...event(), tokensBefore: row.detail };
      if (row.kind === RowKind.compactionEnd) return ended;
      const { subtype, trigger, tokensBefore } = ended;
      return { type: "compaction.start", subtype, trigger, tokensBefore, derived: true };
    }
    default:
      return row.kind satisfies never;
  }
}

function showCall(row: RecordedRow, record: RecordParts, file: DerivedFile): JsonObject {
  const { callId, model: recordedModel, usage } = file.calls[row.detail]!;
  const callEnd: JsonObject = record.callEnd?.() ?? { derived: true };
  const { model: ownModel, ...ended } = callEnd;
  const model = recordedModel ?? ownModel;
  return row.kind === RowKind.llmStart
    ? { type: "llm.start", callId, model, derived: true }
    : { type: "llm.end", callId, model, usage, ...ended };
}

function replayedIn(row: RecordedRow, { replayed }: DerivedFile): number | undefined {
  return row.conversation === 0 && replayed > 0 ? replayed : undefined;
}
