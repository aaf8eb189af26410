import { longFingerprint } from "../../domain/derived-id.js";
import {
  type DescribedItem,
  describeSession,
  newestRecorded,
  type SaidOfSession,
} from "../../domain/session-log.js";
import type { SessionPlace } from "./session-places.js";

/** A session whose files were read. */
export interface ReadSession {
  readonly identity: readonly number[];
  readonly said: SaidOfSession;
}

export interface DescribedSession {
  readonly identity: readonly number[];
  /** Kept where the description depends on more than the files: thousands of sessions take memory. */
  readonly said: SaidOfSession | undefined;
  readonly item: DescribedItem;
  readonly fingerprint: string;
}

export type KnownSession = ReadSession | DescribedSession;

/** @param folderTime when the session's folder changed, where {@link isUndated} */
export function describe(
  place: SessionPlace,
  session: KnownSession,
  folderTime: number | undefined,
  now: number,
): DescribedSession {
  if (isDescribed(session)) return session;
  const { identity, said } = session;
  const isKept = isTiedToClock(said) || isUndated(said);
  const item = describeSession(place, said, folderTime ?? 0, now);
  const fingerprint = longFingerprint(JSON.stringify(item));
  return { identity, said: isKept ? said : undefined, item, fingerprint };
}

/** Whether the description stands as long as the files are the same. */
function isDescribed(session: KnownSession): session is DescribedSession {
  return session.said === undefined;
}

/** Whether a session's status may change although its files do not: a run that was begun counts as running for a while. */
function isTiedToClock({ ends }: SaidOfSession): boolean {
  return ends.some(({ activity }) => activity.open.length > 0);
}

/** Whether a session's last activity is that of its folder, because its files know no instant. */
export function isUndated(said: SaidOfSession | undefined): boolean {
  return said !== undefined && newestRecorded(said) === undefined;
}
