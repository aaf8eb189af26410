import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { ContainedFiles } from "../jsonl/contained-files.js";
import type { FileIdentity } from "../jsonl/file-identity.js";
import { fileThread } from "../jsonl/file-thread.js";
import { nameInSession, type SessionFiles } from "./session-files.js";

/** What one sees of a session's file: `null` where there is none, `undefined` where one may not look. */
type Seen = FileIdentity | null | undefined;

/** What one sees of a session's folder and files. */
export interface SessionLook {
  readonly folder: Seen;
  readonly messages: Seen;
  readonly trace: Seen;
  readonly orchestration: Seen;
  readonly checkpoint: Seen;
}

const LOOKED_AT = ["folder", "messages", "trace", "orchestration", "checkpoint"] as const;

/**
 * Looks at the files of one session, all at once. Calls that belong to one request, which is to say to one signal, share one
 * look: so a request sees one state of the session, and costs one question to the file system.
 */
export class SessionLooks {
  readonly #files: ContainedFiles;
  readonly #ofRequest = new WeakMap<AbortSignal, Map<string, Promise<SessionLook>>>();

  constructor(files: ContainedFiles) {
    this.#files = files;
  }

  look(session: SessionFiles, { signal }: ReadOptions = {}): Promise<SessionLook> {
    if (signal === undefined) return this.#look(session);
    const looks = this.#ofRequest.get(signal) ?? new Map<string, Promise<SessionLook>>();
    this.#ofRequest.set(signal, looks);
    const look = looks.get(session.folder) ?? this.#look(session);
    looks.set(session.folder, look);
    return look;
  }

  async #look(session: SessionFiles): Promise<SessionLook> {
    const names = LOOKED_AT.map((part) => (part === "folder" ? "" : nameInSession(session[part])));
    const found = await fileThread.stat([session.folder], names);
    const seen = await Promise.all(
      LOOKED_AT.map((part, i) => this.#see(session[part], found.subarray(i * 4, i * 4 + 4))),
    );
    const [folder, messages, trace, orchestration, checkpoint] = seen;
    return { folder, messages, trace, orchestration, checkpoint };
  }

  async #see(file: string, [device = 0, inode = 0, size = 0, modifiedAt = 0]: Float64Array): Promise<Seen> {
    if (Number.isNaN(device)) return null;
    if (device < 0) return undefined;
    const identity = { device, inode, size, modifiedAt };
    return (await this.#files.isInside(file, identity)) ? identity : null;
  }
}
