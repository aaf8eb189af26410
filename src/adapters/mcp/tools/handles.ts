import { createHash } from "node:crypto";
import { InvalidRequestError } from "../../../application/errors.js";
import { MAX_LIMIT } from "../../../application/listing/window.js";
import { changed, recordsOf } from "../../../application/questions/json-list.js";
import type { SessionQuery } from "../../../application/questions/list-sessions.js";
import { ownerOf } from "../../../application/questions/requests.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import { idProblem } from "../../../domain/session/ids.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { type AnswerText, line } from "../answer/answer.js";
import { hexOf, type Own, own } from "../answer/own-words.js";
import { Remembered } from "./recent-entries.js";

export interface RequestedSession {
  readonly key: SessionKey;
  readonly handle: Own;
  readonly previousRevision: string | undefined;
}

const MOST_SESSIONS = 20_000;
const MOST_STEPS = 50_000;
const MOST_CURSORS = 1_000;

const SESSION = /^(s-[0-9a-f]{10})(?:@([0-9a-f]{8}))?$/;
const STEP = /^e-[0-9a-f]{8}$/;
const AGENT = /^a-[0-9a-f]{8}$/;
const CURSOR = /^c-[0-9a-f]{10}$/;

/** Two items have the same handle, so it selects neither. */
const SEVERAL = Symbol();

/**
 * Our own names for sessions, steps and agents, so that answers need no text of a history. A session retains its handle at every start of
 * the server; others are valid while it runs, for one session.
 */
export class Handles {
  readonly #listSessions: InspectorUseCases["listSessions"];
  readonly #sessions = new Remembered<SessionKey | typeof SEVERAL>(MOST_SESSIONS);
  readonly #steps = new Remembered<string | typeof SEVERAL>(MOST_STEPS);
  readonly #cursors = new Remembered<string>(MOST_CURSORS);
  readonly #revisions = new Remembered<string>(MOST_SESSIONS);

  constructor({ listSessions }: Pick<InspectorUseCases, "listSessions">) {
    this.#listSessions = listSessions;
  }

  session({ tenantId, sessionId }: SessionKey): Own {
    const handle = own`s-${hexOf(digest([tenantId, sessionId]), 10)}`;
    const existing = this.#sessions.get(handle.text);
    const isOther =
      existing !== undefined &&
      (existing === SEVERAL || existing.tenantId !== tenantId || existing.sessionId !== sessionId);
    this.#sessions.keep(handle.text, isOther ? SEVERAL : { tenantId, sessionId });
    return handle;
  }

  /**
   * Accepts a handle, optionally followed by the revision, or `tenant/id`, or an ID: of the default tenant, else the only session with
   * that ID.
   * @throws InvalidRequestError if the argument selects no session, or several
   */
  async sessionNamed(text: string, parameter = "session", signal?: AbortSignal): Promise<RequestedSession> {
    const [, handle, previousRevision] = SESSION.exec(text) ?? [];
    const existing = handle === undefined ? undefined : await this.#sessionOf(handle, signal);
    if (existing === SEVERAL) throw new InvalidRequestError(parameter, `matches several sessions. ${AS_ID}`);
    const key = existing ?? (await this.#sessionWithId(text, parameter, signal));
    return { key, handle: this.session(key), previousRevision };
  }

  async #sessionOf(
    handle: string,
    signal: AbortSignal | undefined,
  ): Promise<SessionKey | typeof SEVERAL | undefined> {
    const existing = this.#sessions.get(handle);
    if (existing !== undefined) return existing;
    // The handle is from before a restart, or was dropped. Searches all listed sessions.
    let match: SessionKey | typeof SEVERAL | undefined;
    for (let cursor: string | undefined; ; ) {
      const list = changed(
        await this.#listSessions.execute({ window: { limit: MAX_LIMIT, cursor } }, { signal }),
      );
      for (const key of await recordsOf<SessionKey>(list)) {
        if (this.session(key).text === handle) match = match === undefined ? key : SEVERAL;
      }
      cursor = list.nextCursor ?? undefined;
      if (cursor === undefined) return match;
    }
  }

  async #sessionWithId(
    text: string,
    parameter: string,
    signal: AbortSignal | undefined,
  ): Promise<SessionKey> {
    const slash = text.indexOf("/");
    const tenantId = slash === -1 ? undefined : text.slice(0, slash);
    const sessionId = text.slice(slash + 1);
    const problem = idProblem(sessionId) ?? (tenantId === undefined ? undefined : idProblem(tenantId));
    if (problem !== undefined) throw new InvalidRequestError(parameter, `matches no session. ${FIND}`);
    const find = async (owner: Pick<SessionQuery, "tenantId" | "sessionId">) =>
      recordsOf<SessionKey>(await this.#listSessions.execute({ ...owner, window: { limit: 2 } }, { signal }));
    let match = await find(ownerOf({ tenantId, sessionId }));
    if (match.length === 0 && tenantId === undefined) match = await find({ sessionId });
    const [key, other] = match;
    if (key === undefined) throw new InvalidRequestError(parameter, `matches no session. ${FIND}`);
    if (other !== undefined)
      throw new InvalidRequestError(parameter, `matches sessions of several tenants. ${AS_ID}`);
    return { tenantId: key.tenantId, sessionId: key.sessionId };
  }

  /**
   * Returns the heading of an answer, with a note if the caller's revision differs.
   * @param revision `undefined` if the source has none
   */
  visit({ handle, previousRevision }: RequestedSession, revision: string | undefined): HandleState {
    if (revision === undefined) return { of: handle, changes: [] };
    const now = hexOf(digest([revision]), 8);
    const before = previousRevision ?? this.#revisions.get(handle.text);
    this.#revisions.keep(handle.text, now.text);
    const isSame = before === undefined || before === now.text;
    return { of: own`${handle}@${now}`, changes: isSame ? [] : [line(CHANGED)] };
  }

  step(session: RequestedSession, id: string): Own {
    return this.#inSession(session, own`e-`, id);
  }

  /** @returns `undefined` for any other text and for a dropped handle */
  stepOf(session: RequestedSession, handle: string): string | undefined {
    return STEP.test(handle) ? this.#registered(session, handle) : undefined;
  }

  agent(session: RequestedSession, agentId: string | undefined): Own {
    return agentId === undefined || agentId === "" ? own`main` : this.#inSession(session, own`a-`, agentId);
  }

  /**
   * @returns the ID of a sub-agent; `undefined` for the main agent
   * @throws InvalidRequestError for a handle that was never issued
   */
  agentNamed(session: RequestedSession, handle: string | undefined): string | undefined {
    if (handle === undefined || handle === "main") return undefined;
    const existing = AGENT.test(handle) ? this.#registered(session, handle) : undefined;
    if (existing !== undefined) return existing;
    throw new InvalidRequestError(
      "agent",
      "is no handle of an earlier answer. trace_slice returns handles of agents, such as a-12ab34cd.",
    );
  }

  #inSession({ handle }: RequestedSession, kind: Own, id: string): Own {
    const name = own`${kind}${hexOf(digest([kind.text, handle.text, id]), 8)}`;
    const key = `${handle.text} ${name.text}`;
    const existing = this.#steps.get(key);
    this.#steps.keep(key, existing === undefined || existing === id ? id : SEVERAL);
    return name;
  }

  #registered({ handle }: RequestedSession, name: string): string | undefined {
    const existing = this.#steps.get(`${handle.text} ${name}`);
    return existing === SEVERAL ? undefined : existing;
  }

  /** A cursor itself may contain ids of a history. */
  cursor(cursor: string | null | undefined): Own | undefined {
    if (cursor === undefined || cursor === null) return undefined;
    const handle = own`c-${hexOf(digest([cursor]), 10)}`;
    this.#cursors.keep(handle.text, cursor);
    return handle;
  }

  /** @throws InvalidRequestError for a cursor that was never issued, or was issued long ago */
  cursorNamed(handle: string | undefined): string | undefined {
    if (handle === undefined) return undefined;
    const cursor = CURSOR.test(handle) ? this.#cursors.get(handle) : undefined;
    if (cursor !== undefined) return cursor;
    throw new InvalidRequestError(
      "cursor",
      "is not from a recent answer. Use the value of next, or omit cursor.",
    );
  }
}

export interface HandleState {
  readonly of: Own;
  readonly changes: readonly AnswerText[];
}

const FIND = "list_sessions and search return handles of sessions, such as s-12ab34cd56.";
const AS_ID = "Select one as tenant/id.";
const CHANGED = own`The session has changed since the revision of the request. Earlier quotations may no longer exist, and positions may have moved.`;

function digest(parts: readonly string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
