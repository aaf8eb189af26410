import type { ContextItem } from "../../domain/analysis/context-item.js";
import type {
  DifferenceSide,
  SessionComparison,
  SessionDifference,
} from "../../domain/analysis/session-comparison.js";
import { AnalysisReader, type OpenedSession } from "../explain/analysis-reader.js";
import {
  type AnalysedSession,
  COMPARE,
  CUT_DIFFERENCE,
  type DifferingRecord,
} from "../explain/analysis-tasks.js";
import { KeptWhileSame } from "../kept-while-same.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SessionKey } from "../ports/session-store.js";
import { lift } from "../sources/lift.js";
import { openSession, type TenantScope } from "../sources/scope.js";
import { SharedReadings } from "../threads/shared-readings.js";
import type { ThreadSession } from "../threads/thread-session.js";

export interface ComparisonRequest {
  readonly sessions: readonly [SessionKey, SessionKey];
  /** Whose sessions the caller may see: one of another tenant is not found. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

/** Comparisons take long and are small. */
const MOST_COMPARISONS = 16;

/** Two sessions side by side, and where they part. */
export class CompareSessions {
  readonly #source: SessionSource;
  readonly #reader: AnalysisReader;
  /** By the revisions of both sessions. */
  readonly #kept = new KeptWhileSame<string, SessionComparison>({ max: MOST_COMPARISONS });
  /** Of sessions of which one has no revision. */
  readonly #readings = new SharedReadings<SessionComparison>();

  /** @param reader default reads on the host's own event loop, in slices, and knows no prices */
  constructor(source: InspectorDataSource, reader = new AnalysisReader()) {
    this.#source = lift(source);
    this.#reader = reader;
  }

  /** @throws SessionNotFoundError for a session that the source does not know */
  async execute(request: ComparisonRequest, options: ReadOptions = {}): Promise<SessionComparison> {
    const { sessions: keys } = request;
    const opened = await this.#open(request, options);
    const name = JSON.stringify(keys.map(({ tenantId, sessionId }) => [tenantId, sessionId]));
    const revision = revisionOf(opened.map(({ session }) => session));
    const known = () => (revision === undefined ? undefined : this.#kept.get(name, revision));
    const comparison =
      known() ??
      (revision === undefined
        ? await this.#readings.read(name, (signal) => this.#openAndCompare(request, { signal }), options)
        : await this.#compare(opened, options, known));
    if (revision !== undefined) this.#kept.keep(name, revision, comparison);
    return comparison;
  }

  async #open(
    { sessions, tenants }: ComparisonRequest,
    options: ReadOptions,
  ): Promise<readonly [OpenedSession, OpenedSession]> {
    const open = async (key: SessionKey): Promise<OpenedSession> => ({
      key,
      session: await openSession(this.#source, { ...key, tenants }, options),
    });
    return await Promise.all([open(sessions[0]), open(sessions[1])]);
  }

  async #openAndCompare(request: ComparisonRequest, options: ReadOptions): Promise<SessionComparison> {
    return await this.#compare(await this.#open(request, options), options);
  }

  async #compare(
    opened: readonly [OpenedSession, OpenedSession],
    options: ReadOptions,
    known?: () => SessionComparison | undefined,
  ): Promise<SessionComparison> {
    const ask = async (
      [a, b]: readonly AnalysedSession[],
      thread: ThreadSession,
    ): Promise<SessionComparison> => {
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
        // What is in no message of the conversation is known by its beginning.
        const known = { text: item.text, cutBefore: 0, cutBehind: 0 };
        return { ...partOf(item, compared.stepIds[i]), ...(records?.[i] === undefined ? known : texts![i]) };
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
      };
    };
    return await this.#reader.read(opened, options, ask, known);
  }
}

/** Of both; `undefined` where one has none. */
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

/** The message that a part is of, as it is stored; `undefined` where it is recorded on a call alone. */
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
