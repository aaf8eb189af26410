import { jsonIn } from "../../domain/json/json.js";
import { readPart } from "../files/bytes/line.js";

/** How much of a file is looked at. */
const BEGINNING = 256 * 1024;

/**
 * The member of a document whose array holds the file's records; `undefined` for a file that holds one record a line. A document on one
 * line is such a file, too.
 */
export function documentMember(descriptor: number, size: number): string | undefined {
  const length = Math.min(BEGINNING, size);
  const { bytes } = readPart(descriptor, 0, length, new Uint8Array(length));
  const text = new TextDecoder().decode(bytes).trimStart();
  const end = text.indexOf("\n");
  if (end === -1 || !text.startsWith("{") || jsonIn(text.slice(0, end)) !== undefined) return undefined;
  // A line that is no JSON is the beginning of a document only where nothing has been closed in it.
  if (/[}\]]/.test(text.slice(0, end))) return undefined;
  return /"(resource_?(?:spans|logs|metrics))"\s*:/i.exec(text)?.[1] ?? "resourceSpans";
}
