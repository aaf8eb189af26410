import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { priceTableOf } from "../../../src/adapters/prices/price-table.js";
import { AnalysisReader } from "../../../src/application/analysis/analysis-reader.js";
import { archiveLines } from "../../../src/application/export/archive-lines.js";
import type { ExportWriter } from "../../../src/application/ports/export.js";
import type { InspectorDataSource } from "../../../src/application/ports/inspector-data-source.js";
import { CallPricing } from "../../../src/application/pricing/call-pricing.js";
import { GetSessionTrace } from "../../../src/application/questions/get-session-trace.js";
import { recordsIn } from "../../../src/application/questions/json-list.js";
import { SummarizeSession } from "../../../src/application/questions/summarize-session.js";
import { lift } from "../../../src/application/sources/lift.js";
import { type JsonObject, objectField } from "../../../src/domain/json/json.js";
import { runToEnd } from "../../../src/domain/lists/run-to-end.js";
import type { ListedSession } from "../../../src/domain/session/model-usage.js";
import { type EventFacts, readEventFacts } from "../../../src/domain/spans/event-facts.js";
import { spanTree } from "../../../src/domain/spans/span-tree.js";
import type { SessionSummary } from "../../../src/domain/summary/session-summary.js";

export const PRICING = new CallPricing(priceTableOf(undefined));

export async function listedSession(source: InspectorDataSource, sessionId: string): Promise<ListedSession> {
  const { items } = await lift(source).findSessions({ withFacts: true, limit: 1_000 });
  const found = items.find((session) => session.sessionId === sessionId);
  if (found === undefined) throw new Error(`there is no session ${sessionId}`);
  return found;
}

export async function exported(
  source: InspectorDataSource,
  sessionIds: readonly string[],
  write: ExportWriter["write"],
): Promise<string> {
  const opened = [];
  for (const sessionId of sessionIds) {
    const session = await listedSession(source, sessionId);
    const snapshot = await lift(source).openSession(session.tenantId, sessionId);
    if (snapshot === undefined) throw new Error(`there is no session ${sessionId}`);
    opened.push({ session, snapshot });
  }
  const lines = archiveLines(opened, { writer: "0.0.0", exportedAt: 0, part: null, redaction: null });
  const pieces: Uint8Array[] = [];
  for await (const piece of write(lines)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

export async function folderWith(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "export-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, name), text);
  return folder;
}

export async function summaryOf(
  source: InspectorDataSource,
  session: ListedSession,
): Promise<SessionSummary> {
  const { tenantId, sessionId } = session;
  const reader = new AnalysisReader(undefined, { pricing: PRICING });
  const answer = await new SummarizeSession(source, reader).execute({ tenantId, sessionId });
  if (answer.isUnchanged) throw new Error("it was not asked for a change");
  return answer.value;
}

export async function spansOf(source: InspectorDataSource, { tenantId, sessionId }: ListedSession) {
  const answer = await new GetSessionTrace(source).execute({ tenantId, sessionId });
  if (answer.isUnchanged) throw new Error("it was not asked for a change");
  const envelopes: JsonObject[] = [];
  for await (const envelope of recordsIn<JsonObject>(answer)) envelopes.push(envelope);
  let at = 0;
  const facts = envelopes.map((envelope, index) => {
    const read = readEventFacts(envelope, index, at);
    at = read.at;
    return read;
  });
  const eventOf = ({ index }: EventFacts) => objectField(envelopes[index]!, "event");
  return { roots: runToEnd(spanTree(facts)), eventOf };
}
