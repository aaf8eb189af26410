import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOtlpDataSource } from "../../src/otlp.js";
import { temporaryFolder } from "../support/data-directory.js";
import {
  agent,
  call,
  type InventedSpan,
  jsonLines,
  requestFrom,
  span,
  tool,
  traceId,
} from "./support/spans.js";

const NOW = Date.UTC(2026, 0, 2);

async function open(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const source = createOtlpDataSource({ directory: folder, threads: false, now: () => NOW });
  onTestFinished(() => source.close?.());
  const sessions = async () => {
    const shown: Record<string, object> = {};
    for (const item of await source.listSessions()) {
      const { tenantId, sessionId } = item;
      const events = await source.loadTraceEnvelopes(tenantId, sessionId);
      const messages = await source.loadMessages(tenantId, sessionId);
      shown[`${tenantId} ${sessionId}`] = { item, events, messages };
    }
    return shown;
  };
  const types = async (tenantId: string, sessionId = traceId()) =>
    (await source.loadTraceEnvelopes(tenantId, sessionId)).map(({ event }) => event.type);
  return {
    append: (name: string, text: string) => appendFile(path.join(folder, name), text),
    sessions,
    types,
  };
}

type Requests = readonly object[];
type Attributes = NonNullable<InventedSpan["attributes"]>;

const SHOP = { "service.name": "shop" };
const SECRET = "where the money lies";

/** The root's parent is missing. */
function turn(whole: Attributes, ofRoot: Attributes = {}, isParentLocal?: boolean) {
  const more = isParentLocal === undefined ? {} : { isParentLocal };
  const said = JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: SECRET }] }]);
  const attributes = { ...whole, "gen_ai.output.messages": said };
  const root = isParentLocal === undefined ? {} : { isParentLocal: false };
  return [
    call({ id: 2, from: 1, to: 2, ...more, attributes }),
    tool({ id: 3, from: 3, to: 4, ...more, attributes: { ...whole, "gen_ai.tool.call.result": SECRET } }),
    agent({ from: 0, to: 9, parent: 9, ...root, attributes: { ...whole, ...ofRoot } }),
  ] as const;
}

const ACME = { "tenant.id": "acme" };
const apart = (resource: Readonly<Record<string, string>>, spans: readonly object[]) =>
  spans.map((one) => requestFrom(resource, one));

/** Victims: the way to name the owner of their spans, and their tenant. */
const OWNERS: readonly (readonly [how: string, tenant: string, requests: Requests])[] = [
  ["the name of their service", "shop", apart(SHOP, turn({}))],
  ["an attribute of each span", "acme", apart(SHOP, turn(ACME))],
  ["an attribute of their resource", "acme", apart({ ...SHOP, ...ACME }, turn({}))],
  ["an attribute of the root of a request", "acme", [requestFrom(SHOP, ...turn({}, ACME))]],
  [
    "an attribute of the root of a process",
    "acme",
    apart({ ...SHOP, "host.name": "a" }, turn({}, ACME, true)),
  ],
  ["an attribute of the root of a request without a resource", "acme", [requestFrom({}, ...turn({}, ACME))]],
  ["nothing at all", "default", apart({}, turn({}))],
];

/** A stranger who has the ids of a trace sends these. */
const STOLEN: readonly (readonly [what: string, span: (attributes: Attributes) => object])[] = [
  ["an earlier span", (attributes) => agent({ id: 20, from: -5, to: 30, attributes })],
  ["the missing parent", (attributes) => agent({ id: 9, from: -5, to: 30, attributes })],
  ["the missing parent, untold when it ends", (attributes) => span({ id: 9, from: -5, attributes })],
  ["the root again, with a later end", (attributes) => agent({ from: 0, to: 50, attributes })],
  ["a call again, with a later end", (attributes) => call({ id: 2, from: 1, to: 50, attributes })],
];

const EVIL = { "tenant.id": "evil" };

const fromStrangers = (make: (attributes: Attributes) => object) =>
  jsonLines(
    requestFrom({ "service.name": "evil" }, make({})),
    requestFrom({ ...SHOP, ...EVIL }, make({})),
    requestFrom(SHOP, make(EVIL)),
    requestFrom({}, make(EVIL)),
  );

describe("Tenants of spans", () => {
  describe.each(OWNERS)("told by %s", (_, tenant, requests) => {
    const name = `${tenant} ${traceId()}`;

    it.each(STOLEN)("keep their session where strangers send %s", async (_, stolen) => {
      const alone = await (await open({ "m.jsonl": jsonLines(...requests) })).sessions();
      expect(Object.keys(alone)).toEqual([name]);
      expect(JSON.stringify(alone)).toContain(SECRET);
      const before = await open({ "m.jsonl": fromStrangers(stolen) });
      await before.append("m.jsonl", jsonLines(...requests));
      const after = await open({ "m.jsonl": jsonLines(...requests) });
      await after.sessions();
      await after.append("m.jsonl", fromStrangers(stolen));
      for (const { sessions } of [before, after]) {
        const { [name]: own, ...others } = await sessions();
        expect(own).toEqual(alone[name]);
        expect(JSON.stringify(others)).not.toContain(SECRET);
      }
    });
  });

  it("have a session each in a trace of both, and one id may name a session of both", async () => {
    const session = { "session.id": "s" };
    const ofShop = requestFrom(
      SHOP,
      agent({ from: 0, to: 9, attributes: session }),
      call({ id: 2, from: 1, to: 2 }),
    );
    const ofMill = requestFrom({ "service.name": "mill" }, agent({ from: 0, to: 8, attributes: session }));
    const other = requestFrom(SHOP, agent({ trace: 2, from: 20, to: 29, attributes: session }));
    const { sessions } = await open({ "a.jsonl": jsonLines(ofShop, ofMill, other) });
    expect(Object.keys(await sessions()).sort()).toEqual(["mill s", "shop s"]);
    expect(await sessions()).toMatchObject({
      "mill s": { item: { turns: 1 } },
      "shop s": { item: { turns: 2 } },
    });
  });

  it("follow no parent that is said to be of another process", async () => {
    const root = agent({ from: 0, to: 9, attributes: ACME });
    const remote = call({ id: 2, from: 1, to: 2, isParentLocal: false });
    const { types } = await open({ "a.jsonl": jsonLines(requestFrom(SHOP, root, remote)) });
    expect(await types("acme")).toEqual(["turn.start", "turn.end"]);
    expect(await types("shop")).toContain("llm.start");
  });

  it("follow no parent of another resource", async () => {
    const root = requestFrom({ ...SHOP, "process.pid": "1" }, agent({ from: 0, to: 9, attributes: ACME }));
    const local = requestFrom(
      { ...SHOP, "process.pid": "2" },
      call({ id: 2, from: 1, to: 2, isParentLocal: true }),
    );
    const { types } = await open({ "a.jsonl": jsonLines(root, local) });
    expect(await types("acme")).toEqual(["turn.start", "turn.end"]);
    expect(await types("shop")).toContain("llm.start");
  });

  it("follow a parent's parent, and none in a circle", async () => {
    const local = { isParentLocal: true };
    const spans = [
      agent({ from: 0, to: 9, attributes: ACME }),
      ...[2, 3, 4].map((id) => span({ id, parent: id - 1, from: id, to: 8, ...local })),
      call({ id: 5, parent: 4, from: 5, to: 6, ...local }),
      span({ id: 6, parent: 7, from: 7, to: 8, ...local }),
      call({ id: 7, parent: 6, from: 7, to: 8, ...local }),
    ];
    const { types } = await open({ "a.jsonl": jsonLines(...apart(SHOP, spans)) });
    expect((await types("acme")).filter((type) => type === "llm.start")).toHaveLength(1);
    expect((await types("shop")).filter((type) => type === "llm.start")).toHaveLength(1);
  });

  it("are those of their own resource where two tenants claim their parent, whichever was first", async () => {
    const resource = { ...SHOP, "host.name": "a" };
    const root = (attributes: Attributes, to: number) =>
      requestFrom(resource, agent({ from: 0, to, attributes }));
    const local = requestFrom(resource, call({ id: 2, from: 1, to: 2, isParentLocal: true }));
    for (const requests of [
      [root(ACME, 9), local, root(EVIL, 50)],
      [root(EVIL, 50), root(ACME, 9), local],
    ]) {
      const { types } = await open({ "a.jsonl": jsonLines(...requests) });
      expect(await types("shop")).toContain("llm.start");
      for (const tenant of ["acme", "evil"]) expect(await types(tenant)).toEqual(["turn.start", "turn.end"]);
    }
  });

  it("are the same whether files are read while they grow or at their end", async () => {
    const resource = { ...SHOP, "host.name": "a" };
    const requests = [
      ...apart(resource, turn({}, ACME, true)),
      requestFrom({ "service.name": "mill" }, agent({ id: 9, from: -5, to: 30 })),
      requestFrom(resource, agent({ from: 0, to: 12, parent: 9, isParentLocal: false, attributes: ACME })),
      requestFrom(resource, agent({ from: 0, to: 50, attributes: EVIL })),
      requestFrom(SHOP, tool({ id: 4, from: 5, to: 6 })),
    ];
    const source = await open({});
    const files: Record<string, string> = {};
    for (const [n, one] of requests.entries()) {
      const name = n % 2 === 0 ? "b.jsonl" : "a.jsonl";
      files[name] = (files[name] ?? "") + jsonLines(one);
      await source.append(name, jsonLines(one));
      expect(await source.sessions()).toEqual(await (await open(files)).sessions());
    }
    expect(Object.keys(await source.sessions()).sort()).toEqual(
      ["acme", "evil", "mill", "shop"].map((tenant) => `${tenant} ${traceId()}`),
    );
  });

  it("are bound by a line's own member, and by none in a document, whose records others wrote", async () => {
    const bound = {
      inspectorTenantId: "acme",
      ...requestFrom({ "service.name": "evil" }, agent({ from: 0, to: 9 })),
    };
    const line = await open({ "a.jsonl": jsonLines(bound) });
    expect(Object.keys(await line.sessions())).toEqual([`acme ${traceId()}`]);
    const documents = await open({
      "a.json": JSON.stringify({ resourceSpans: [{ ...bound, scopeSpans: [] }] }, null, 1),
    });
    expect(Object.keys(await documents.sessions())).toEqual([`evil ${traceId()}`]);
  });

  it("are one by all of their names that become one", async () => {
    const named = (tenant: string, id: number) =>
      requestFrom({ "tenant.id": tenant }, agent({ id, from: id, to: 9 }));
    const { sessions } = await open({ "a.jsonl": jsonLines(named("a/b", 1)) });
    const [[tenant = ""] = []] = Object.keys(await sessions()).map((name) => name.split(" "));
    const both = await open({ "a.jsonl": jsonLines(named("a/b", 1), named(tenant, 2)) });
    expect(await both.sessions()).toMatchObject({ [`${tenant} ${traceId()}`]: { item: { turns: 2 } } });
  });
});
