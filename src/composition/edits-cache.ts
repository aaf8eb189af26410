import { createHash } from "node:crypto";
import {
  addLines,
  type CachedLines,
  lineOf,
  readCacheFile,
  valueIn,
  writeCacheFile,
} from "../adapters/files/cache/cache-file.js";
import { cacheFileOf } from "../adapters/files/cache/cache-folder.js";
import type { EditsOfSession, KeptEdits } from "../application/ports/kept-edits.js";
import { runInSlices } from "../application/threads/slices.js";
import type { RecordedEdit } from "../domain/changes/recorded-edits.js";
import { isJsonObject } from "../domain/json/json.js";

/** How large the file of some names is at most. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Keeps edits in the folder of the cache, a file for each set of names.
 *
 * @param owner whose sessions they are: what the histories were opened from
 */
export function keptEditsIn(dir: string, owner: string): KeptEdits {
  const placeOf = (names: readonly string[]) => {
    const purpose = JSON.stringify(["edits", owner, names]);
    return { purpose, file: cacheFileOf(dir, purpose) };
  };
  const read = (names: readonly string[]): CachedLines => {
    const { purpose, file } = placeOf(names);
    return readCacheFile(file, purpose);
  };
  return {
    async of(names) {
      const lines = read(names);
      return (session) => {
        const line = lines.get(JSON.stringify(nameOf(session)));
        const value = line && valueIn(line, stampOf(session));
        return isEdits(value) ? value : undefined;
      };
    },
    async keep(names, sessions) {
      const { purpose, file } = placeOf(names);
      const lines = read(names);
      for (const session of sessions)
        addLines(lines, Buffer.from(lineOf(nameOf(session), stampOf(session), session.edits)));
      await runInSlices(writeCacheFile(file, purpose, lines, MOST_BYTES));
    },
  };
}

function nameOf({ key: { tenantId, sessionId } }: Pick<EditsOfSession, "key">): string {
  return JSON.stringify([tenantId, sessionId]);
}

function stampOf({ identity }: Pick<EditsOfSession, "identity">): string {
  return createHash("sha256").update(identity).digest("hex").slice(0, 32);
}

/** What this build wrote, and nothing else changed, is as it was: the digest of the file says so. */
function isEdits(value: unknown): value is readonly RecordedEdit[] {
  return Array.isArray(value) && value.every((one) => isJsonObject(one) && isJsonObject(one.edit));
}
