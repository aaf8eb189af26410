import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { openSession } from "../../src/application/records/open-session.js";
import { lift } from "../../src/application/sources/lift.js";
import { readAllRecords } from "../../src/application/sources/record-streams.js";
import type { Message } from "../../src/domain/conversation/message.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { FIXTURES, openHistories, storedIn } from "./support/projects.js";

const source = openHistories(FIXTURES);
const sessions = await source.listSessions();

function messageIn(tenantId: string, file: string, line: number): unknown {
  const lines = readFileSync(path.join(FIXTURES, tenantId, file), "utf8").split("\n");
  return (JSON.parse(lines[line - 1]!) as { message?: unknown }).message;
}

it.each(sessions)("$sessionId: an envelope's message is the one that its line holds", async (session) => {
  const { tenantId } = session;
  const opened = await openSession(lift(source), { ...session, tenants: [tenantId] });
  const [trace, messages] = [await opened.trace(), await opened.messages()];
  const envelopes = await readAllRecords<WorkflowTraceEventEnvelope>(trace);
  const stored = await readAllRecords<Message>(messages);
  // Messages that another session wrote first are in none of its envelopes.
  const hasReplays = envelopes.some(({ event }) => event.replayed !== undefined);
  expect(trace.messagesOf === undefined).toBe(hasReplays);
  if (trace.messagesOf === undefined) return;
  const positions = Uint32Array.from(envelopes.keys()).reverse();
  const found = await trace.messagesOf(positions);
  const shown = new Set<number>();
  for (const [i, position] of positions.entries()) {
    const { file, line } = storedIn(envelopes[position]!);
    if (found[i] === -1) continue;
    shown.add(found[i]!);
    expect(messageIn(tenantId, file, line)).toEqual(stored[found[i]!]);
  }
  expect([...shown].sort((a, b) => a - b)).toEqual([...stored.keys()]);
});

it("is not taken where a source gives another number of them", async () => {
  const opened = await source.openSession!(sessions[0]!.tenantId, sessions[0]!.sessionId);
  const trace = await opened!.trace();
  const broken = { ...source, openSession: async () => ({ ...opened!, trace: async () => brokenTrace }) };
  const brokenTrace = { ...trace, messagesOf: async () => new Int32Array(1) };
  const checked = await (await openSession(lift(broken), sessions[0]!)).trace();
  await expect(checked.messagesOf!(Uint32Array.of(0, 1))).rejects.toThrow("messagesOf()");
});
