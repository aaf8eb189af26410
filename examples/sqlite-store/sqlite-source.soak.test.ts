import type { SessionStore } from "agent-inspector";
import { type ContractSession, describeInspectorDataSource } from "agent-inspector/testing";
import { openSqlite } from "./sqlite-store.js";

describeInspectorDataSource(
  "the data source in SQLite",
  async (sessions) => {
    const { store, source } = openSqlite(":memory:");
    for (const session of sessions) await addTo(store, session);
    return { source, append: (session) => addTo(store, session) };
  },
  { skip: { "big integers": "its records are objects, which hold doubles" } },
);

async function addTo(store: SessionStore, session: ContractSession): Promise<void> {
  const { userId, title, createdAt, turns = [], envelopes, orchestrationEvents, messages } = session;
  const opened = await store.openSession({ ...keyOf(session), userId, title, createdAt });
  for (const [i, turn] of turns.entries()) {
    await store.appendTurn(session, { turnIndex: opened.turns + i, ...turn });
  }
  await store.appendTraceEnvelopes(session, parsed(envelopes));
  await store.appendOrchestrationEvents(session, parsed(orchestrationEvents));
  await store.appendMessages(session, parsed(messages));
}

const keyOf = ({ tenantId, sessionId }: ContractSession) => ({ tenantId, sessionId });

const parsed = (texts: readonly string[] = []) => texts.map((text) => JSON.parse(text));
