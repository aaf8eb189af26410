import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchivedList,
  type ArchivedRedaction,
  type ArchiveRecord,
} from "../../domain/archive/archive-record.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import type { RecordBatch } from "../../domain/json/record-batch.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { formatInstant } from "../../domain/trace/instant.js";
import { listAgents, type OrchestrationSnapshot } from "../../domain/trace/orchestration.js";
import { replayInSteps } from "../../domain/trace/replay-orchestration.js";
import type { ArchiveLines } from "../ports/export.js";
import type {
  MessageStream,
  ReadOptions,
  RecordSelection,
  RecordStream,
  RecordWarning,
} from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { readAllRecords } from "../sources/record-streams.js";
import { runInSlices } from "../threads/slices.js";
import type { ChoosePart } from "./part-of-session.js";

export interface ArchiveOptions extends ReadOptions {
  readonly writer: string;
  /** In milliseconds since the epoch. */
  readonly exportedAt: number;
  readonly part: string | null;
  readonly choosePart?: ChoosePart | undefined;
  readonly redaction: ArchivedRedaction | null;
  readonly prices?: unknown;
}

const decoder = new TextDecoder();

/**
 * Reads the lines of an archive on demand.
 * @param opened repeated use yields the same lines: reviewed lines are exported lines
 */
export async function* archiveLines(
  opened: readonly SessionToExport[],
  options: ArchiveOptions,
): ArchiveLines {
  const { writer, exportedAt, part, redaction, prices } = options;
  yield [
    lineOf({
      archive: {
        format: ARCHIVE_FORMAT,
        version: ARCHIVE_VERSION,
        exportedAt: formatInstant(exportedAt),
        writer,
        part,
        redaction,
        ...(prices === undefined ? {} : { prices }),
      },
    }),
  ];
  let records = 0;
  for (const session of opened) {
    for await (const lines of sessionLines(session, options)) {
      records += lines.length;
      yield lines;
    }
  }
  yield [lineOf({ end: { sessions: opened.length, records } })];
}

export interface SessionToExport {
  readonly session: ListedSession;
  readonly snapshot: SessionSnapshot;
}

async function* sessionLines({ session, snapshot }: SessionToExport, options: ArchiveOptions): ArchiveLines {
  const chosen = await options.choosePart?.(snapshot, options);
  const turns = chosen === undefined ? {} : { turns: chosen.turns };
  yield [lineOf({ session, revision: snapshot.revision ?? null, ...turns })];

  const trace = await snapshot.trace();
  yield* warningLines(trace.warnings, "trace");
  const positions = chosen?.envelopes;
  const size = positions?.length ?? trace.size;
  // Positions of messages are only valid for a complete archive.
  const messages = chosen === undefined ? await trace.messagesOf?.(upTo(trace.size), options) : undefined;
  let at = 0;
  for await (const batch of trace.read({ positions, from: 0, to: size }, options)) {
    yield textsIn(batch).map((text) => {
      const [message, sequence] = [messages?.[at] ?? -1, chosen?.sequences?.[at]];
      at++;
      const more = message < 0 ? "" : `,"shows":${message}`;
      return `{"envelope":${text}${more}${sequence === undefined ? "" : `,"sequence":${sequence}`}}`;
    });
  }

  const log = await snapshot.orchestration();
  yield* warningLines(log.events.warnings, "orchestration");
  for await (const batch of log.events.read(chosenOf(log.events, chosen?.events), options)) {
    yield textsIn(batch).map((text) => `{"event":${text}}`);
  }
  const state = await log.state();
  yield* warningLines(state?.warnings ?? [], "state");
  if (state !== null) yield [lineOf({ state: ofAgents(state.snapshot, chosen?.agents) })];

  yield* messageLines(await snapshot.messages(), undefined, chosen?.messages, options);
  const events = await readAllRecords<unknown>(log.events, options);
  const replayed = state?.snapshot ?? (await runInSlices(replayInSteps(null, events), options.signal));
  for (const { agentId } of await runInSlices(listAgents(replayed, events), options.signal)) {
    if (chosen !== undefined && !chosen.agents.has(agentId)) continue;
    yield* messageLines(await snapshot.messages(agentId), agentId, chosen?.agents.get(agentId), options);
  }
}

async function* messageLines(
  stream: MessageStream,
  agent: string | undefined,
  positions: Uint32Array | undefined,
  options: ReadOptions,
): ArchiveLines {
  yield* warningLines(stream.warnings, "messages", agent);
  const of = agent === undefined ? "" : `,"agent":${JSON.stringify(agent)}`;
  // An outline counts all messages, so a part cannot use it.
  if (stream.outline !== undefined && positions === undefined) {
    yield [`{"outline":${jsonTextOf(stream.outline)}${of}}`];
  }
  for await (const batch of stream.read(chosenOf(stream, positions), options)) {
    yield textsIn(batch).map((text) => `{"message":${text}${of}}`);
  }
}

function* warningLines(
  warnings: readonly RecordWarning[],
  of: ArchivedList,
  agent?: string,
): Generator<readonly string[], void> {
  const more = agent === undefined ? {} : { agent };
  if (warnings.length > 0) yield warnings.map((warning) => lineOf({ warning, of, ...more }));
}

function chosenOf({ size }: RecordStream, positions: Uint32Array | undefined): RecordSelection {
  return { positions, from: 0, to: positions?.length ?? size };
}

function ofAgents(
  state: OrchestrationSnapshot,
  chosen: ReadonlyMap<string, unknown> | undefined,
): OrchestrationSnapshot {
  if (chosen === undefined) return state;
  const agents = Object.entries(state.agents ?? {}).filter(([id]) => chosen.has(id));
  return { ...state, agents: Object.fromEntries(agents) };
}

const upTo = (size: number) => Uint32Array.from({ length: size }, (_, i) => i);

/** Records that were stored over several lines are still one line here. */
function textsIn(batch: RecordBatch): string[] {
  return Array.from({ length: batch.size }, (_, i) =>
    decoder.decode(batch.text.subarray(batch.start(i), batch.end(i))).replace(/[\r\n]+/g, " "),
  );
}

const lineOf = (record: ArchiveRecord): string => jsonTextOf(record)!;
