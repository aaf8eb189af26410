import type { FileHandle } from "node:fs/promises";
import { openHandle } from "../files/bytes/contained-files.js";
import type { FileIdentity } from "../files/bytes/file-identities.js";
import { FileChangedError } from "./read-consistently.js";

const MAGIC = "SQLite format 3\0";

export async function isDatabase(file: FileHandle): Promise<boolean> {
  return (await beginningOf(file, MAGIC.length)).toString("latin1") === MAGIC;
}

/** The log of a database, which contains its newest pages. */
export interface DatabaseLog {
  readonly handle: FileHandle;
  readonly identity: FileIdentity;
  readonly bytes: number;
  /** @throws FileChangedError if the log was restarted or replaced */
  expectSame(): Promise<void>;
}

/** In bytes. The header contains the salt, and changes when the log restarts. */
const HEADER = 32;

/**
 * `undefined` if there is no log.
 * @throws FileChangedError while a database without such a log may contain a partial transaction
 */
export async function openLog(root: string, database: string): Promise<DatabaseLog | undefined> {
  const journal = await openHandle(root, `${database}-journal`);
  await journal?.handle.close();
  if (journal !== undefined && journal.identity.size > 0) throw new FileChangedError();
  const opened = await openHandle(root, `${database}-wal`);
  if (opened === undefined) return undefined;
  const { handle, identity } = opened;
  if (identity.size === 0) {
    await handle.close();
    return undefined;
  }
  const header = await beginningOf(handle, HEADER);
  return {
    handle,
    identity,
    bytes: identity.size,
    async expectSame() {
      const now = await openHandle(root, `${database}-wal`);
      await now?.handle.close();
      const isSame = now?.identity.inode === identity.inode && now.identity.size >= identity.size;
      if (!isSame || !(await beginningOf(handle, HEADER)).equals(header)) throw new FileChangedError();
    },
  };
}

async function beginningOf(file: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
}
