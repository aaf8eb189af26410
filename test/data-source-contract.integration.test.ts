import { describe } from "vitest";
import { sessionFiles } from "../src/adapters/data-directory/session-files.js";
import { createFilesystemInspectorDataSource, createInMemoryInspectorDataSource } from "../src/advanced.js";
import { lift } from "../src/application/sources/lift.js";
import type {
  InspectorDataSource,
  JsonObject,
  StoredOrchestrationEvent,
  WorkflowTraceEventEnvelope,
} from "../src/index.js";
import { type ContractSession, type ContractSource, describeInspectorDataSource } from "./contract/index.js";
import { appendLines, appendSession, temporaryFolder, writeSessions } from "./support/data-directory.js";
import { pools } from "./support/pools.js";
import { sized } from "./support/soak.js";
import { fiveMethods } from "./support/sources.js";

const FILES = { envelopes: "trace", orchestrationEvents: "orchestration", messages: "messages" } as const;

describe.each(pools().slice(0, sized(1, 2)))("%s", (_, pool) => {
  describeInspectorDataSource("FilesystemDataSource", async (sessions) => {
    const dataDir = await temporaryFolder();
    await writeSessions(dataDir, sessions);
    return {
      source: createFilesystemInspectorDataSource(dataDir, { pool }),
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
  revision: "it knows no revision of its list",
};

const NO_SNAPSHOTS = "it opens no session";

describeInspectorDataSource(
  "MemoryDataSource, which names all its sessions as candidates",
  (sessions) => {
    const { source, append } = inMemory(sessions);
    const listing = lift(fiveMethods(source));
    const searchRecords: InspectorDataSource["searchRecords"] = (...of) => listing.findCandidates(...of);
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
  { skip: { ...IN_MEMORY, search: "it does not search", snapshots: NO_SNAPSHOTS, streams: NO_SNAPSHOTS } },
);

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
