import { isJsonObject } from "../../../src/domain/json.js";
import type { InspectorSessionItem } from "../../../src/domain/session.js";
import { ApiError, type ApiProblem } from "../api/api-problem.js";
import { sessionsAddress } from "../api/endpoints.js";
import { fetchRecords } from "../api/fetch-records.js";
import { type SessionLine, sessionLines } from "../model/session-table.js";
import { type ListQuery, listQuery, PAGE_ROWS } from "./list-protocol.js";

/** The first window is what fills a screen; the others are as large as the API gives them. */
const FIRST_WINDOW = 100;
const WINDOW = 1000;
/** Drawing again is worth it when the list has grown by this much. */
const GROWTH = 4;
/** Reading everything again may take this part of the time. */
const MAX_LOAD = 0.05;

export interface SessionListState {
  readonly version: number;
  readonly lines: number;
  /** The first of the lines. */
  readonly first: readonly SessionLine[];
  readonly sessions: number;
  /** Whether the list is there to its end. */
  readonly complete: boolean;
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
  /** Everyone seen so far, for the filters. */
  readonly tenants: readonly string[];
  readonly users: readonly string[];
}

/** Holds the sessions that were asked for and answers for the lines on the screen. */
export class SessionListStore {
  readonly #base: string;
  readonly #tell: (news: SessionListState) => void;
  #query: ListQuery = listQuery({});
  #sessions: readonly InspectorSessionItem[] = [];
  #lines: readonly SessionLine[] = [];
  #complete = false;
  #loading = false;
  #problem: ApiProblem | undefined;
  #etag: string | undefined;
  #version = 0;
  #reading = new AbortController();
  #notBefore = 0;
  readonly #tenants = new Set<string>();
  readonly #users = new Set<string>();

  constructor(base: string, tell: (news: SessionListState) => void) {
    this.#base = base;
    this.#tell = tell;
  }

  /** Other filters are another reading; another order is the same sessions. */
  async ask(query: ListQuery): Promise<void> {
    const same = JSON.stringify(query.filters) === JSON.stringify(this.#query.filters);
    this.#query = query;
    if (same && (this.#complete || this.#loading)) return this.#draw();
    this.#etag = undefined;
    await this.#read();
  }

  /** Reads again what has changed since. */
  async refresh(): Promise<void> {
    if (this.#loading || Date.now() < this.#notBefore) return;
    await this.#read();
  }

  lines(from: number, to: number): readonly SessionLine[] {
    return this.#lines.slice(from, to);
  }

  /** Where a session stands now; -1 where it does not. */
  place(tenantId: string, sessionId: string): number {
    return this.#lines.findIndex(
      (line) =>
        line.type === "session" && line.session.sessionId === sessionId && line.session.tenantId === tenantId,
    );
  }

  async #read(): Promise<void> {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.#loading = true;
    if (this.#version === 0) this.#announce();
    const began = Date.now();
    try {
      await this.#readWindows(reading.signal);
      this.#problem = undefined;
    } catch (error) {
      if (reading.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#problem = error.problem;
    }
    this.#loading = false;
    this.#notBefore = Date.now() + (Date.now() - began) / MAX_LOAD;
    this.#announce();
  }

  /** A first reading is drawn as it comes in; a later one takes the place of what is there, once, when it is whole. */
  async #readWindows(signal: AbortSignal): Promise<void> {
    const fresh = this.#etag === undefined;
    const sessions: InspectorSessionItem[] = [];
    let drawn = 0;
    let cursor: string | undefined;
    let etag = this.#etag;
    do {
      const first = cursor === undefined;
      const address = sessionsAddress(this.#base, this.#query.filters, first ? FIRST_WINDOW : WINDOW, cursor);
      const fetched = await fetchRecords(address, "sessions", (text) => sessions.push(readSession(text)), {
        signal,
        ...(first && etag !== undefined ? { etag } : {}),
      });
      if (fetched === undefined) return;
      if (first) etag = fetched.etag;
      cursor = fetched.nextCursor;
      if (fresh && cursor !== undefined && sessions.length >= drawn * GROWTH) {
        drawn = sessions.length;
        this.#take(sessions.slice(), false);
      }
    } while (cursor !== undefined);
    this.#etag = etag ?? "";
    this.#take(sessions, true);
  }

  #take(sessions: readonly InspectorSessionItem[], complete: boolean): void {
    this.#sessions = sessions;
    this.#complete = complete;
    this.#problem = undefined;
    for (const { tenantId, userId } of sessions) {
      this.#tenants.add(tenantId);
      if (userId !== "") this.#users.add(userId);
    }
    this.#draw();
  }

  #draw(): void {
    this.#version++;
    this.#lines = sessionLines(this.#sessions, this.#query.sort, this.#query.grouped);
    this.#announce();
  }

  /** Without another version where the lines are the same: whoever shows them keeps their place by it. */
  #announce(): void {
    this.#tell({
      version: this.#version,
      lines: this.#lines.length,
      first: this.#lines.slice(0, PAGE_ROWS),
      sessions: this.#sessions.length,
      complete: this.#complete,
      loading: this.#loading,
      problem: this.#problem,
      tenants: [...this.#tenants].sort().slice(0, 500),
      users: [...this.#users].sort().slice(0, 500),
    });
  }
}

function readSession(text: string): InspectorSessionItem {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || typeof value.sessionId !== "string") {
    throw new ApiError({ kind: "broken", status: 200, detail: "the list of sessions holds something else" });
  }
  const textOf = (name: string) => (typeof value[name] === "string" ? value[name] : "");
  return {
    ...(value as unknown as InspectorSessionItem),
    tenantId: textOf("tenantId"),
    userId: textOf("userId"),
    lastActive: textOf("lastActive"),
    tokens: Number(value.tokens) || 0,
    turns: Number(value.turns) || 0,
  };
}
