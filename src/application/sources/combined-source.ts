import type { Message } from "../../domain/conversation/message.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { InspectorDataSource, SessionPage, SessionSearch } from "../ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../ports/record-search.js";
import type { ReadOptions, RecordWarning } from "../ports/record-stream.js";
import type { OrchestrationState, SessionSnapshot } from "../ports/session-snapshot.js";
import { runInSlices } from "../threads/slices.js";
import { checkedRevision } from "./checked-snapshot.js";
import { searchParts } from "./combined-search.js";
import { snapshotOfLists } from "./open-session.js";
import { selectSessions } from "./select-sessions.js";
import type { Answer, SourceCalls } from "./source-calls.js";
import { type SourcePart, sumOf } from "./source-part.js";

const ITEMS_PER_PAUSE = 256;

/** Several sources as one. A session belongs to the part whose key its tenant id begins with, so that none is looked for in another. */
export class CombinedSource implements InspectorDataSource {
  readonly #parts: readonly SourcePart[];
  readonly #calls: SourceCalls;

  constructor(parts: readonly SourcePart[], calls: SourceCalls) {
    this.#parts = parts;
    this.#calls = calls;
  }

  async listSessions(options?: ReadOptions): Promise<InspectorSessionItem[]> {
    return [...(await this.findSessions({}, options)).items];
  }

  async findSessions(search: SessionSearch, options: ReadOptions = {}): Promise<SessionPage> {
    const asked = this.#parts.flatMap((part) => {
      const own = part.narrowed(search);
      return own === undefined ? [] : [{ part, own }];
    });
    const answers = await Promise.all(
      asked.map(async ({ part, own }) => ({
        part,
        answer: await this.#calls.ask(part, "list", (until) => part.find(own, until), options),
      })),
    );
    const pages = answers.flatMap(({ part, answer }) =>
      "value" in answer ? [{ part, page: answer.value }] : [],
    );
    if (pages.length === 0) throwFirst(answers.map(({ answer }) => answer));
    const isWhole = pages.length === answers.length;
    return {
      items: await runInSlices(mergeSteps(pages, search.limit), options.signal),
      total: isWhole ? sumOf(pages.map(({ page }) => page.total)) : undefined,
      unread: isWhole ? sumOf(pages.map(({ page }) => page.unread)) : undefined,
      warnings: answers.flatMap(warningsOf),
    };
  }

  async openSession(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined> {
    const { source, own } = this.#owner(tenantId) ?? {};
    if (source === undefined || own === undefined) return undefined;
    return source.openSession === undefined
      ? snapshotOfLists(source, own, sessionId, options)
      : source.openSession(own, sessionId, options);
  }

  searchRecords(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return searchParts(this.#parts, this.#calls, search, options);
  }

  async loadTraceEnvelopes(
    tenantId: string,
    ...rest: [sessionId: string, options?: ReadOptions]
  ): Promise<WorkflowTraceEventEnvelope[]> {
    const owner = this.#owner(tenantId);
    return owner === undefined ? [] : owner.source.loadTraceEnvelopes(owner.own, ...rest);
  }

  async loadOrchestrationEvents(
    tenantId: string,
    ...rest: [sessionId: string, options?: ReadOptions]
  ): Promise<unknown[]> {
    const owner = this.#owner(tenantId);
    return owner === undefined ? [] : owner.source.loadOrchestrationEvents(owner.own, ...rest);
  }

  async loadOrchestrationState(
    tenantId: string,
    ...rest: [sessionId: string, options?: ReadOptions]
  ): Promise<OrchestrationState | null> {
    const owner = this.#owner(tenantId);
    return owner === undefined ? null : owner.source.loadOrchestrationState(owner.own, ...rest);
  }

  async loadMessages(
    tenantId: string,
    ...rest: [sessionId: string, options?: ReadOptions]
  ): Promise<Message[]> {
    const owner = this.#owner(tenantId);
    return owner === undefined ? [] : owner.source.loadMessages(owner.own, ...rest);
  }

  /**
   * Known where every part knows its own. A list that was made without one of them was given under the revision of before: from then on
   * there is another one, so that nobody takes it for the whole.
   */
  async revision(options?: ReadOptions): Promise<string | undefined> {
    const parts = this.#parts.filter(({ source }) => source.revision !== undefined);
    if (parts.length < this.#parts.length) return undefined;
    const answers = await Promise.all(
      parts.map((part) =>
        this.#calls.ask(
          part,
          "revision",
          async (until) => checkedRevision(await part.source.revision?.(until)),
          options,
        ),
      ),
    );
    const known = answers.map((answer) => ("value" in answer ? answer.value : undefined));
    if (known.includes(undefined)) return undefined;
    return longFingerprint(JSON.stringify([this.#calls.failures, this.#parts.map(({ key }) => key), known]));
  }

  sourceNamed(name: string): InspectorDataSource | undefined {
    const parts = this.#parts.filter((part) => part.key === name || part.name === name);
    return parts.length === 0 ? undefined : new CombinedSource(parts, this.#calls);
  }

  /** Closes every part, also where one fails at it. */
  async close(): Promise<void> {
    this.#calls.close();
    const closed = await Promise.allSettled(this.#parts.map(async ({ source }) => source.close?.()));
    for (const outcome of closed) if (outcome.status === "rejected") throw outcome.reason;
  }

  /** The source that a tenant is of, and what it calls it. */
  #owner(tenantId: string): { readonly source: InspectorDataSource; readonly own: string } | undefined {
    for (const part of this.#parts) {
      const own = part.inside(tenantId);
      if (own !== undefined) return { source: part.source, own };
    }
    return undefined;
  }
}

interface PartPage {
  readonly part: SourcePart;
  readonly page: SessionPage;
}

function* mergeSteps(
  pages: readonly PartPage[],
  limit: number | undefined,
): Generator<void, InspectorSessionItem[]> {
  const items: InspectorSessionItem[] = [];
  for (const { part, page } of pages) {
    for (const item of page.items) {
      items.push({ ...item, tenantId: part.outside(item.tenantId), source: part.name });
      if (items.length % ITEMS_PER_PAUSE === 0) yield;
    }
  }
  return yield* selectSessions(items, { limit });
}

function warningsOf({
  part,
  answer,
}: {
  readonly part: SourcePart;
  readonly answer: Answer<SessionPage>;
}): RecordWarning[] {
  if ("error" in answer) return [{ file: part.key, line: 1, reason: answer.reason }];
  return (answer.value.warnings ?? []).map(({ file, line, reason }) => ({
    file: `${part.key}/${file}`,
    line,
    reason: `${part.name}: ${reason}`,
  }));
}

/** Where nothing answered, there is no list that something could be missing from. */
function throwFirst(answers: readonly Answer<unknown>[]): void {
  for (const answer of answers) if ("error" in answer) throw answer.error;
}
