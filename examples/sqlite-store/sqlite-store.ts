import type { InspectorDataSource, SessionKey, SessionStore } from "agent-inspector";
import { classifyEvent, describeSession, replayOrchestration } from "agent-inspector/advanced";
import sqlite, { type Database } from "node-sqlite3-wasm";

/** Every record of a session is a row: of its log, its traces, its orchestration or its conversation. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS record (
    id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, session TEXT NOT NULL, list TEXT NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS record_of_list ON record (tenant, session, list, id);`;

type List = "log" | "trace" | "orchestration" | "messages" | "archive";

/** The list of sessions depends on these kinds of events. */
const LISTED = new Set(["session", "run", "turn", "error", "tool", "input", "llm"]);

/** A session begins with this record of a log: others may precede it. */
const BEGINNING = new Set(["init"]);

/**
 * Histories in a file of SQLite: a store for an agent, and a data source for its inspector, which closes the file.
 * @param file `:memory:` for a temporary database
 */
export function openSqlite(file: string): {
  readonly store: SessionStore;
  readonly source: InspectorDataSource;
} {
  const db = new sqlite.Database(file);
  db.exec(TABLE);
  return { store: storeIn(db), source: sourceOf(db) };
}

function storeIn(db: Database): SessionStore {
  const insert = db.prepare("INSERT INTO record (tenant, session, list, kind, json) VALUES (?, ?, ?, ?, ?)");
  const add = ({ tenantId, sessionId }: SessionKey, list: List, records: readonly object[], kind = "") => {
    for (const record of records) {
      insert.run([tenantId, sessionId, list, kind, JSON.stringify(record)]);
    }
  };
  /** A transaction. SQLite is synchronous, so calls finish in their order. */
  const write = async <T>(change: () => T): Promise<T> => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = change();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    openSession: (start) =>
      write(() => {
        if (rows(db, start, "log", BEGINNING).length === 0)
          add(start, "log", [{ type: "init", ...start }], "init");
        return { turns: sessionOf(db, start).turns };
      }),
    updateSession: (key, update) => write(() => add(key, "log", [{ type: "update", ...update }])),
    appendTurn: (key, turn) => write(() => add(key, "log", [{ type: "turn", ...turn }])),
    appendTraceEnvelopes: (key, envelopes) =>
      write(() => {
        for (const one of envelopes) add(key, "trace", [one], classifyEvent(one.event.type).kind);
      }),
    appendOrchestrationEvents: (key, events) => write(() => add(key, "orchestration", events)),
    appendMessages: (key, messages) => write(() => add(key, "messages", messages)),
    replaceMessages: (key, messages) =>
      write(() => {
        const archive =
          "UPDATE record SET list = 'archive' WHERE tenant = ? AND session = ? AND list = 'messages'";
        db.run(archive, [key.tenantId, key.sessionId]);
        add(key, "messages", messages);
      }),
  };
}

function sourceOf(db: Database): InspectorDataSource {
  const load = async (tenantId: string, sessionId: string, list: List) =>
    rows(db, { tenantId, sessionId }, list).map((json) => JSON.parse(json));
  return {
    async listSessions() {
      const keys = db.all("SELECT DISTINCT tenant, session FROM record") as {
        tenant: string;
        session: string;
      }[];
      return keys.map(({ tenant, session }) => sessionOf(db, { tenantId: tenant, sessionId: session }));
    },
    loadTraceEnvelopes: (tenantId, sessionId) => load(tenantId, sessionId, "trace"),
    loadOrchestrationEvents: (tenantId, sessionId) => load(tenantId, sessionId, "orchestration"),
    async loadOrchestrationState(tenantId, sessionId) {
      const events = await load(tenantId, sessionId, "orchestration");
      return events.length === 0 ? null : { snapshot: replayOrchestration(null, events) };
    },
    loadMessages: (tenantId, sessionId) => load(tenantId, sessionId, "messages"),
    close: async () => db.close(),
  };
}

function sessionOf(db: Database, { tenantId, sessionId }: SessionKey) {
  const key = { tenantId, sessionId };
  const parsed = (list: List, kinds?: ReadonlySet<string>) =>
    rows(db, key, list, kinds).map((json) => JSON.parse(json));
  return describeSession({
    ...key,
    log: parsed("log"),
    envelopes: parsed("trace", LISTED),
    orchestrationEvents: parsed("orchestration"),
  });
}

function rows(db: Database, key: SessionKey, list: List, kinds?: ReadonlySet<string>): string[] {
  const query = "SELECT kind, json FROM record WHERE tenant = ? AND session = ? AND list = ? ORDER BY id";
  const rows = db.all(query, [key.tenantId, key.sessionId, list]) as { kind: string; json: string }[];
  return rows.filter(({ kind }) => kinds?.has(kind) ?? true).map(({ json }) => json);
}
