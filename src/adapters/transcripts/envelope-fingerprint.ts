import { fingerprintOfNumbers, hash53 } from "../../domain/text/fingerprints.js";
import type { DerivedFile, SessionFile } from "./derived-file.js";
import { type RecordedRow, RowKind } from "./trace-rows.js";

/** What the envelopes of each conversation of a file have from it. */
export function conversationFingerprints({
  name,
  agentId,
  isAgent,
  continues,
  derived,
}: SessionFile): readonly number[] {
  return derived.conversations.map((conversation) =>
    hash53(JSON.stringify([name, agentId, isAgent, continues, conversation.agentId])),
  );
}

/**
 * A fingerprint of all that an envelope is rendered from: its line, its row, and what lines behind it may still change.
 *
 * @param conversation the fingerprint of its conversation
 * @param instant its own, or the one that it is shown with
 */
export function envelopeFingerprint(
  derived: DerivedFile,
  row: RecordedRow,
  conversation: number,
  instant: number,
): number {
  const { content, start, line, kind, isMain, isInner, isRepeated, block, sequence, detail } = row;
  const flags = (isMain ? 1 : 0) + (isInner ? 2 : 0) + (isRepeated ? 4 : 0);
  const besides = hash53(changingPart(derived, row));
  return fingerprintOfNumbers(
    conversation,
    content,
    start,
    line,
    kind,
    flags,
    block,
    sequence,
    instant,
    detail,
    besides,
  );
}

/** What an envelope shows that is neither in its line nor in its row. */
function changingPart({ calls, toolNames, replayed }: DerivedFile, { kind, detail }: RecordedRow): string {
  switch (kind) {
    case RowKind.sessionStart:
      return String(replayed);
    case RowKind.llmStart: {
      const { callId, model } = calls[detail]!;
      return JSON.stringify([callId, model]);
    }
    case RowKind.llmEnd:
      return JSON.stringify(calls[detail]);
    case RowKind.toolEnd:
      return toolNames[detail - 1] ?? "";
    default:
      return "";
  }
}
