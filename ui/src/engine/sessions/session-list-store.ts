import { matchSession } from "../../../../src/domain/filter/match-session.js";
import { needsOf, type SessionFilter } from "../../../../src/domain/filter/session-filter.js";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { isSameSession, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { readFilter } from "../../model/filter/filter-text.js";
import { type FilterValues, filterValues } from "../../model/filter/filter-values.js";
import { sumCosts } from "../../model/sessions/session-costs.js";
import {
  filledColumns,
  type SessionColumn,
  type SessionLine,
  sessionLines,
} from "../../model/sessions/session-table.js";
import { FollowedSessions } from "./followed-sessions.js";
import {
  type ListQuery,
  listQuery,
  PAGE_ROWS,
  type SessionFilters,
  type SessionListState,
} from "./list-protocol.js";
import { zoneName } from "./zone-name.js";

/** A filter makes the service examine all sessions, so it waits for a pause in typing. */
const TYPING_MS = 150;

/** Evaluates filters on fields of the list at once. The service evaluates others; until its answer, possible matches are displayed. */
export class SessionListStore {
  readonly #base: string;
  readonly #notify: (state: SessionListState) => void;
  #query: ListQuery = listQuery({});
  /** `undefined` without a filter; `"wrong"` for invalid text, which matches no session. */
  #filter: SessionFilter | undefined | "wrong";
  #all: FollowedSessions;
  #followed: FollowedSessions | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #filters: SessionFilters = this.#query.filters;
  #sessions: readonly InspectorSessionItem[] = [];
  #undecided = 0;
  #lines: readonly SessionLine[] = [];
  #version = 0;
  #columns: readonly SessionColumn[] = [];
  #rarelyFilled: readonly SessionColumn[] = [];
  #hasFolders = false;
  #values: { readonly of: readonly InspectorSessionItem[]; readonly values: FilterValues } | undefined;

  constructor(base: string, notify: (state: SessionListState) => void) {
    this.#base = base;
    this.#notify = notify;
    this.#all = this.#reading({});
  }

  /** Only another text, or a filter that the list cannot decide, needs a request. */
  async ask(query: ListQuery): Promise<void> {
    const { q, filter } = query.filters;
    const isFirst = !this.#all.isBegun && this.#followed === undefined;
    const isSame = filter === this.#query.filters.filter && query.zone === this.#query.zone;
    const isSearch = q !== this.#query.filters.q;
    this.#query = query;
    this.#readFilter();
    if (isSearch) {
      this.#all.stop();
      this.#all = this.#reading({ q });
    }
    if (this.#isRequested()) {
      if (isSame && !isSearch && this.#followed !== undefined) return this.#rebuild();
      this.#followed?.stop();
      const filtered = this.#reading({ q, filter, zone: zoneName(query.zone) });
      this.#followed = filtered;
      if (isFirst) return filtered.read();
      if (this.#all.complete) this.#rebuild();
      if (isSearch) void this.#all.read();
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => void filtered.read(), TYPING_MS);
      return;
    }
    clearTimeout(this.#typing);
    this.#followed?.stop();
    this.#followed = undefined;
    if (this.#all.complete || this.#all.loading) return this.#rebuild();
    if (this.#version > 0) this.#publish();
    await this.#read(this.#all);
  }

  async refresh(): Promise<void> {
    if (this.#followed === undefined) return this.#all.refresh();
    this.#readFilter();
    if (this.#followed.isBegun) await this.#followed.refresh();
    if (this.#followed?.complete) await this.#all.refresh();
  }

  lines(from: number, to: number): readonly SessionLine[] {
    return this.#lines.slice(from, to);
  }

  /** -1 without a line. */
  indexOf(tenantId: string, sessionId: string): number {
    return this.#lines.findIndex(
      (line) => line.type === "session" && isSameSession(line.session, { tenantId, sessionId }),
    );
  }

  item(session: SessionKey): InspectorSessionItem | undefined {
    return this.#sessions.find((one) => isSameSession(one, session));
  }

  values(): FilterValues {
    const previousCount = this.#listed();
    if (this.#values?.of !== previousCount)
      this.#values = { of: previousCount, values: filterValues(previousCount) };
    return this.#values.values;
  }

  #reading(query: FollowedSessions["query"]): FollowedSessions {
    const reading: FollowedSessions = new FollowedSessions(this.#base, query, (change) => {
      if (reading !== this.#all && reading !== this.#followed) return;
      if (change === "sessions") this.#look();
      if (change === "sessions" && (reading === this.#followed || !this.#followed?.complete)) this.#rebuild();
      else this.#publish();
    });
    return reading;
  }

  async #read(reading: FollowedSessions): Promise<void> {
    const read = reading.read();
    if (this.#version === 0) this.#publish();
    await read;
  }

  #readFilter(): void {
    const { filters, zone } = this.#query;
    const read = readFilter(filters.filter ?? "", Date.now(), zoneName(zone));
    this.#filter = "problem" in read ? "wrong" : read.filter;
  }

  #isRequested(): boolean {
    return this.#filter !== undefined && this.#filter !== "wrong" && needsOf(this.#filter).has("facts");
  }

  #listed(): readonly InspectorSessionItem[] {
    return this.#all.sessions.length > 0 ? this.#all.sessions : (this.#followed?.sessions ?? []);
  }

  /** Ignores the few matches of a search if possible: columns of the complete list are more reliable. */
  #look(): void {
    const previousCount = this.#listed();
    if (previousCount.length === 0 || (this.#query.filters.q !== undefined && this.#columns.length > 0))
      return;
    const { filled, rarely } = filledColumns(previousCount);
    this.#columns = filled;
    this.#rarelyFilled = rarely;
    this.#hasFolders ||= previousCount.some(({ directory }) => directory !== undefined);
  }

  #rebuild(): void {
    this.#version++;
    const { sort, grouping, zone, filters } = this.#query;
    this.#filters = filters;
    this.#narrow();
    this.#lines = sessionLines(this.#sessions, sort, grouping, zone, Date.now());
    this.#publish();
  }

  #narrow(): void {
    const filter = this.#filter;
    const filtered = this.#followed;
    this.#undecided = 0;
    if (filtered !== undefined && (filtered.complete || filtered.sessions.length > 0)) {
      this.#sessions = filtered.sessions;
      this.#undecided = filtered.undecided;
    } else if (filter === undefined) this.#sessions = this.#all.sessions;
    else if (filter === "wrong") this.#sessions = [];
    else {
      const matches = matchSession(filter);
      this.#sessions = this.#all.sessions.filter((session) => {
        const isMatch = matches(session);
        if (isMatch === undefined && filtered === undefined) this.#undecided++;
        return isMatch ?? filtered !== undefined;
      });
    }
  }

  /** Equal lines retain the version, because a new version restores the page's scroll position. */
  #publish(): void {
    const visible = this.#followed ?? this.#all;
    const isNarrowing = this.#followed !== undefined && !this.#followed.complete;
    this.#notify({
      version: this.#version,
      filters: this.#filters,
      lines: this.#lines.length,
      first: this.#lines.slice(0, PAGE_ROWS),
      sessions: this.#sessions.length,
      total: this.#all.complete ? this.#all.sessions.length : undefined,
      undecided: this.#undecided,
      isNarrowing,
      costs: sumCosts(this.#sessions),
      progress: visible.progress,
      warnings: visible.warnings,
      complete: visible.complete,
      loading: visible.loading || isNarrowing,
      problem: visible.problem,
      columns: this.#columns,
      rarelyFilled: this.#rarelyFilled,
      hasFolders: this.#hasFolders,
    });
  }
}
