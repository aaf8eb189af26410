import { RecordingError } from "../application/errors.js";
import type { RecordedSession } from "../application/recording/recorded-session.js";
import type { SessionRecorder } from "../application/recording/session-recorder.js";
import { labelOf } from "../domain/json/json.js";
import { idProblem } from "../domain/session/ids.js";
import { keyText } from "../domain/session/session-key.js";
import { derivedId } from "../domain/text/fingerprints.js";
import { Conversation } from "./conversation.js";
import type { SpanIdentity } from "./run-span.js";

/** Writes wait in order until the session is open. */
export class SessionWriter {
  readonly #opened: Promise<RecordedSession> | RecordedSession;
  readonly #writes: Writes;
  #begun = 0;
  #before: number | undefined;
  #conversation: Conversation | undefined;

  /** @param opened an open session is written to at once; its owner records the turns */
  constructor(opened: Promise<RecordedSession> | RecordedSession, writes: Writes) {
    this.#opened = opened;
    this.#writes = writes;
  }

  get recordsTurns(): boolean {
    return this.#opened instanceof Promise;
  }

  /** The index is available after the session is open. */
  beginTurn(): (session: RecordedSession) => number {
    const begun = this.#begun++;
    return (session) => this.#turnsBefore(session) + begun;
  }

  write(write: (session: RecordedSession) => Promise<unknown>): void {
    const opened = this.#opened;
    this.#writes.add(opened instanceof Promise ? () => opened.then(write) : async () => write(opened));
  }

  /** A conversation with earlier turns, or with an unavailable number of turns, counts as resumed. */
  conversation(session: RecordedSession): Conversation {
    this.#conversation ??= new Conversation(this.#turnsBefore(session) > 0 || !session.knowsTurns);
    return this.#conversation;
  }

  #turnsBefore(session: RecordedSession): number {
    this.#before ??= session.turns;
    return this.#before;
  }
}

export class Writes {
  readonly #pending = new Set<Promise<unknown>>();
  readonly #onError: (error: unknown) => void;
  readonly #most: number;
  #refused = 0;
  #lost = 0;

  constructor(most: number, onError: (error: unknown) => void) {
    this.#most = most;
    this.#onError = onError;
  }

  get lost(): number {
    return this.#lost;
  }

  add(write: () => Promise<unknown>): void {
    if (this.#pending.size >= this.#most) {
      this.#refused++;
      this.#lost++;
      return;
    }
    const settled = write()
      .catch(this.#onError)
      .then(() => {
        this.#pending.delete(settled);
        if (this.#refused > 0 && this.#pending.size === 0) this.#tellRefused();
      });
    this.#pending.add(settled);
  }

  async settle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #tellRefused(): void {
    const count = this.#refused;
    this.#refused = 0;
    this.#onError(
      new RecordingError(
        `The store was too slow: ${count} records were not written, because too many waited.`,
      ),
    );
  }
}

export interface WritersOfSessions {
  of(
    identity: SpanIdentity & { readonly sessionId: string },
    start: { readonly title: string | undefined; readonly agentId: string | undefined; readonly at: number },
  ): SessionWriter;
}

export class SessionWriters implements WritersOfSessions {
  readonly #recorder: SessionRecorder;
  readonly #writes: Writes;
  readonly #most: number;
  readonly #writers = new Map<string, SessionWriter>();

  constructor(recorder: SessionRecorder, writes: Writes, most: number) {
    this.#recorder = recorder;
    this.#writes = writes;
    this.#most = most;
  }

  of(...[identity, start]: Parameters<WritersOfSessions["of"]>): SessionWriter {
    const tenantId = possibleId(identity.tenantId ?? "default");
    const sessionId = possibleId(identity.sessionId);
    const key = keyText({ tenantId, sessionId });
    const userId = labelOf(identity.userId);
    const writer =
      this.#writers.get(key) ??
      new SessionWriter(this.#recorder.open({ tenantId, sessionId, userId, ...start }), this.#writes);
    this.#writers.delete(key);
    this.#writers.set(key, writer);
    if (this.#writers.size > this.#most) this.#writers.delete(this.#writers.keys().next().value!);
    return writer;
  }
}

/** Ids become folder names: a fingerprint replaces an invalid id. */
export function possibleId(id: string): string {
  return idProblem(id) === undefined && id.length <= 200 ? id : derivedId(id);
}

export function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0]!;
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
