import { Worker } from "node:worker_threads";
import { SourceUnavailableError } from "../../application/errors.js";
import type { FileIdentity } from "./file-identity.js";

/** What lies at the two ends of a file. A small file is all beginning. */
export interface FileEnds {
  readonly identity: FileIdentity;
  readonly beginning: Uint8Array<ArrayBuffer>;
  readonly end: Uint8Array<ArrayBuffer>;
}

/** What the thread is asked for; `file-thread-worker.js` answers. */
export type FileThreadTask =
  | {
      readonly id: number;
      readonly kind: "stat";
      readonly folders: readonly string[];
      readonly names: readonly string[];
    }
  | { readonly id: number; readonly kind: "identities"; readonly paths: readonly string[] }
  | {
      readonly id: number;
      readonly kind: "ends";
      readonly root: string;
      readonly paths: readonly string[];
      readonly beginning: number;
      readonly end: number;
    };

type Question = FileThreadTask extends infer Task ? (Task extends unknown ? Omit<Task, "id"> : never) : never;

interface Answer {
  readonly id: number;
  readonly result: unknown;
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** How long the thread stays when nobody asks it anything. */
const IDLE_MS = 30_000;

/**
 * Many small looks at the file system, by a thread of their own. One call that looks at a thousand files costs the event
 * loop as much as one look at one file would; made one by one, looking at a few thousand files takes it a tenth of a second.
 *
 * The thread begins with the first question, unless it was kept before, ends when there have been none for a while, and never
 * keeps the process alive.
 */
export class FileThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #restsSince = 0;
  #isKept = false;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Begins the thread, so that the first question need not wait for it, and lets it stay. */
  keep(): void {
    this.#isKept = true;
    clearInterval(this.#idle);
    this.#open().unref();
  }

  /**
   * The identities of files, four numbers each (device, inode, size, modification time), folder by folder; `NaN` where there
   * is none: no folder for `""`, no regular file for any other name; -1 where one
   * may not look. Links are followed.
   *
   * @param names what to look at in each folder; `""` is the folder itself
   */
  stat(folders: readonly string[], names: readonly string[]): Promise<Float64Array> {
    return this.#ask({ kind: "stat", folders, names });
  }

  /** The identities of files by their paths, as {@link stat} gives them. */
  identities(paths: readonly string[]): Promise<Float64Array> {
    return this.#ask({ kind: "identities", paths });
  }

  /**
   * The ends of files; `null` for one that is not there, is no file, or lies outside.
   *
   * @param root the real path of the folder that files have to lie in
   */
  ends(root: string, paths: readonly string[], beginning: number, end: number): Promise<(FileEnds | null)[]> {
    return this.#ask({ kind: "ends", root, paths, beginning, end });
  }

  #ask<T>(question: Question): Promise<T> {
    const worker = this.#open();
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, ...question });
    });
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL("./file-thread-worker.js", import.meta.url), {
      name: "agent-inspector files",
      execArgv: [], // the host's own flags are not for this thread
    });
    worker.on("message", ({ id, result }: Answer) => {
      this.#waiting.get(id)?.resolve(result as never);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest(worker);
    });
    worker.on("error", (cause) => this.#fail(worker, cause));
    this.#worker = worker;
    return worker;
  }

  /** Lets the process end, and the thread too if nobody asks for a while. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#restsSince = performance.now();
    if (this.#isKept) return;
    this.#idle ??= setInterval(() => {
      if (this.#waiting.size > 0 || performance.now() - this.#restsSince < IDLE_MS) return;
      this.#close();
      void worker.terminate();
    }, IDLE_MS).unref();
  }

  #close(): void {
    clearInterval(this.#idle);
    this.#idle = undefined;
    this.#worker = undefined;
  }

  #fail(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#close();
    const error = new SourceUnavailableError("The file system could not be read.", { cause });
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** One thread for the whole process, however many sources there are. */
export const fileThread = new FileThread();
