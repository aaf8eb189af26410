import { describe, expect, it, vi } from "vitest";
import { handMadeSource } from "../../test/support/hand-made-source.js";
import { createRemoteInspectorUi } from "../adapters/web-ui/agent-proxy.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import { scopeToTenants } from "../application/sources/scope.js";
import { InspectorClient } from "../client/inspector-client.js";
import { RunRecorder } from "../recording/run-recorder.js";
import { combineDataSources } from "./combine-data-sources.js";
import { createFilesystemInspectorDataSource } from "./filesystem-data-source.js";
import { createFilesystemSessionStore } from "./filesystem-session-store.js";
import { createInMemoryInspectorDataSource } from "./in-memory-data-source.js";
import { createOtlpDataSource } from "./otlp-data-source.js";
import { createOtlpReceiver } from "./otlp-receiver.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
  migratePostgres,
} from "./postgres.js";
import { createClaudeCodeDataSource } from "./transcript-sources.js";

const source = handMadeSource({});
const combine = (part: object, options: object = {}) =>
  combineDataSources(
    [
      { key: "a", source },
      { key: "b", source, ...part },
    ],
    options,
  );
const SECRET = "postgres://ada:secret@host/db";
const KEY = { tenantId: "acme", sessionId: "s1" };
const POOL = { connect: () => Promise.reject(new Error("not used")) };

describe("A wrong option is refused", () => {
  it.each<[string, () => unknown, string]>([
    ["no folder", () => createFilesystemInspectorDataSource(""), "`dataDir` must be the path of a folder"],
    [
      "no folder",
      () => createFilesystemSessionStore(""),
      "`dataDir` must be the path of a folder, but it is empty",
    ],
    [
      "no folder",
      () => createClaudeCodeDataSource(undefined as never),
      "`projectsDir` must be the path of a folder",
    ],
    ["no folder", () => createOtlpDataSource({} as never), "`directory` must be the path of a folder"],
    [
      "a misspelt folder",
      () => createOtlpDataSource({ directry: "x" } as never),
      "Unknown option 'directry'. Did you mean 'directory'? `directory` must be",
    ],
    [
      "a text of threads",
      () => createClaudeCodeDataSource("x", { threads: "2" as never }),
      "`threads` must be an",
    ],
    [
      "no pool",
      () => createFilesystemInspectorDataSource("x", { pool: { threads: 1 } as never }),
      "`pool` is no ReadingPool: it has no run, no close.",
    ],
    [
      "a misspelt member of a session",
      () => createInMemoryInspectorDataSource([{ sessionId: "a" }, { sessionId: "b", message: [] } as never]),
      "`initial[1]`: Unknown option 'message'. Did you mean 'messages'?",
    ],
    ["no list", () => createInMemoryInspectorDataSource({} as never), "`initial` must be an array"],
    ["no key", () => combine({ key: undefined }), "`sources[1].key` must be a text"],
    [
      "no source",
      () => combine({ source: {} }),
      "`sources[1].source` is no InspectorDataSource: it has no list",
    ],
    [
      "a misspelt name",
      () => combine({ nmae: "B" }),
      "`sources[1]`: Unknown option 'nmae'. Did you mean 'name'?",
    ],
    ["no list", () => combineDataSources({} as never), "`sources` must be an array"],
    [
      "no source",
      () => scopeToTenants({} as never, "all"),
      "`source` is no InspectorDataSource: it has no list",
    ],
    [
      "headers that would be taken for none",
      () => createRemoteInspectorUi("http://h", { headers: new Headers({ a: "secret" }) as never }),
      "`headers` must be an object of texts by name, but it is of type object.",
    ],
    [
      "headers that would be taken for none",
      () => new InspectorClient({ baseUrl: "", headers: new Map([["a", "secret"]]) as never }),
      "`headers` must be an object of texts by name, or a function",
    ],
    [
      "no address",
      () => new InspectorClient({ baseURL: "/" } as never),
      "Did you mean 'baseUrl'? `baseUrl` must be",
    ],
  ])("as a TypeError: %s", (_, use, message) => {
    expect(use).toThrow(TypeError);
    expect(use).toThrow(message);
    expect(use).not.toThrow("secret");
  });

  it.each<[string, () => unknown, string]>([
    [
      "no store",
      () => createOtlpReceiver({ store: {} as never }),
      "`store` is no SpanStore: it has no append, no",
    ],
    [
      "a misspelt limit",
      () => createOtlpReceiver({ directory: "x", maxRequestByte: 1 } as never),
      "Unknown option 'maxRequestByte'. Did you mean 'maxRequestBytes'?",
    ],
    [
      "the URL alone",
      () => createPostgresDataSource(SECRET as never),
      "`options` must be an object, but it is of type string.",
    ],
    [
      "a URL that is no text",
      () => createPostgresDataSource({ connectionString: new URL(SECRET) as never }),
      "`connectionString` must be a PostgreSQL URL, but it is of type object.",
    ],
    [
      "no URL",
      () => createPostgresSessionStore({ connectionString: "" }),
      "`connectionString` must be a PostgreSQL",
    ],
    [
      "what the driver takes",
      () => createPostgresSessionStore({ host: "h", password: "secret" } as never),
      "Unknown option 'host'. The options are connectionString, pool, schema,",
    ],
    [
      "no pool",
      () => createPostgresSessionStore({ pool: { password: "secret" } as never }),
      "`pool` is no pool of the driver pg: it has no connect.",
    ],
  ])("as an AgentAppConfigurationError: %s", (_, use, message) => {
    expect(use).toThrow(AgentAppConfigurationError);
    expect(use).toThrow(message);
    expect(use).not.toThrow("secret");
  });

  it.each<[string, () => unknown]>([
    ["timeoutMs is Infinity", () => combine({}, { timeoutMs: Number.POSITIVE_INFINITY })],
    ["cacheBytes is -1", () => createClaudeCodeDataSource("x", { cacheBytes: -1 })],
    ["readAhead is NaN", () => createClaudeCodeDataSource("x", { readAhead: Number.NaN })],
    ["maxOpenSpans is 0", () => new RunRecorder({} as never, { maxOpenSpans: 0 })],
    [
      "createdAt is NaN",
      () => createInMemoryInspectorDataSource([{ sessionId: "a", createdAt: Number.NaN }]),
    ],
    [
      "statementTimeoutMs is 0",
      () => createPostgresDataSource({ connectionString: SECRET, statementTimeoutMs: 0 }),
    ],
    ["cacheBytes is 0", () => createPostgresDataSource({ connectionString: SECRET, cacheBytes: 0 })],
    ["maxConnections is 0", () => createPostgresDataSource({ connectionString: SECRET, maxConnections: 0 })],
  ])("as a RangeError: %s", (message, use) => {
    expect(use).toThrow(RangeError);
    expect(use).toThrow(`${message}: it has to be `);
  });

  it("by the promise of what works on a database", async () => {
    const options = { pool: POOL, searchIndexes: true };
    for (const refused of [migratePostgres(options), importIntoPostgres(source, options)]) {
      await expect(refused).rejects.toThrow(AgentAppConfigurationError);
      await expect(refused).rejects.toThrow("Unknown option 'searchIndexes'.");
    }
  });
});

it("A database stays the one that was passed, whatever happens to the options", async () => {
  const connect = vi.fn(POOL.connect);
  const other = vi.fn(POOL.connect);
  for (const create of [createPostgresDataSource, createPostgresSessionStore]) {
    const options = { pool: { connect }, schema: "mine" };
    const opened = create(options);
    Object.assign(options, { pool: { connect: other } });
    const call = "listSessions" in opened ? opened.listSessions() : opened.appendMessages(KEY, [{ n: 1 }]);
    await expect(call).rejects.toThrow("not used");
  }
  expect([connect.mock.calls.length, other.mock.calls.length]).toEqual([2, 0]);
});

it("Whatever a pool of the driver has beside `connect` is the driver's", () => {
  class Pool {
    readonly options = { host: "h", ssl: true };
    readonly acess = 1;
    async connect() {
      throw new Error("not used");
    }
  }
  const pool = new Pool();
  expect(() => createPostgresDataSource({ pool: pool as never })).not.toThrow();
});
