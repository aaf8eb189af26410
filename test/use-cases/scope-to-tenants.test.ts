import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource, scopeToTenants } from "../../src/advanced.js";
import { revisionInScope, type TenantScope } from "../../src/application/sources/scope.js";
import { selectSessions } from "../../src/application/sources/select-sessions.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { InspectorDataSource, SessionSearch } from "../../src/index.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { SAMPLE } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const tenantsOf = async (source: InspectorDataSource) =>
  (await source.listSessions()).map(({ tenantId }) => tenantId).sort();

/** A source with its own search; without `isAware` it ignores the tenants of a search. */
function searching(isAware: boolean): { source: InspectorDataSource; searches: SessionSearch[] } {
  const searches: SessionSearch[] = [];
  const memory = createInMemoryInspectorDataSource(SESSIONS);
  const source = Object.assign(memory, {
    async findSessions(this: InspectorDataSource, search: SessionSearch) {
      searches.push(search);
      const known = isAware ? search : { ...search, tenants: undefined };
      return { items: runToEnd(selectSessions(await this.listSessions(), known)) };
    },
  });
  return { source, searches };
}

const SESSIONS = Array.from({ length: 30 }, (_, i) => ({
  tenantId: ["a", "b", "c"][i % 3]!,
  sessionId: `s${i}`,
  createdAt: i * 1_000,
}));

it("gives no count and no warning of a source, which may count and name other tenants, unless all are in the scope", async () => {
  const warnings = [{ file: "secret", line: 1, reason: "secret cannot be read." }];
  const source = handMadeSource({
    findSessions: async () => ({ items: [], total: 9, unread: 5, warnings }),
  });
  expect(await scopeToTenants(source, ["a"]).findSessions?.({ limit: 1 })).toStrictEqual({ items: [] });
  expect(await scopeToTenants(source, "all").findSessions?.({ limit: 1 })).toMatchObject({ total: 9 });
});

describe.each(SOURCES)("A scope around %s", (_, create) => {
  it("lists the sessions of its tenants, compared exactly", async () => {
    const source = await create(SAMPLE);
    for (const [tenants, seen] of [
      [["acme"], ["acme", "acme"]],
      [
        ["acme", "beta", "acme"],
        ["acme", "acme", "beta"],
      ],
      [["default"], ["default"]],
      [["Acme", "acm", "acme ", ""], []],
      [[], []],
      ["all", ["acme", "acme", "beta", "default"]],
    ] as const) {
      expect(await tenantsOf(scopeToTenants(source, tenants))).toStrictEqual(seen);
    }
  });

  it("opens no session of another tenant, and gives nothing of it", async () => {
    const scoped = scopeToTenants(await create(SAMPLE), ["beta"]);
    expect(await scoped.openSession?.("acme", "s1")).toBeUndefined();
    expect(await scoped.openSession?.("ACME", "s1")).toBeUndefined();
    expect(await scoped.loadTraceEnvelopes("acme", "s1")).toStrictEqual([]);
    expect(await scoped.loadOrchestrationEvents("acme", "s1")).toStrictEqual([]);
    expect(await scoped.loadOrchestrationState("acme", "s1")).toBeNull();
    expect(await scoped.loadMessages("acme", "s1")).toStrictEqual([]);
  });

  it("gives all of a session of its own", async () => {
    const source = await create(SAMPLE);
    const scoped = scopeToTenants(source, ["acme"]);
    const session = await scoped.openSession?.("acme", "s1");
    expect((await session?.trace())?.size).toBe(4);
    expect((await session?.messages())?.size).toBe(3);
    expect((await session?.orchestration())?.events.size).toBe(3);
    expect(await scoped.loadTraceEnvelopes("acme", "s1")).toHaveLength(4);
    expect(await scoped.loadOrchestrationEvents("acme", "s1")).toHaveLength(3);
    expect(await scoped.loadOrchestrationState("acme", "s1")).toStrictEqual(
      await source.loadOrchestrationState("acme", "s1"),
    );
    expect(await scoped.loadMessages("acme", "s1")).toHaveLength(3);
  });

  it("never widens a scope that it is put around", async () => {
    const scoped = scopeToTenants(scopeToTenants(await create(SAMPLE), ["acme"]), ["acme", "beta"]);
    expect(await tenantsOf(scoped)).toStrictEqual(["acme", "acme"]);
    expect(await tenantsOf(scopeToTenants(scoped, "all"))).toStrictEqual(["acme", "acme"]);
    expect(await scoped.openSession?.("beta", "s1")).toBeUndefined();
  });
});

describe.each([
  ["that knows what tenants are wanted", true],
  ["that passes over the tenants that are wanted", false],
])("A scope around a search %s", (_, isAware) => {
  it("finds the sessions of its tenants, page by page, in the order of the list", async () => {
    const { source } = searching(isAware);
    const list = await source.listSessions();
    for (const tenants of [["a"], ["a", "c"], ["c", "nobody"], ["nobody"], []]) {
      for (const limit of [undefined, 1, 4, 100]) {
        for (const search of [
          {},
          { tenantId: "a" },
          { tenantId: "b" },
          { text: "s1" },
          { after: list[20] },
        ]) {
          const wanted = { ...search, limit };
          const found = await scopeToTenants(source, tenants).findSessions?.(wanted);
          const seen = runToEnd(selectSessions(list, { ...wanted, tenants }));
          expect([tenants, wanted, found?.items]).toStrictEqual([tenants, wanted, seen]);
        }
      }
    }
  });

  it("holds to the narrower of two scopes", async () => {
    const outer = scopeToTenants(scopeToTenants(searching(isAware).source, ["a", "b"]), ["b", "c"]);
    const found = await outer.findSessions?.({ limit: 100 });
    expect(new Set(found?.items.map(({ tenantId }) => tenantId))).toStrictEqual(new Set(["b"]));
  });
});

describe("A scope", () => {
  it("asks a search for one tenant by its id, for several by their list, and for none not at all", async () => {
    const { source, searches } = searching(true);
    for (const tenants of [["a"], ["a", "b"], []]) {
      await scopeToTenants(source, tenants).findSessions?.({ limit: 5 });
    }
    await scopeToTenants(source, ["a", "b"]).findSessions?.({ tenantId: "c", limit: 5 });
    expect(searches.map(({ tenantId, tenants }) => ({ tenantId, tenants }))).toStrictEqual([
      { tenantId: "a", tenants: undefined },
      { tenantId: undefined, tenants: ["a", "b"] },
    ]);
  });

  it("searches records and has a revision where the source does, and has nothing to close", () => {
    const membersOf = (source: InspectorDataSource) => {
      const { searchRecords, revision, close } = scopeToTenants(source, ["a"]);
      return [searchRecords, revision, close].map((member) => typeof member);
    };
    const close = async () => undefined;
    expect(membersOf(handMadeSource({ close }))).toStrictEqual(["undefined", "undefined", "undefined"]);
    const searchRecords = async () => ({ candidates: [], next: undefined, searched: {}, total: {} });
    const all = handMadeSource({ searchRecords, revision: async () => "1", close });
    expect(membersOf(all)).toStrictEqual(["function", "function", "undefined"]);
  });

  it("is a part of every revision, whatever the order of its tenants", async () => {
    const snapshot = await createInMemoryInspectorDataSource(SAMPLE).openSession?.("acme", "s1");
    const source = handMadeSource({ revision: async () => "7", openSession: async () => snapshot });
    const revisions = async (tenants: TenantScope) => {
      const scoped = scopeToTenants(source, tenants);
      return [await scoped.revision?.(), (await scoped.openSession?.("acme", "s1"))?.revision];
    };
    const scopes = ["all", ["acme"], ["acme", "beta"], ["acme", "b", "eta"]] as const;
    const seen = (await Promise.all(scopes.map(revisions))).flat();
    expect(new Set(seen).size).toBe(seen.length);
    expect(await revisions(["beta", "acme", "beta"])).toStrictEqual(await revisions(["acme", "beta"]));
    expect(revisionInScope([], "7")).not.toBe(revisionInScope(["a"], "7"));
  });

  it("has no revision where the source knows none", async () => {
    const source = handMadeSource({ revision: async () => undefined });
    expect(await scopeToTenants(source, ["a"]).revision?.()).toBeUndefined();
  });

  it.each([undefined, null, "", "acme", "ALL", 1, {}, [undefined], [["acme"]], { length: 1, 0: "acme" }])(
    "refuses %j, which is none",
    (tenants) => {
      expect(() => scopeToTenants(handMadeSource({}), tenants as never)).toThrow(/"all" or an array/);
    },
  );
});
