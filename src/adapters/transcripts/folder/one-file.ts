import { isSameSession } from "../../../domain/session/session-key.js";
import type { TranscriptFolder } from "./format.js";
import type { TranscriptFileGroup } from "./transcript-files.js";

/** Treats a single selected file as a separate folder. Only a session in the same file can be the original of a copy. */
export function oneFile(folder: TranscriptFolder, file: string): TranscriptFolder {
  function* sessions(root: string): Generator<void, readonly TranscriptFileGroup[]> {
    return (yield* folder.inFile(root, file)) ?? [];
  }
  function* locate(root: string, tenantId: string, sessionId: string) {
    return (yield* sessions(root)).find((session) => isSameSession(session, { tenantId, sessionId }));
  }
  return {
    ...folder,
    surroundings: () => ({ indexes: [] }),
    *tenants(root) {
      return [...new Set((yield* sessions(root)).map(({ tenantId }) => tenantId))];
    },
    *discover(root, tenantId) {
      return (yield* sessions(root)).filter((session) => session.tenantId === tenantId);
    },
    locate,
    *relatives(root, { tenantId, sessionId }) {
      return [...((yield* locate(root, tenantId, sessionId))?.relatives ?? [])];
    },
  };
}
