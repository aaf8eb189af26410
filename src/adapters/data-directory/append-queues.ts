import { appendLines } from "./append-lines.js";

interface Queue {
  /** The end of what was asked for so far. */
  last: Promise<unknown>;
  /** Lines that wait for the append before them, and who waits for them. */
  pending: { text: string; written: Promise<void> } | undefined;
}

/**
 * Appends lines to files, each file's in the order of the calls. What is asked for while an append is under way goes into
 * the next one together.
 */
export class AppendQueues {
  readonly #queues = new Map<string, Queue>();

  append(file: string, text: string): Promise<void> {
    const queue = this.#queue(file);
    if (queue.pending !== undefined) {
      queue.pending.text += text;
      return queue.pending.written;
    }
    const pending: { text: string; written: Promise<void> } = { text, written: Promise.resolve() };
    pending.written = this.run(file, () => {
      queue.pending = undefined;
      return appendLines(file, Buffer.from(pending.text));
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
}
