import type { SessionPlace } from "../../domain/session.js";
import { type DescribedItem, describeSession } from "../../domain/session-log.js";
import type { ReadSession } from "./read-sessions.js";

/** Where a session lies. */
export interface SessionFolder extends Pick<SessionPlace, "tenantId" | "sessionId"> {
  readonly folder: string;
}

/** What is kept of a session between two lists. */
export interface KnownSession {
  /** The identities of its folder and its files when they were read; `undefined` where they have to be read again in any case. */
  readonly identity: readonly number[] | undefined;
  readonly item: DescribedItem;
  /** What the item was made of, where the next list has to describe it again. */
  readonly read: ReadSession | undefined;
  readonly logEnd: ReadSession["logEnd"];
}

/** Whether the cached description was made of these files. `NaN` means that a file is not there: still absent is the same. */
export function isUpToDate({ identity: before }: KnownSession, identity: Float64Array): boolean {
  if (before === undefined) return false;
  for (let i = 0; i < identity.length; i++) if (!Object.is(before[i], identity[i])) return false;
  return true;
}

/**
 * A session that was read, as an element of the list.
 *
 * @param identity its folder and its files, as they were looked up before they were read
 * @param folderTime when its folder changed: its last activity, where its files know no instant
 */
export function describeRead(
  place: SessionFolder,
  read: ReadSession,
  identity: readonly number[] | undefined,
  folderTime: number,
  now: number,
): KnownSession {
  const item = describeSession(place, read.facts, folderTime, now);
  // Thousands of sessions take memory, and only a running one changes with the clock.
  return {
    identity: read.isComplete ? identity : undefined,
    item,
    read: item.status === "running" ? read : undefined,
    logEnd: read.logEnd,
  };
}
