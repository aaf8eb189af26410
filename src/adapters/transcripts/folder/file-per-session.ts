import path from "node:path";
import { SourceChangedError } from "../../../application/errors.js";
import { UniqueNames, withSign } from "../../../domain/lists/unique-names.js";
import { isSameSession } from "../../../domain/session/session-key.js";
import { nameInside } from "../../files/bytes/contained-files.js";
import { faultReason } from "../../files/bytes/line.js";
import { discoveredOnce, type OnWarning } from "./discovered-once.js";
import { filesBelow } from "./file-lookups.js";
import type { TranscriptFolder } from "./format.js";
import type { TranscriptFileGroup } from "./transcript-files.js";

export interface FilePerSession {
  readonly depth: number;
  isNamed(name: string): boolean;
  sessionOf(root: string, file: string): Generator<void, TranscriptFileGroup | undefined>;
  /** True if a file may hold a session, by its path: then no other file is searched. Default is that any file may. */
  mayHold?(file: string, sessionId: string): boolean;
}

/** To recognise a folder: a request may name any folder, even a complete disk. */
const MOST_LOOKED_AT = 50;
const MOST_FOLDERS = 1_000;

/** If two sessions have the same ID, the second one's name includes its folder. */
export function filePerSession({ depth, isNamed, sessionOf, mayHold }: FilePerSession): TranscriptFolder {
  function* filesIn(root: string, mostFolders?: number): Generator<void, string[]> {
    return (yield* filesBelow(root, depth, mostFolders)).filter((file) => isNamed(path.basename(file)));
  }

  function* sessionIn(root: string, file: string, warn?: OnWarning) {
    try {
      return yield* sessionOf(root, file);
    } catch (error) {
      if (error instanceof SourceChangedError) throw error;
      warn?.({ file: nameInside(root, file), line: 1, reason: faultReason(error) });
      return undefined;
    }
  }

  function* sessions(
    root: string,
    warn?: OnWarning,
    isSelected = (_: string) => true,
  ): Generator<void, TranscriptFileGroup[]> {
    const sessions: TranscriptFileGroup[] = [];
    const names = new Map<string, UniqueNames>();
    for (const file of (yield* filesIn(root)).filter(isSelected)) {
      const session = yield* sessionIn(root, file, warn);
      if (session === undefined) continue;
      const { tenantId, sessionId: own } = session;
      const ofTenant = names.get(tenantId) ?? new UniqueNames();
      names.set(tenantId, ofTenant);
      const inFolder = `${path.basename(path.dirname(file))}.${own}`;
      const free = ofTenant.has(own) ? inFolder : own;
      sessions.push({ ...session, sessionId: ofTenant.take(free, withSign(free, "_")) });
    }
    return sessions;
  }

  const all = discoveredOnce((root, { warn }) => sessions(root, warn));

  return {
    *recognises(root) {
      for (const file of (yield* filesIn(root, MOST_FOLDERS)).slice(0, MOST_LOOKED_AT)) {
        if ((yield* sessionIn(root, file)) !== undefined) return true;
      }
      return false;
    },
    *tenants(root, lookup) {
      return [...new Set((yield* all(root, lookup)).map(({ tenantId }) => tenantId))];
    },
    *discover(root, tenantId, lookup) {
      return (yield* all(root, lookup)).filter((session) => session.tenantId === tenantId);
    },
    *locate(root, tenantId, sessionId) {
      const isIt = (one: TranscriptFileGroup) => isSameSession(one, { tenantId, sessionId });
      const likely = yield* sessions(root, undefined, (file) => mayHold?.(file, sessionId) ?? false);
      return likely.find(isIt) ?? (yield* sessions(root)).find(isIt);
    },
    *inFile(root, file) {
      const session = yield* sessionIn(root, file);
      return session === undefined ? undefined : [session];
    },
  };
}
