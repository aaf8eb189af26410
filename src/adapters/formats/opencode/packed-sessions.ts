import path from "node:path";
import { ReadingLimitError } from "../../../application/errors.js";
import type { FileIdentity } from "../../files/bytes/file-identities.js";
import { discoveredOnce, type FolderLookup } from "../../transcripts/folder/discovered-once.js";
import { append } from "../../transcripts/folder/file-lookups.js";
import type { PackedFiles } from "../../transcripts/folder/packed-files.js";
import { linesInDatabase } from "./database-lines.js";
import { identifyInDatabase } from "./database-states.js";
import { identifyFiles, isSessionFile, linesOfFiles } from "./storage-files.js";
import { placeInDatabase, sessionsInDatabase } from "./stored-sessions.js";

const encoder = new TextEncoder();

/** A database or many small files contain a session, instead of one file of lines. */
export const PACKED_SESSIONS: PackedFiles = {
  isPacked: (file) => placeInDatabase(file) !== undefined || isSessionFile(file),

  *identify(root, files, lookup) {
    const wanted = new Map<string, string[]>();
    for (const file of files) {
      const place = placeInDatabase(file);
      if (place !== undefined) append(wanted, place.database, place.id);
    }
    const cached = new Map<string, ReadonlyMap<string, FileIdentity>>();
    for (const [database, ids] of wanted) {
      const isList = lookup?.since !== undefined;
      cached.set(
        database,
        isList ? yield* allIdentities(database, lookup) : identifyInDatabase(root, database, ids),
      );
      yield;
    }
    const identities: (FileIdentity | undefined)[] = [];
    for (const file of files) {
      const place = placeInDatabase(file);
      identities.push(place ? cached.get(place.database)?.get(place.id) : yield* identifyFiles(root, file));
    }
    return identities;
  },

  *unpack(root, file, write, work) {
    let isThere = false;
    for (const lines of linesOf(root, file, work)) {
      if (lines !== undefined) {
        write(encoder.encode(lines));
        isThere = true;
      }
      yield;
    }
    return isThere;
  },
};

/** One pass identifies all sessions, because a list requests them per tenant. */
const allIdentities = discoveredOnce(function* (database) {
  const root = path.dirname(database);
  yield;
  return identifyInDatabase(root, database, [...(sessionsInDatabase(root, database)?.byId.keys() ?? [])]);
});

/** A database that exceeds a bound is omitted with a warning. */
export function* isIdentifiable(database: string, lookup: FolderLookup): Generator<void, boolean> {
  try {
    yield* allIdentities(database, lookup);
    return true;
  } catch (error) {
    if (!(error instanceof ReadingLimitError)) throw error;
    lookup.warn?.({ file: path.basename(database), line: 1, reason: error.message });
    return false;
  }
}

/**
 * Yields nothing while there are no more lines yet.
 * @param work receives the database's work beside its lines, in bytes
 */
export function linesOf(
  root: string,
  file: string,
  work?: (bytes: number) => void,
): Generator<string | undefined, void> {
  return isSessionFile(file) ? linesOfFiles(root, file) : linesInDatabase(root, file, work);
}
