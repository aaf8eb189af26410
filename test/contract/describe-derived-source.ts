import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type {
  RecordSelection,
  RecordStream,
  RecordWarning,
} from "../../src/application/ports/record-stream.js";
import type { InspectorSessionItem } from "../../src/domain/session/session.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";

export interface DerivedFolder {
  readonly name: string;
  readonly folder: string;
}

export interface DerivedOptions {
  /** Selects the files with records, by their paths in the folder. */
  readonly isHistory: (file: string) => boolean;
  /** Default is one a line. */
  readonly countRecords?: (file: string, text: string) => number;
  /** Names of the records of an envelope. Default is the line of its `stored`. */
  readonly recordsOf?: (envelope: WorkflowTraceEventEnvelope) => readonly string[];
}

/**
 * The contract of a source that derives sessions from another tool's records: every line counts, ids are stable, sequences ascend, a
 * window is a part of its list, and a file that grows gives the same as at its end.
 * @example
 * describeDerivedSource("ClaudeCode", createClaudeCodeDataSource, [{ name: "samples", folder }], {
 *   isHistory: (file) => file.endsWith(".jsonl"),
 * });
 */
export function describeDerivedSource(
  name: string,
  createSource: (folder: string) => InspectorDataSource,
  folders: readonly DerivedFolder[],
  { isHistory, countRecords = countLines, recordsOf = (envelope) => [placeOf(envelope)] }: DerivedOptions,
): void {
  const scratch: string[] = [];
  afterAll(async () => {
    for (const folder of scratch) await rm(folder, { recursive: true, force: true });
  });

  describe.each(folders)(`${name} as a derived source: $name`, ({ folder }) => {
    const withSource = async <T>(
      work: (source: InspectorDataSource) => Promise<T>,
      of = folder,
    ): Promise<T> => {
      const source = createSource(of);
      try {
        return await work(source);
      } finally {
        await source.close?.();
      }
    };
    let reading: Promise<readonly ReadTrace[]> | undefined;
    const traces = () => {
      reading ??= withSource(readTraces);
      return reading;
    };
    const histories = async (of: string) =>
      (await readdir(of, { recursive: true }))
        .map((file) => file.split(path.sep).join("/"))
        .filter(isHistory);

    it("accounts for every line: as an envelope, as a replay or as a warning", async () => {
      let accounted = 0;
      for (const { trace, warnings } of await traces()) {
        const lines = new Set(trace.flatMap(recordsOf));
        const replayed = trace.reduce((count, { event }) => count + Number(event.replayed ?? 0), 0);
        // The envelope that counts replays may be derived from one.
        const own = lines.size - (replayed > 0 && isOnlyReplays(trace) ? 1 : 0);
        // A visible line with other content than the stored one is a warning, too.
        const unshown = warnings.filter(({ file, line }) => !lines.has(`${file}:${line}`));
        accounted += own + replayed + unshown.length;
      }
      let lines = 0;
      for (const file of await histories(folder)) {
        const text = await readFile(path.join(folder, file), "utf8");
        lines += countRecords(file, text);
      }
      expect(lines).toBeGreaterThan(0);
      expect(accounted).toBe(lines);
    });

    it("gives ids that are unique in their session, and the same at every reading", async () => {
      const idsOf = (read: readonly ReadTrace[]) =>
        read.map(({ session, trace }) => [session, trace.map(({ id }) => id)] as const);
      const ids = idsOf(await traces());
      for (const [session, own] of ids) expect([session, new Set(own).size]).toEqual([session, own.length]);
      expect(idsOf(await withSource(readTraces))).toEqual(ids);
    });

    it("gives sequences that ascend in each trace, without two alike", async () => {
      for (const { session, trace } of await traces()) {
        const byTrace = new Map<string, Set<number>>();
        for (const { traceId, sequence } of trace) {
          const known = byTrace.get(traceId) ?? new Set<number>();
          byTrace.set(traceId, known);
          expect([session, traceId, sequence, known.has(sequence)]).toEqual([
            session,
            traceId,
            sequence,
            false,
          ]);
          known.add(sequence);
        }
        for (const sequences of byTrace.values()) expect(sequences.has(0)).toBe(true);
      }
    });

    it("gives windows that are parts of the whole, in any order", async () => {
      await withSource(async (source) => {
        for (const { tenantId, sessionId } of await source.listSessions()) {
          const trace = await (await source.openSession!(tenantId, sessionId))!.trace();
          const whole = await source.loadTraceEnvelopes(tenantId, sessionId);
          expect(trace.size).toBe(whole.length);
          const positions = Uint32Array.from(whole.keys()).reverse();
          const [from, to] = [Math.floor(whole.length / 3), Math.ceil(whole.length * 0.8)];
          expect(await recordsIn(trace, { positions, from, to })).toEqual(whole.toReversed().slice(from, to));
        }
      });
    });

    it("gives the conversation of each agent as it gives that of the session: by windows, in any order", async () => {
      await withSource(async (source) => {
        for (const { tenantId, sessionId } of await source.listSessions()) {
          const session = (await source.openSession!(tenantId, sessionId))!;
          const agents = (await (await session.orchestration()).state())?.snapshot.agents ?? {};
          for (const agentId of Object.keys(agents)) {
            const stream = await session.messages(agentId);
            const whole = await recordsIn(stream, { from: 0, to: stream.size });
            expect([agentId, whole.length]).toEqual([agentId, stream.size]);
            const positions = Uint32Array.from(whole.keys()).reverse();
            const [from, to] = [Math.floor(whole.length / 3), Math.ceil(whole.length * 0.8)];
            expect(await recordsIn(stream, { positions, from, to })).toEqual(
              whole.toReversed().slice(from, to),
            );
          }
        }
      });
    });

    it("gives of a file that was read while it grew what it gives of the whole file, and other records other fingerprints", async () => {
      const copy = await mkdtemp(path.join(tmpdir(), "derived-source-"));
      scratch.push(copy);
      await cp(folder, copy, { recursive: true });
      const files = (await histories(copy)).map((file) => path.join(copy, file));
      const wholes = await Promise.all(files.map((file) => readFile(file)));
      const growing = createSource(copy);
      const texts = new Map<string, string>();
      for (const part of [0.2, 0.77]) {
        for (const [i, file] of files.entries()) {
          const length = Math.floor(wholes[i]!.length * part);
          if (part === 0.2) await truncate(file, length);
          else await writeFile(file, wholes[i]!.subarray(0, length), { flag: "r+" });
        }
        await noteTexts(growing, texts);
      }
      for (const [i, file] of files.entries()) await writeFile(file, wholes[i]!, { flag: "r+" });
      const grown = await readAll(growing);
      await noteTexts(growing, texts);
      await growing.close?.();
      expect(grown).toEqual(await withSource(readAll, copy));
    });
  });
}

async function recordsIn(stream: RecordStream, selection: RecordSelection): Promise<unknown[]> {
  const records: unknown[] = [];
  for await (const batch of stream.read(selection)) {
    records.push(...(JSON.parse(`[${new TextDecoder().decode(batch.text)}]`) as unknown[]));
  }
  return records;
}

interface ReadTrace {
  readonly session: string;
  readonly trace: readonly WorkflowTraceEventEnvelope[];
  readonly warnings: readonly RecordWarning[];
}

async function readTraces(source: InspectorDataSource): Promise<readonly ReadTrace[]> {
  const read = await eachSession(source, async ({ tenantId, sessionId }) => {
    const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
    const { warnings } = await (await source.openSession!(tenantId, sessionId))!.trace();
    return { trace, warnings };
  });
  return read.map(([session, found]) => ({ session, ...found }));
}

async function readAll(source: InspectorDataSource) {
  const items = await source.listSessions();
  const sessions = await eachSession(source, async ({ tenantId, sessionId }) => ({
    trace: await source.loadTraceEnvelopes(tenantId, sessionId),
    messages: await source.loadMessages(tenantId, sessionId),
    events: await source.loadOrchestrationEvents(tenantId, sessionId),
  }));
  return { items, sessions };
}

/** Records with the same fingerprint must have the same text. */
async function noteTexts(source: InspectorDataSource, texts: Map<string, string>): Promise<void> {
  await eachSession(source, async ({ tenantId, sessionId }) => {
    await source.loadOrchestrationEvents(tenantId, sessionId);
    const session = await source.openSession!(tenantId, sessionId);
    const lists = { trace: await session!.trace(), messages: await session!.messages() };
    for (const [list, stream] of Object.entries(lists)) {
      let position = 0;
      for await (const { text, size, start, end } of stream.read({ from: 0, to: stream.size })) {
        for (let i = 0; i < size; i++) {
          const record = new TextDecoder().decode(text.subarray(start(i), end(i)));
          const key = [tenantId, sessionId, list, stream.fingerprintAt!(position++)].join(" ");
          expect(texts.get(key) ?? record).toBe(record);
          texts.set(key, record);
        }
      }
    }
  });
}

async function eachSession<T>(
  source: InspectorDataSource,
  read: (session: InspectorSessionItem) => Promise<T>,
): Promise<[session: string, found: T][]> {
  const found: [string, T][] = [];
  for (const item of await source.listSessions()) {
    found.push([`${item.tenantId}/${item.sessionId}`, await read(item)]);
  }
  return found;
}

function placeOf({ event }: WorkflowTraceEventEnvelope): string {
  const { file, line } = event.stored as { readonly file: string; readonly line: number };
  return `${file}:${line}`;
}

/** Another session may have written every line first. */
function isOnlyReplays(trace: readonly WorkflowTraceEventEnvelope[]): boolean {
  return trace.filter(({ event }) => event.agentId === undefined).length === 1;
}

function countLines(_file: string, text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "" && !isTorn(text, line)).length;
}

/** A last line without line feed that is not JSON is incomplete. */
function isTorn(text: string, line: string): boolean {
  if (!text.endsWith(line)) return false;
  try {
    JSON.parse(line);
    return false;
  } catch {
    return true;
  }
}
