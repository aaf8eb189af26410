import { NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import { extentOf, type SearchedSession, searchOrder } from "../files/search/search-order.js";
import type { SeenTranscript } from "./seen-transcript.js";

const SESSIONS_PER_PAUSE = 32;

/** Sessions as a search needs them: their own files and their sub-agents', with the notes beside these. */
export function* searchedTranscripts(seen: readonly SeenTranscript[]): Generator<void, SearchedSession[]> {
  const sessions: SearchedSession[] = [];
  for (const { session, identity } of seen) {
    const { tenantId, sessionId, files } = session;
    const paths = files.flatMap(({ path, notePath }) => (notePath === undefined ? [path] : [path, notePath]));
    const ofFiles = identity.subarray(0, files.length * NUMBERS_PER_IDENTITY);
    sessions.push({ tenantId, sessionId, files: paths, ...extentOf(ofFiles) });
    if (sessions.length % SESSIONS_PER_PAUSE === 0) yield;
  }
  return yield* searchOrder(sessions);
}
