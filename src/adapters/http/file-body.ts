import type { ExportedFile } from "../../application/export/export-session.js";
import type { SourceWait } from "./source-wait.js";
import { Batches, type OnBreak, streamedBody } from "./streamed-body.js";

const NOTHING = new Uint8Array();

/** Sent while it is produced: a failure before the first byte is thrown, a later one breaks the stream off. */
export async function fileBody(
  { bytes }: ExportedFile,
  wait: SourceWait,
  onBreak: OnBreak,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const rest = new Batches(bytes, wait.signal);
  const first = await rest.next();
  if (first === undefined) return NOTHING;
  return streamedBody({ first: [first], rest, write: (piece) => piece, last: NOTHING, wait, onBreak });
}

/**
 * The browser must save the file: as a page it could act on the origin of the API. `Redacted-Values` counts the different values that
 * were removed.
 */
export function fileHeaders({
  fileName,
  mediaType,
  removed,
}: ExportedFile): Readonly<Record<string, string>> {
  const plain = fileName.replace(/[^\w.-]/g, "_");
  const count = Object.values(removed).reduce((sum, one) => sum + one, 0);
  return {
    "Content-Type": mediaType,
    "Content-Disposition": `attachment; filename="${plain}"`,
    "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "Redacted-Values": String(count),
  };
}
