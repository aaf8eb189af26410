import { keyText } from "../../domain/session/session-key.js";
import { RecordingError, SourceRefusedError, SourceUnavailableError } from "../errors.js";
import type { SessionStore } from "../ports/session-store.js";
import { type BufferLimits, RecordRoom } from "./record-room.js";
import { recordingError } from "./recording-error.js";
import { Retrying } from "./retrying.js";
import { SessionQueue, type WaitingCall } from "./session-queue.js";
import type { StoreCall } from "./store-call.js";

const MOST_AT_ONCE = 32;

const BYTES_PER_CALL = 512;
const BYTES_PER_CHARACTER = 2;

interface Flush {
  readonly upTo: number;
  left: number;
  readonly end: () => void;
}

/**
 * Records that wait for a store, in the order of each session. While the store is away (`SourceUnavailableError`), one session after the
 * other is retried; any other error loses the records. Without room the newest records are lost, so that earlier ones stay complete.
 */
export class RecordBuffer {
  readonly #store: SessionStore;
  readonly #onError: (error: RecordingError) => void;
  readonly #room: RecordRoom;
  readonly #limits: BufferLimits;
  readonly #retrying = new Retrying(() => this.#writeSome());
  readonly #sessions = new Map<string, SessionQueue>();
  readonly #ready = new Set<SessionQueue>();
  readonly #flushes = new Set<Flush>();
  readonly #prefix = crypto.randomUUID();
  #lastId = 0;
  #writing = 0;
  #isScheduled = false;
  #isSilent = false;
  #refusal: string | undefined;
  #lost = 0;
  #refused = 0;

  constructor(store: SessionStore, onError: (error: RecordingError) => void, limits: BufferLimits) {
    this.#store = store;
    this.#onError = onError;
    this.#limits = limits;
    this.#room = new RecordRoom(limits);
  }

  get lost(): number {
    return this.#lost;
  }

  get waiting(): number {
    return this.#room.records;
  }

  /** True if callers should not wait for an answer. */
  get isSilent(): boolean {
    return this.#isSilent || this.#retrying.isAway;
  }

  noteSilence(): void {
    this.#isSilent = true;
  }

  add(what: string, call: StoreCall, text: string): void {
    const bytes = BYTES_PER_CALL + BYTES_PER_CHARACTER * text.length;
    if (!this.#room.take(bytes)) return this.#refuse(call);
    const key = keyText(call.key);
    const queue = this.#sessions.get(key) ?? new SessionQueue(key);
    this.#sessions.set(key, queue);
    queue.add({ id: ++this.#lastId, what, call, text, bytes });
    if (!queue.isBeingWritten) this.#ready.add(queue);
    this.#schedule();
  }

  async flush(): Promise<void> {
    if (this.waiting === 0) return;
    await new Promise<void>((end) => {
      this.#flushes.add({ upTo: this.#lastId, left: this.waiting, end });
      this.#retrying.keepAlive(true);
    });
  }

  /** Sends records of one turn of the event loop together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#writeSome();
    });
  }

  #writeSome(): void {
    while (this.#writing < MOST_AT_ONCE && this.#retrying.mayTry) {
      const [queue] = this.#ready;
      if (queue === undefined) return;
      this.#ready.delete(queue);
      void this.#write(queue);
    }
  }

  async #write(queue: SessionQueue): Promise<void> {
    this.#writing++;
    queue.isBeingWritten = true;
    const attempt = this.#retrying.begin();
    const batch = queue.first();
    const results = await Promise.allSettled(batch.map((waiting) => this.#send(waiting)));
    const again: WaitingCall[] = [];
    let reason: unknown;
    for (const [i, result] of results.entries()) {
      const waiting = batch[i]!;
      if (result.status === "fulfilled") this.#settle(waiting, () => waiting.call.onStored?.(result.value));
      else if (result.reason instanceof SourceUnavailableError) {
        again.push(waiting);
        reason = result.reason;
      } else this.#settle(waiting, () => this.#lose(waiting, result.reason));
    }
    queue.put(again, batch.length);
    queue.isBeingWritten = false;
    this.#writing--;
    if (queue.isEmpty) this.#sessions.delete(queue.key);
    else this.#ready.add(queue);
    const isAnswered = again.length === 0;
    if (isAnswered) {
      this.#isSilent = false;
      this.#refusal = undefined;
    }
    const isFirst = attempt.end(isAnswered);
    if (reason instanceof SourceRefusedError) this.#tellRefusal(reason);
    else if (isFirst) this.#tellAway(reason);
    this.#writeSome();
  }

  async #send({ id, call, text }: WaitingCall): Promise<unknown> {
    return call.send(this.#store, JSON.parse(text), { callId: `${this.#prefix}-${id}` });
  }

  #settle(waiting: WaitingCall, note: () => void): void {
    note();
    const wasFull = this.#room.isFull;
    this.#room.free(waiting.bytes);
    if (wasFull && !this.#room.isFull) this.#tellRefused();
    for (const flush of this.#flushes) {
      if (waiting.id > flush.upTo || --flush.left > 0) continue;
      this.#flushes.delete(flush);
      flush.end();
    }
    this.#retrying.keepAlive(this.#flushes.size > 0);
  }

  #lose({ what, call }: WaitingCall, cause: unknown): void {
    if (call.onLost?.(false) !== true) this.#lost++;
    this.#onError(recordingError(what, cause));
  }

  #refuse(call: StoreCall): void {
    if (call.onLost?.(true) === true) return;
    this.#lost++;
    if (this.#refused++ > 0) return;
    const { maxWaitingRecords, maxWaitingBytes } = this.#limits;
    this.#onError(
      new RecordingError(
        `Too much waits for the session store (${this.waiting} records; ${maxWaitingRecords} may, or ${maxWaitingBytes} bytes): ` +
          "what is recorded from now on is lost, until half of that is free.",
      ),
    );
  }

  #tellRefused(): void {
    const count = this.#refused;
    this.#refused = 0;
    if (count > 0)
      this.#onError(
        new RecordingError(`${count} records were lost, because too much waited for the session store.`),
      );
  }

  /** Reports each reason once: a server that was down may start without its schema. */
  #tellRefusal(cause: SourceRefusedError): void {
    if (this.#refusal === cause.message) return;
    this.#refusal = cause.message;
    this.#onError(
      new RecordingError(
        `The session store refuses records: what is recorded waits for it. ${cause.message}`,
        {
          cause,
        },
      ),
    );
  }

  #tellAway(cause: unknown): void {
    this.#onError(
      new RecordingError("The session store cannot be reached: what is recorded waits for it.", { cause }),
    );
  }
}
