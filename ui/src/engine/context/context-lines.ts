import type {
  ContextChange,
  ContextRow,
  ContextRun,
} from "../../../../src/domain/conversation/compare-contexts.js";
import type { ReadMessage } from "../../../../src/domain/conversation/conversation.js";
import { partText } from "../../../../src/domain/conversation/message-part.js";
import { inputPreview } from "../../../../src/domain/spans/preview.js";
import { previewText } from "../../../../src/domain/text/preview-text.js";
import { estimateTokens } from "../../../../src/domain/usage/token-counts.js";
import type { ContextComparison, ContextLine, ContextMessage } from "../messages/message-protocol.js";

/**
 * @param directory base folder of paths
 * @param scale tokens per estimated token
 */
export function contextLine(row: ContextRow | ContextRun, directory: string, scale: number): ContextLine {
  if (row.change !== "run") {
    return {
      change: row.change,
      before: row.before && describeMessage(row.before, directory, scale),
      after: row.after && describeMessage(row.after, directory, scale),
    };
  }
  const indexes = row.rows.map(({ after, before }) => (after ?? before)!.index);
  return {
    change: "run",
    of: row.of,
    count: row.rows.length,
    tokens: row.rows.reduce((sum, { after, before }) => sum + tokensOf((after ?? before)!, scale), 0),
    from: indexes[0]!,
    to: indexes.at(-1)!,
  };
}

/** @param scaleOf tokens per estimated token */
export function countChanges(
  rows: readonly ContextRow[],
  scaleOf: (change: ContextChange) => number,
): ContextComparison["counts"] {
  const counts: { [change in ContextChange]: { messages: number; tokens: number } } = {
    added: { messages: 0, tokens: 0 },
    kept: { messages: 0, tokens: 0 },
    rewritten: { messages: 0, tokens: 0 },
    dropped: { messages: 0, tokens: 0 },
  };
  for (const { change, before, after } of rows) {
    counts[change].messages++;
    counts[change].tokens += tokensOf((after ?? before)!, scaleOf(change));
  }
  return counts;
}

function tokensOf({ size }: ReadMessage, scale: number): number {
  return estimateTokens(size) * scale;
}

/** @param scale tokens per estimated token. Default is 1 */
export function describeMessage(message: ReadMessage, directory: string, scale = 1): ContextMessage {
  return {
    index: message.index,
    origin: message.origin,
    role: message.role,
    preview: previewOf(message, directory),
    tokens: tokensOf(message, scale),
  };
}

/** As much as a line of the widest window displays. */
export const MAX_PREVIEW = 320;

function previewOf({ parts }: ReadMessage, directory: string): string {
  const previews = parts.map((part) => {
    if (part.type === "call") return `${part.name} ${inputPreview(part.input, directory, MAX_PREVIEW)}`;
    return previewText(partText(part), MAX_PREVIEW);
  });
  return previewText(previews.filter(Boolean).join(" · "), MAX_PREVIEW);
}
