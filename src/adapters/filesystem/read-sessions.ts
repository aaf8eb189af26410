import { breathe } from "../../application/slices.js";
import { EMPTY_LOG, type SaidOfSession } from "../../domain/session-log.js";
import { type ContainedFiles, unreadableAsUndefined } from "../jsonl/contained-files.js";
import { type FileEnds, fileThread } from "../jsonl/file-thread.js";
import { BEGINNING, type Digest, SHORT_END } from "../jsonl/follow-file.js";
import type { FollowedFiles } from "../jsonl/followed-files.js";
import { orchestrationEnd, traceEnd } from "./event-log-end.js";
import { filesIn, type SessionFiles } from "./session-files.js";
import { sessionLog } from "./session-log.js";
import type { SessionPlace } from "./session-places.js";

interface FetchedSession {
  readonly files: SessionFiles;
  readonly ends: readonly (FileEnds | null)[];
}

/** How many sessions the thread is asked for at a time. */
const FETCHED_AT_ONCE = 16;

/** How long sessions are digested between two turns of the event loop, in milliseconds. */
const SLICE_MS = 2;

/** Reads what the files of sessions say. While some are digested, the thread reads the next ones. */
export async function* readSessions(
  files: ContainedFiles,
  followed: FollowedFiles,
  places: readonly SessionPlace[],
): AsyncGenerator<readonly SaidOfSession[], void> {
  const root = await files.realRoot();
  if (root === undefined) return;
  const fetch = (from: number) => fetchEnds(root, places.slice(from, from + FETCHED_AT_ONCE));
  let next = fetch(0);
  let begun = performance.now();
  for (let from = 0; from < places.length; from += FETCHED_AT_ONCE) {
    const fetched = await next;
    next = fetch(from + FETCHED_AT_ONCE);
    next.catch(() => undefined); // it is awaited in the next round, if there is one
    const said: SaidOfSession[] = [];
    for (const session of fetched) {
      said.push(await digestSession(followed, session));
      if (performance.now() - begun < SLICE_MS) continue;
      await breathe();
      begun = performance.now();
    }
    yield said;
  }
}

async function fetchEnds(root: string, places: readonly SessionPlace[]): Promise<FetchedSession[]> {
  if (places.length === 0) return [];
  const sessions = places.map(({ folder }) => filesIn(folder));
  const paths = sessions.flatMap(({ session, trace, orchestration }) => [session, trace, orchestration]);
  const ends = await fileThread.ends(root, paths, BEGINNING, SHORT_END);
  return sessions.map((session, i) => ({ files: session, ends: ends.slice(i * 3, i * 3 + 3) }));
}

async function digestSession(
  followed: FollowedFiles,
  { files, ends: [log, trace, orchestration] }: FetchedSession,
): Promise<SaidOfSession> {
  const said = log && (await digestFile(followed, files.session, "log", sessionLog, log));
  const traced = trace && (await digestFile(followed, files.trace, "end", traceEnd, trace));
  const orchestrated =
    orchestration &&
    (await digestFile(followed, files.orchestration, "end", orchestrationEnd, orchestration));
  return { log: said ?? EMPTY_LOG, ends: [traced, orchestrated].filter((end) => !!end) };
}

/** In the list, a file that may not be read takes only what it would have said. Opening its session tells of it. */
async function digestFile<State, View>(
  followed: FollowedFiles,
  file: string,
  name: string,
  digest: Digest<State, View>,
  ends: FileEnds,
): Promise<View | undefined> {
  const found =
    followed.readEnds(file, name, digest, ends) ??
    (await unreadableAsUndefined(followed.read(file, name, digest, {}, ends.identity)));
  return found?.view;
}
