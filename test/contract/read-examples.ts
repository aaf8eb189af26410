import { customFormat, type FormatDefinition } from "../../src/adapters/formats/define-format.js";
import { TranscriptDataSource } from "../../src/adapters/transcripts/source/transcript-data-source.js";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";

/** JSON texts without line feeds. Each is one more record, or a warning. */
export const DAMAGED = [
  { name: "a value that is no object", text: () => "5" },
  { name: "an empty object", text: () => "{}" },
  {
    name: "an instant of the year 99999",
    text: (at: string) => JSON.stringify({ [at]: 3_093_527_980_799_000 }),
  },
  { name: "a negative instant", text: (at: string) => JSON.stringify({ [at]: -5 }) },
  { name: "an instant that is no time", text: (at: string) => JSON.stringify({ [at]: { time: [] } }) },
  { name: "a text of a megabyte", text: () => JSON.stringify({ text: "x".repeat(1024 * 1024) }) },
  { name: "names of every object", text: () => '{"__proto__":{"kind":5},"constructor":1,"toString":null}' },
];

export function withRecord(history: string, record: string, arrayMember: string | undefined): string {
  if (arrayMember === undefined) return `${history.trimEnd()}\n${record}\n`;
  const document = JSON.parse(history) as unknown[] | JsonObject;
  const value: unknown = JSON.parse(record);
  if (Array.isArray(document)) return JSON.stringify([...document, value]);
  return JSON.stringify({ ...document, [arrayMember]: [...(document[arrayMember] as unknown[]), value] });
}

/** The members before the array are one record, and those after it are one. */
export function recordsIn(text: string, arrayMember: string): number {
  const document = JSON.parse(text) as unknown[] | JsonObject;
  if (Array.isArray(document)) return document.length;
  const names = Object.keys(document);
  const at = names.indexOf(arrayMember);
  return (document[arrayMember] as unknown[]).length + Number(at > 0) + Number(at < names.length - 1);
}

export function sourceOf(format: FormatDefinition, folder: string): InspectorDataSource {
  return asDataSource(new TranscriptDataSource(folder, customFormat(format).tasks, { threads: false }));
}

export async function readAll(format: FormatDefinition, folder: string) {
  const source = sourceOf(format, folder);
  const summarize = new SummarizeSession(source);
  const sessions = [];
  for (const item of await source.listSessions()) {
    const { tenantId, sessionId } = item;
    const session = await source.openSession!(tenantId, sessionId);
    const { warnings } = await session!.trace();
    const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
    const messages: readonly unknown[] = await source.loadMessages(tenantId, sessionId);
    const answer = await summarize.execute({ tenantId, sessionId });
    if (answer.isUnchanged) throw new Error("A first answer has no earlier revision.");
    sessions.push({ item, trace, messages, warnings, summary: answer.value });
  }
  await source.close?.();
  return { sessions };
}

export function placesIn(
  trace: readonly WorkflowTraceEventEnvelope[],
  warnings: readonly { readonly file: string; readonly line: number }[],
): ReadonlySet<string> {
  const stored = trace.map(({ event }) => event.stored as { readonly file: string; readonly line: number });
  return new Set([...stored, ...warnings].map(({ file, line }) => `${file}:${line}`));
}

const PAIRS = [
  { start: "turn.start", end: "turn.end", key: "turnIndex" },
  { start: "llm.start", end: "llm.end", key: "callId" },
  { start: "tool.start", end: "tool.end", key: "toolCallId" },
] as const;

export function endedEarly(trace: readonly WorkflowTraceEventEnvelope[]): string[] {
  return PAIRS.flatMap(({ start, end, key }) => {
    const starts = new Map<unknown, string>();
    for (const { event, timestamp } of trace) if (event.type === start) starts.set(event[key], timestamp);
    return trace.flatMap(({ event, timestamp }) => {
      const begun = event.type === end ? starts.get(event[key]) : undefined;
      return begun !== undefined && begun > timestamp ? [`${end} ${String(event[key])}`] : [];
    });
  });
}
