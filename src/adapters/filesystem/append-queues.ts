import { appendFile, mkdir, open, stat } from "node:fs/promises";
import path from "node:path";

interface Queue {
  /** The end of what was asked for so far. */
  last: Promise<unknown>;
  /** Lines that wait for the append before them, and who waits for them. */
  pending: { text: string; written: Promise<void> } | undefined;
}

/** How many files' ends are remembered before the memory starts anew. */
const REMEMBERED = 10_000;

/**
 * Appends to files, each file's texts in the order of the calls. What is asked for while an append is under way goes into
 * the next one together.
 */
export class AppendQueues {
  readonly #queues = new Map<string, Queue>();
  /** Files whose end is known to be the end of a line. */
  readonly #whole = new Set<string>();

  append(file: string, text: string): Promise<void> {
    const queue = this.#queue(file);
    if (queue.pending !== undefined) {
      queue.pending.text += text;
      return queue.pending.written;
    }
    const pending: { text: string; written: Promise<void> } = { text, written: Promise.resolve() };
    pending.written = this.run(file, () => {
      queue.pending = undefined;
      return this.#write(file, pending.text);
    });
    queue.pending = pending;
    return pending.written;
  }

  /** Runs something that has the file for itself, behind what was asked for before. */
  run(file: string, work: () => Promise<void>): Promise<void> {
    const queue = this.#queue(file);
    queue.pending = undefined;
    const result = queue.last.then(work);
    queue.last = result.catch(() => undefined); // the caller gets the error; the next append may succeed
    const { last } = queue;
    void queue.last.then(() => {
      if (queue.last === last) this.#queues.delete(file);
    });
    return result;
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.last));
  }

  #queue(file: string): Queue {
    const known = this.#queues.get(file);
    if (known !== undefined) return known;
    const queue: Queue = { last: Promise.resolve(), pending: undefined };
    this.#queues.set(file, queue);
    return queue;
  }

  async #write(file: string, text: string): Promise<void> {
    if (!this.#whole.has(file)) {
      await mkdir(path.dirname(file), { recursive: true });
      if (await endsInMidLine(file)) await appendFile(file, "\n");
    }
    this.#whole.delete(file);
    await appendFile(file, text);
    if (this.#whole.size >= REMEMBERED) this.#whole.clear();
    this.#whole.add(file);
  }
}

/** Whether a writer before us was killed in the middle of a record: its torn line must not swallow our first one. */
async function endsInMidLine(file: string): Promise<boolean> {
  const size = await stat(file).then(
    (stats) => stats.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return 0;
      throw error;
    },
  );
  if (size === 0) return false;
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
    return buffer[0] !== 0x0a;
  } finally {
    await handle.close();
  }
}
