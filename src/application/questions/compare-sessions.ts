import type {
  DifferenceSide,
  SessionComparison,
  SessionDifference,
} from "../../domain/compare/session-comparison.js";
import type { StepComparison, StepRow } from "../../domain/compare/step-comparison.js";
import type { ContextItem } from "../../domain/context/context-item.js";
import { isSameSession, keyText, type SessionKey } from "../../domain/session/session-key.js";
import { AnalysisReader, type OpenedSession } from "../analysis/analysis-reader.js";
import {
  type AnalysedSession,
  COMPARE,
  CUT_DIFFERENCE,
  type DifferingRecord,
  ROWS_PER_TEXT,
} from "../analysis/analysis-tasks.js";
import { CachedWhileSame } from "../cached-while-same.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionSource } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";
import { lift } from "../sources/lift.js";
import type { TenantScope } from "../sources/scope.js";
import { SharedReadings } from "../threads/shared-readings.js";
import type { ThreadSession } from "../threads/thread-session.js";

export interface ComparisonRequest {
  readonly sessions: readonly [SessionKey, SessionKey];
  /** Whose sessions the caller may see: one of another tenant is not found. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
  /** Default is 0. */
  readonly row?: number | undefined;
  /** Default is 100. */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;

const MAX_CACHED = 64 * 2 ** 20;
const WITHOUT_ROWS = 2 ** 20;

interface CompleteComparison extends Omit<SessionComparison, "steps"> {
  readonly steps: Omit<StepComparison, "rows">;
  readonly rowTexts: readonly string[];
}

export class CompareSessions {
  readonly #source: SessionSource;
  readonly #reader: AnalysisReader;
  readonly #cached = new CachedWhileSame<string, CompleteComparison>({ maxSize: MAX_CACHED });
  readonly #readings = new SharedReadings<CompleteComparison>();

  /** @param reader default reads on the host's own event loop, in slices, and knows no prices */
  constructor(source: InspectorDataSource, reader = new AnalysisReader()) {
    this.#source = lift(source);
    this.#reader = reader;
  }

  /** @throws SessionNotFoundError for a session that the source does not know */
  async execute(request: ComparisonRequest, options: ReadOptions = {}): Promise<SessionComparison> {
    const { sessions: keys } = request;
    const opened = await this.#open(request, options);
    const name = JSON.stringify(keys.map((key) => keyText(key)));
    const revision = revisionOf(opened.map(({ session }) => session));
    const cached = () => (revision === undefined ? undefined : this.#cached.get(name, revision));
    const comparison =
      cached() ??
      (revision === undefined
        ? await this.#readings.read(name, (signal) => this.#openAndCompare(request, { signal }), options)
        : await this.#compare(opened, options, cached));
    if (revision !== undefined) this.#cached.keep(name, revision, comparison, sizeOf(comparison));
    const { rowTexts, ...rest } = comparison;
    return { ...rest, steps: { ...rest.steps, rows: rowsIn(rowTexts, request) } };
  }

  async #open(
    { sessions, tenants }: ComparisonRequest,
    options: ReadOptions,
  ): Promise<readonly [OpenedSession, OpenedSession]> {
    const open = async (key: SessionKey): Promise<OpenedSession> => ({
      key,
      session: await openSession(this.#source, { ...key, tenants }, options),
      findFolder: () => this.#folderOf(key, options),
    });
    return await Promise.all([open(sessions[0]), open(sessions[1])]);
  }

  async #folderOf({ tenantId, sessionId }: SessionKey, options: ReadOptions): Promise<string> {
    const page = await this.#source
      .findSessions({ tenantId, sessionId, limit: 1 }, options)
      .catch(() => undefined);
    const item = page?.items.find((one) => isSameSession(one, { tenantId, sessionId }));
    return item?.directory ?? "";
  }

  async #openAndCompare(request: ComparisonRequest, options: ReadOptions): Promise<CompleteComparison> {
    return await this.#compare(await this.#open(request, options), options);
  }

  async #compare(
    opened: readonly [OpenedSession, OpenedSession],
    options: ReadOptions,
    cached?: () => CompleteComparison | undefined,
  ): Promise<CompleteComparison> {
    const ask = async (
      [a, b]: readonly AnalysedSession[],
      thread: ThreadSession,
    ): Promise<CompleteComparison> => {
      const compared = await thread.call(COMPARE, [a!, b!]);
      const { difference } = compared;
      const records =
        difference &&
        ([
          await recordOf(opened[0].session, difference.items[0], options),
          await recordOf(opened[1].session, difference.items[1], options),
        ] as const);
      const texts = records && (await thread.call(CUT_DIFFERENCE, records));
      const side = (i: 0 | 1): DifferenceSide | null => {
        const item = difference?.items[i];
        if (item === undefined) return null;
        const cached = { text: item.text, cutBefore: 0, cutBehind: 0 };
        return { ...partOf(item, compared.stepIds[i]), ...(records?.[i] === undefined ? cached : texts![i]) };
      };
      const named: SessionDifference | null =
        difference === undefined
          ? null
          : { kind: difference.kind, at: difference.at, sides: [side(0), side(1)] };
      return {
        sessions: compared.sessions,
        tools: compared.tools,
        files: compared.files,
        difference: named,
        conversation: compared.conversation,
        steps: compared.steps,
        rowTexts: compared.rowTexts,
      };
    };
    return await this.#reader.read(opened, options, ask, cached);
  }
}

function sizeOf({ rowTexts }: CompleteComparison): number {
  return rowTexts.reduce((size, { length }) => size + length, WITHOUT_ROWS);
}

function rowsIn(
  texts: readonly string[],
  { row = 0, limit = DEFAULT_LIMIT }: ComparisonRequest,
): readonly StepRow[] {
  const first = Math.floor(row / ROWS_PER_TEXT);
  const wanted = texts.slice(first, Math.ceil((row + limit) / ROWS_PER_TEXT));
  const rows = wanted.flatMap((text) => JSON.parse(text) as readonly StepRow[]);
  return rows.slice(row - first * ROWS_PER_TEXT, row - first * ROWS_PER_TEXT + limit);
}

function revisionOf(sessions: readonly SessionSnapshot[]): string | undefined {
  const revisions = sessions.map(({ revision }) => revision);
  return revisions.includes(undefined) ? undefined : JSON.stringify(revisions);
}

function partOf(
  { messageIndex, partIndex, origin, part, toolName }: ContextItem,
  stepId: string | undefined,
): Omit<DifferenceSide, "text" | "cutBefore" | "cutBehind"> {
  const tool = toolName === "" ? {} : { toolName };
  return { messageIndex, partIndex, origin, part, ...tool, ...(stepId === undefined ? {} : { stepId }) };
}

async function recordOf(
  session: SessionSnapshot,
  item: ContextItem | undefined,
  options: ReadOptions,
): Promise<DifferingRecord | undefined> {
  if (item === undefined || !Number.isInteger(item.messageIndex) || item.messageIndex < 0) return undefined;
  const messages = await session.messages();
  const { messageIndex: from, partIndex } = item;
  for await (const batch of messages.read({ from, to: from + 1 }, options)) {
    return { text: new Uint8Array(batch.text.subarray(batch.start(0), batch.end(0))), partIndex };
  }
  return undefined;
}
