import path from "node:path";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { readableOrNone, statContained } from "../../files/bytes/contained-files.js";
import type { PersistedOutput } from "../../transcripts/folder/format.js";

const RESULTS = "tool-results";

/** The session's own folder contains the complete text of a large output. Links out of it are ignored. */
export function persisted(
  root: string,
  { tenantId, sessionId }: SessionKey,
  name: string,
): PersistedOutput | undefined {
  const folder = path.join(root, tenantId, sessionId);
  const file = path.join(folder, RESULTS, name);
  const isInside = name === path.basename(file) && !name.includes("\0");
  const stats = isInside
    ? readableOrNone(() => statContained(root, file) && statContained(folder, file))
    : undefined;
  return stats?.isFile() ? { file: `${sessionId}/${RESULTS}/${name}`, bytes: stats.size } : undefined;
}
