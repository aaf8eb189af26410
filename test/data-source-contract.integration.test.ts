import { afterAll, describe } from "vitest";
import { sessionFiles } from "../src/adapters/data-directory/session-files.js";
import {
  createFilesystemInspectorDataSource,
  createInMemoryInspectorDataSource,
  scopeToTenants,
  ThreadPool,
} from "../src/advanced.js";
import { listCandidates } from "../src/application/sources/list-candidates.js";
import { createClaudeCodeDataSource } from "../src/claude-code.js";
import type {
  InspectorDataSource,
  JsonObject,
  StoredOrchestrationEvent,
  WorkflowTraceEventEnvelope,
} from "../src/index.js";
import { combineDataSources } from "../src/index.js";
import { lines, newProjects, userRecord } from "./claude-code/support/projects.js";
import { type ContractSession, type ContractSource, describeInspectorDataSource } from "./contract/index.js";
import { IN_A_AND_B, withPlainTenants } from "./support/combined.js";
import { appendLines, appendSession, temporaryFolder, writeSessions } from "./support/data-directory.js";
import { fiveMethods } from "./support/sources.js";

/** The file of a session that holds a list. */
const FILES = { envelopes: "trace", orchestrationEvents: "orchestration", messages: "messages" } as const;

/** One thread for all tests: it takes longer to start than most of them. */
const pool = new ThreadPool();
afterAll(() => pool.close());

describe.each([
  ["with a thread", { pool }],
  ["without threads", { threads: false }],
] as const)("%s", (_, options) => {
  describeInspectorDataSource("FilesystemDataSource", async (sessions) => {
    const dataDir = await temporaryFolder();
    await writeSessions(dataDir, sessions);
    return {
      source: createFilesystemInspectorDataSource(dataDir, options),
      append: (session) => appendSession(dataDir, session),
      corrupt({ tenantId, sessionId }, list) {
        return appendLines(sessionFiles(dataDir, tenantId, sessionId)[FILES[list]], ['{"torn":']);
      },
    };
  });
});

const IN_MEMORY = {
  "big integers": "it is given objects, which hold doubles",
  warnings: "what it holds can be read",
  search: "it does not search",
  revision: "it knows no revision of its list",
};

const HIDDEN: ContractSession = { tenantId: "hidden", sessionId: "s1", userId: "ada", createdAt: 0 };

describeInspectorDataSource("MemoryDataSource", inMemory, { skip: IN_MEMORY });

describeInspectorDataSource(
  "A source that names all its sessions as candidates",
  (sessions) => {
    const { source, append } = inMemory(sessions);
    // A list for each question: it may be asked with another narrowing.
    const searchRecords: InspectorDataSource["searchRecords"] = (search) => listCandidates(source)(search);
    return { source: Object.assign(source, { searchRecords }), append };
  },
  { skip: IN_MEMORY },
);

describeInspectorDataSource(
  "A plain object with the five methods",
  (sessions) => {
    const { source, append } = inMemory(sessions);
    return { source: fiveMethods(source), append };
  },
  { skip: { ...IN_MEMORY, snapshots: "it opens no session", streams: "it opens no session" } },
);

describeInspectorDataSource(
  "A scope around a plain object with the five methods",
  (sessions) => {
    const { source, append } = inMemory([...sessions, { ...HIDDEN, messages: ["{}"] }]);
    const tenants = sessions.map(({ tenantId }) => tenantId);
    return { source: scopeToTenants(fiveMethods(source), tenants), append };
  },
  {
    skip: {
      ...IN_MEMORY,
      absence: "the plain object cannot tell an unknown session from an empty one",
      snapshots: "the plain object opens no session",
      streams: "the plain object opens no session",
    },
  },
);

describeInspectorDataSource(
  "A scope around a MemoryDataSource",
  (sessions) => {
    const { source, append } = inMemory([...sessions, HIDDEN]);
    const tenants = sessions.map(({ tenantId }) => tenantId);
    return { source: scopeToTenants(source, tenants), append };
  },
  { skip: IN_MEMORY },
);

describeInspectorDataSource(
  "A combination of two memory sources",
  (sessions) => {
    const isOfA = ({ tenantId }: { readonly tenantId: string }) =>
      IN_A_AND_B.combined(tenantId).startsWith("a:");
    const a = inMemory(sessions.filter(isOfA));
    const b = inMemory(sessions.filter((session) => !isOfA(session)));
    const source = combineDataSources([
      { key: "a", source: a.source },
      { key: "b", source: b.source },
    ]);
    return {
      source: withPlainTenants(source, IN_A_AND_B),
      append: (session) => (isOfA(session) ? a : b).append(session),
    };
  },
  {
    skip: {
      "big integers": IN_MEMORY["big integers"],
      warnings: IN_MEMORY.warnings,
      revision: IN_MEMORY.revision,
    },
  },
);

/** Everything is in the data directory; the projects of Claude Code are outside of the scope, or there are none. */
describe.each([
  ["no project", {}],
  ["a project outside of the scope", { "p/s.jsonl": lines(userRecord(1, 0, "everywhere router")) }],
] as const)("With %s", (_, files) => {
  describeInspectorDataSource(
    "A combination of a data directory and a folder of Claude Code",
    async (sessions) => {
      const dataDir = await temporaryFolder();
      await writeSessions(dataDir, sessions);
      const all = combineDataSources([
        { key: "claude-code", source: createClaudeCodeDataSource(await newProjects(files), { pool }) },
        { key: "data", source: createFilesystemInspectorDataSource(dataDir, { pool }) },
      ]);
      const names = {
        combined: (tenantId: string) => `data:${tenantId}`,
        plain: (id: string) => id.slice(5),
      };
      const tenants =
        Object.keys(files).length === 0 ? "all" : sessions.map((one) => names.combined(one.tenantId));
      return {
        source: withPlainTenants(scopeToTenants(all, tenants), names),
        append: (session) => appendSession(dataDir, session),
        corrupt({ tenantId, sessionId }, list) {
          return appendLines(sessionFiles(dataDir, tenantId, sessionId)[FILES[list]], ['{"torn":']);
        },
      };
    },
  );
});

function inMemory(sessions: readonly ContractSession[]): Required<Pick<ContractSource, "source" | "append">> {
  const source = createInMemoryInspectorDataSource(
    sessions.map((session) => ({
      ...session,
      envelopes: parseAll<WorkflowTraceEventEnvelope>(session.envelopes),
      orchestrationEvents: parseAll<JsonObject>(session.orchestrationEvents),
      messages: parseAll<JsonObject>(session.messages),
    })),
  );
  const { sessionStore } = source;
  return {
    source,
    async append(session) {
      const { turns } = await sessionStore.openSession(session);
      for (const [i, turn] of (session.turns ?? []).entries()) {
        await sessionStore.appendTurn(session, { turnIndex: turns + i, ...turn });
      }
      const { envelopes, orchestrationEvents, messages } = session;
      if (envelopes) await sessionStore.appendTraceEnvelopes(session, parseAll(envelopes));
      if (orchestrationEvents) {
        const events = parseAll<StoredOrchestrationEvent>(orchestrationEvents);
        await sessionStore.appendOrchestrationEvents(session, events);
      }
      if (messages) await sessionStore.appendMessages(session, parseAll(messages));
    },
  };
}

function parseAll<T>(texts: readonly string[] = []): T[] {
  return texts.map((text) => JSON.parse(text) as T);
}
