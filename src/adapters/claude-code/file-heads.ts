import { LRUCache } from "lru-cache";
import pLimit, { type LimitFunction } from "p-limit";
import { SourceUnavailableError } from "../../application/errors.js";
import { instantOf } from "../../domain/instant.js";
import { RecordScanner } from "../../domain/json-text/record-scanner.js";
import { type ContainedFiles, unreadableAsUndefined } from "../jsonl/contained-files.js";
import { type FileIdentity, identify } from "../jsonl/file-identity.js";
import { hash53 } from "./claude-record.js";

/** What the first record of a file with a `uuid` says. */
export interface FileHead {
  /** What a replayed copy of the record shares with it. */
  readonly key: number | undefined;
  readonly instant: number | undefined;
  /** The session that the record names as its own. */
  readonly sessionId: string | undefined;
  /** The session that it says it was copied from. */
  readonly forkedFrom: string | undefined;
  readonly agentId: string | undefined;
}

const PATHS = ["uuid", "timestamp", "sessionId", "agentId", "forkedFrom.sessionId"];

const NO_HEAD: FileHead = {
  key: undefined,
  instant: undefined,
  sessionId: undefined,
  forkedFrom: undefined,
  agentId: undefined,
};

/** How much of a file is read for its first record: once little, then more where that did not hold it. */
const PIECES = [16 * 1024, 1024 * 1024];

const REMEMBERED = 50_000;
const LF = 0x0a;

/** How many files are open at a time. */
const AT_A_TIME = 16;

/** The beginnings of files. A file is only appended to, so its first record is read once. */
export class FileHeads {
  readonly #files: ContainedFiles;
  readonly #known = new LRUCache<string, FileHead>({ max: REMEMBERED });
  readonly #limit: LimitFunction = pLimit(AT_A_TIME);

  constructor(files: ContainedFiles) {
    this.#files = files;
  }

  /**
   * In the order of the paths.
   *
   * @param seen the identities of the files, where they were just looked at; `undefined` for one that is not there
   */
  readAll(paths: readonly string[], seen?: ReadonlyMap<string, FileIdentity>): Promise<FileHead[]> {
    return this.#limit.map(paths, async (path) => {
      const identity = seen === undefined ? await this.#look(path) : seen.get(path);
      return identity === undefined ? NO_HEAD : this.#readOrNone(path, identity);
    });
  }

  async #look(path: string): Promise<FileIdentity | undefined> {
    const stats = await unreadableAsUndefined(this.#files.find(path));
    return stats?.isFile() ? identify(stats) : undefined;
  }

  /** Of a file that cannot be read nothing is known: reading all of it tells why. */
  async #readOrNone(path: string, identity: FileIdentity): Promise<FileHead> {
    try {
      return await this.#read(path, identity);
    } catch (error) {
      if (error instanceof SourceUnavailableError) return NO_HEAD;
      throw error;
    }
  }

  async #read(path: string, { device, inode, size }: FileIdentity): Promise<FileHead> {
    const key = `${device}:${inode}:${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const head = await this.#readFirst(path, size);
    if (head.key !== undefined) this.#known.set(key, head);
    return head;
  }

  async #readFirst(path: string, size: number): Promise<FileHead> {
    const file = (await this.#files.open(path))?.handle;
    if (file === undefined) return NO_HEAD;
    try {
      for (const piece of PIECES) {
        const { buffer, bytesRead } = await file.read(new Uint8Array(piece), 0, piece, 0);
        const head = firstRecord(buffer.subarray(0, bytesRead));
        if (head.key !== undefined || piece >= size) return head;
      }
      return NO_HEAD;
    } finally {
      await file.close();
    }
  }
}

/** The first record with a `uuid` among the lines, also where the last of them is cut behind its short members. */
function firstRecord(bytes: Uint8Array): FileHead {
  const scanner = new RecordScanner(PATHS);
  let names = NO_HEAD;
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(LF, at);
    const end = found === -1 ? bytes.length : found;
    scanner.reset();
    scanner.push(bytes, at, end);
    const [uuid, timestamp, sessionId, agentId, forkedFrom] = PATHS.map((_, i) => textOf(scanner, i));
    if (uuid !== undefined && (timestamp !== undefined || found !== -1)) {
      const key = hash53(`${uuid} ${String(timestamp)}`);
      return { key, instant: instantOf(timestamp), sessionId, forkedFrom, agentId };
    }
    if (sessionId !== undefined || agentId !== undefined) {
      names = {
        ...names,
        sessionId: names.sessionId ?? sessionId,
        agentId: names.agentId ?? agentId,
      };
    }
    at = end + 1;
  }
  return names;
}

function textOf(scanner: RecordScanner, path: number): string | undefined {
  if (scanner.end(path) < 0) return undefined;
  const value = scanner.scalar(path);
  return typeof value === "string" && value !== "" ? value : undefined;
}
