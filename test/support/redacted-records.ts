import { createRedaction, type RedactionOptions } from "../../src/adapters/redaction/library-redaction.js";
import type { ArchiveLines, RedactionReview } from "../../src/application/ports/export.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";

export async function* linesOf(lines: readonly string[]): ArchiveLines {
  yield lines;
}

export const redactionWith = (options?: RedactionOptions) => createRedaction(new InProcessPool(), options);

/** Reviews records, and removes all findings except the ones to keep. */
export async function redacted(
  records: readonly unknown[],
  { keep = [], ...options }: RedactionOptions & { readonly keep?: readonly string[] } = {},
): Promise<{ readonly text: string; readonly lines: readonly string[]; readonly review: RedactionReview }> {
  const redaction = redactionWith(options);
  const lines = records.map((record) => JSON.stringify(record));
  const review = await redaction.review(linesOf(lines));
  const written: string[] = [];
  for await (const batch of redaction.remove(linesOf(lines), review, { keep: new Set(keep) })) {
    written.push(...batch);
  }
  return { text: written.join("\n"), lines: written, review };
}

export async function redactedTexts(texts: readonly string[]): Promise<string[]> {
  const { lines } = await redacted(texts.map((content) => ({ message: { role: "user", content } })));
  return lines.map((line) => JSON.parse(line).message.content);
}
