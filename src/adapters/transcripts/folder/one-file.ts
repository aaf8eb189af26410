import { isSameSession } from "../../../domain/session/session-key.js";
import type { TranscriptFolder } from "./format.js";
import type { TranscriptFileGroup } from "./transcript-files.js";

/** Treats a single selected file as a separate folder. Nothing in it counts as a copy, because the original files are not selected. */
export function oneFile(folder: TranscriptFolder, file: string): TranscriptFolder {
  function* sessions(root: string): Generator<void, readonly TranscriptFileGroup[]> {
    return (yield* folder.inFile(root, file)) ?? [];
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
    *locate(root, tenantId, sessionId) {
      return (yield* sessions(root)).find((session) => isSameSession(session, { tenantId, sessionId }));
    },
    *relatives() {
      yield;
      return [];
    },
  };
}
