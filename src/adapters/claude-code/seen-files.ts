import type { FileIdentity } from "../jsonl/file-identity.js";
import { fileThread } from "../jsonl/file-thread.js";
import type { SessionFiles } from "./project-layout.js";

/** How many files the thread looks at in one go. */
const LOOKED_AT_ONCE = 2_048;

/** The files of sessions as they are now, by path, without those that are not there: looked at by a thread of their own. */
export async function lookAtFiles(
  sessions: readonly SessionFiles[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileIdentity>> {
  const seen = new Map<string, FileIdentity>();
  const paths = sessions.flatMap(pathsOf);
  for (let from = 0; from < paths.length; from += LOOKED_AT_ONCE) {
    signal?.throwIfAborted();
    const part = paths.slice(from, from + LOOKED_AT_ONCE);
    const numbers = await fileThread.identities(part);
    for (const [i, path] of part.entries()) {
      const [device, inode, size, modifiedAt] = numbers.subarray(i * 4, i * 4 + 4);
      if (!Number.isNaN(device)) {
        seen.set(path, { device: device!, inode: inode!, size: size!, modifiedAt: modifiedAt! });
      }
    }
  }
  return seen;
}

/** The conversation first, then the sub-agents. */
export function pathsOf({ path, agents }: SessionFiles): string[] {
  return [path, ...agents.map((agent) => agent.path)];
}
