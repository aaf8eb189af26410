import { type FilterTerm, undecidedWhere } from "../../domain/filter/session-filter.js";
import { isPause } from "../../domain/lists/is-pause.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import type { InspectorDataSource, SessionPage, SessionSearch } from "../ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../ports/record-search.js";
import type { ReadOptions, RecordWarning } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionSource, SourceCapabilities } from "../ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../ports/source-survey.js";
import { runInSlices } from "../threads/slices.js";
import { searchParts } from "./combined-search.js";
import { asDataSource } from "./lift.js";
import { selectSessions } from "./select-sessions.js";
import { type PartAnswer, type SourcePart, type SourceValue, sumOf } from "./source-part.js";
import { surveyOutside } from "./source-surveys.js";

export function combine(parts: readonly SourcePart[]): InspectorDataSource {
  return {
    ...asDataSource(new CombinedSource(parts)),
    sourceNamed(name) {
      const named = parts.filter((part) => part.key === name || part.name === name);
      return named.length === 0 ? undefined : combine(named);
    },
  };
}

/** The key of a part is the beginning of the tenant id, so a session is only searched in its part. */
class CombinedSource implements SessionSource {
  readonly #parts: readonly SourcePart[];

  constructor(parts: readonly SourcePart[]) {
    this.#parts = parts;
  }

  /** A part without surveys builds its own list, so the parts are searched whatever they support. */
  get capabilities(): SourceCapabilities {
    const each = this.#parts.map(({ source }) => source.capabilities);
    const surveys = true;
    const knowsRevision = each.every((part) => part.knowsRevision);
    const limits = each.map(({ concurrentReads }) => concurrentReads).filter(Number.isFinite);
    // Each part applies its own limit. Parts without one are called as often as the others.
    const concurrentReads =
      limits.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...limits) * this.#parts.length;
    return { searchesRecords: true, knowsRevision, surveys, concurrentReads };
  }

  async findSessions(search: SessionSearch, options: ReadOptions = {}): Promise<SessionPage> {
    // A part knows neither its own name nor the outer names of its tenants.
    const filter = search.filter && undecidedWhere(search.filter, isOfParts);
    const answers = await Promise.all(
      this.#parts.flatMap((part) => {
        const own = part.narrowed({ ...search, filter });
        if (own === undefined) return [];
        const after = search.after && part.placeInside(search.after);
        const find = (until: ReadOptions) => part.source.findSessions({ ...own, after }, until);
        return [part.ask("list", find, options)];
      }),
    );
    const pages = answers.filter((answer) => "value" in answer);
    // Without any answer there is no list to complete.
    if (pages.length === 0) for (const answer of answers) if ("error" in answer) throw answer.error;
    const isComplete = pages.length === answers.length;
    return {
      items: await runInSlices(mergeSteps(pages, search.limit), options.signal),
      total: isComplete ? sumOf(pages.map(({ value }) => value.total)) : undefined,
      unread: isComplete ? sumOf(pages.map(({ value }) => value.unread)) : undefined,
      warnings: answers.flatMap(warningsOf),
    };
  }

  async openSession(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined> {
    for (const part of this.#parts) {
      const own = part.inside(tenantId);
      if (own !== undefined) return part.source.openSession(own, sessionId, options);
    }
    return undefined;
  }

  findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return searchParts(this.#parts, search, options);
  }

  /**
   * `undefined` unless every part has one. A list without a failed part had the old revision, so the revision must change: nobody may
   * treat that list as complete.
   */
  async revision(options?: ReadOptions): Promise<string | undefined> {
    const answers = await Promise.all(
      this.#parts.map((part) => part.ask("revision", (until) => part.source.revision(until), options)),
    );
    const values = answers.map((answer) => ("value" in answer ? answer.value : undefined));
    if (values.includes(undefined)) return undefined;
    const names = this.#parts.map(({ key, failures }) => [key, failures]);
    return longFingerprint(JSON.stringify([names, values]));
  }

  async survey(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]> {
    const answers = await Promise.all(
      this.#parts.flatMap((part) => {
        const own = part.narrowed(request);
        return own === undefined
          ? []
          : [part.ask("survey", (until) => part.source.survey(own, until), options)];
      }),
    );
    return answers.flatMap((answer) => {
      const { part } = answer;
      if ("error" in answer) return [{ key: part.key, name: part.name, failure: answer.reason, tenants: [] }];
      return answer.value.map((survey) => surveyOutside(survey, part));
    });
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.#parts.map((part) => part.close()));
    for (const outcome of closed) if (outcome.status === "rejected") throw outcome.reason;
  }
}

const isOfParts = (term: FilterTerm) =>
  term.is === "text" && (term.field === "tenant" || term.field === "source");

function* mergeSteps(
  pages: readonly SourceValue<SessionPage>[],
  limit: number | undefined,
): Generator<void, InspectorSessionItem[]> {
  const items: InspectorSessionItem[] = [];
  for (const { part, value } of pages) {
    for (const item of value.items) {
      items.push({ ...item, tenantId: part.outside(item.tenantId), source: part.name });
      if (isPause(items.length)) yield;
    }
  }
  return yield* selectSessions(items, { limit });
}

function warningsOf(answer: PartAnswer<SessionPage>): RecordWarning[] {
  const { key, name } = answer.part;
  if ("error" in answer) return [{ file: key, line: 1, reason: answer.reason }];
  return (answer.value.warnings ?? []).map(({ file, line, reason }) => ({
    file: `${key}/${file}`,
    line,
    reason: `${name}: ${reason}`,
  }));
}
