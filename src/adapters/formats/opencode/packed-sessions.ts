import type { FileIdentity } from "../../files/bytes/file-identities.js";
import { append } from "../../transcripts/file-lookups.js";
import type { PackedFiles } from "../../transcripts/packed-files.js";
import { linesInDatabase } from "./database-lines.js";
import { identifyInDatabase } from "./database-states.js";
import { identifyFiles, isSessionFile, linesOfFiles } from "./storage-files.js";
import { placeInDatabase } from "./stored-sessions.js";

const encoder = new TextEncoder();

/** A session is no file of lines: it lies in a database, or in many small files. */
export const PACKED_SESSIONS: PackedFiles = {
  isPacked: (file) => placeInDatabase(file) !== undefined || isSessionFile(file),

  *identify(root, files) {
    const wanted = new Map<string, string[]>();
    for (const file of files) {
      const place = placeInDatabase(file);
      if (place !== undefined) append(wanted, place.database, place.id);
    }
    const known = new Map<string, ReadonlyMap<string, FileIdentity>>();
    for (const [database, ids] of wanted) {
      known.set(database, identifyInDatabase(root, database, ids));
      yield;
    }
    const found: (FileIdentity | undefined)[] = [];
    for (const file of files) {
      const place = placeInDatabase(file);
      found.push(place ? known.get(place.database)?.get(place.id) : yield* identifyFiles(root, file));
    }
    return found;
  },

  *unpack(root, file, write) {
    let isThere = false;
    for (const lines of linesOf(root, file)) {
      if (lines !== undefined) {
        write(encoder.encode(lines));
        isThere = true;
      }
      yield;
    }
    return isThere;
  },
};

/** The lines of a session, some at a time; nothing where there is no more to tell yet. */
export function linesOf(root: string, file: string): Generator<string | undefined, void> {
  return isSessionFile(file) ? linesOfFiles(root, file) : linesInDatabase(root, file);
}
