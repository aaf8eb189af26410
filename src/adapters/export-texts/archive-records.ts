import type { ArchiveLines } from "../../application/ports/export.js";
import { yieldToEventLoop } from "../../application/threads/slices.js";
import { type JsonObject, recordIn } from "../../domain/json/json.js";

/** How many characters of lines are parsed between two turns of the event loop. */
const PARSED_AT_ONCE = 64 * 1024;

/** The lines of an archive as objects, one at a time: which of an `ArchiveRecord` each is says its first member. */
export async function* archiveRecords(
  lines: ArchiveLines,
  signal: AbortSignal | undefined,
): AsyncGenerator<JsonObject, void> {
  let parsed = 0;
  for await (const batch of lines) {
    for (const line of batch) {
      yield recordIn(line);
      parsed += line.length;
      if (parsed < PARSED_AT_ONCE) continue;
      parsed = 0;
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }
}
