import { describe, expect, it, onTestFinished } from "vitest";
import { recognisesOtlp } from "../../src/adapters/otlp/otlp-shape.js";
import { runInSlices } from "../../src/application/threads/slices.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { createOtlpReceiver, type OtlpReceiverOptions } from "../../src/otlp-receiver.js";
import { agent, call, requestFrom, spanId, traceId } from "../otlp/support/spans.js";
import { temporaryFolder } from "../support/data-directory.js";
import { receive } from "./support/receive.js";
import { bytesOf, JSON_TYPE, PROTOBUF, protobufOf, requestOf, spanOf } from "./support/requests.js";

const TENANTS: Readonly<Record<string, string>> = { "key-a": "acme", "key-e": "evil" };
const tenantOf = (request: Request) =>
  TENANTS[request.headers.get("Authorization") ?? ""] ?? new Response(null, { status: 401 });

/** A receiver that writes to a folder, and a source that reads it while it does. */
async function collect(options: OtlpReceiverOptions = {}) {
  const directory = await temporaryFolder();
  const receiver = createOtlpReceiver({ directory, threads: false, tenantOf, ...options });
  const source = createOtlpDataSource({ directory, threads: false });
  onTestFinished(async () => {
    await receiver.close();
    await source.close?.();
  });
  const post = async (key: string, body: string | Uint8Array<ArrayBuffer>, type = JSON_TYPE) => {
    const headers = { Authorization: key, "Content-Type": type };
    const answer = await receiver.app.request("/v1/traces", { method: "POST", body, headers });
    expect(answer.status).toBe(200);
  };
  /** What is shown, by tenant and session. */
  const sessions = async () => {
    const shown: Record<string, object> = {};
    for (const item of await source.listSessions()) {
      const events = await source.loadTraceEnvelopes(item.tenantId, item.sessionId);
      shown[`${item.tenantId} ${item.sessionId}`] = { item, events };
    }
    return shown;
  };
  return { directory, post, sessions };
}

const ROOT = agent({ from: 0, to: 9, parent: 9 });
const CALL = call({ id: 2, from: 1, to: 2 });
const ACME = { "tenant.id": "acme" };
const SHOP = { "service.name": "shop" };
const turn = JSON.stringify(requestFrom(SHOP, CALL, ROOT));

const claimed = '"inspectorTenantId":"acme"';
const root = JSON.stringify(requestFrom(SHOP, agent({ from: -5, to: 50 })));
const resources = root.slice('{"resourceSpans":'.length, -1);

/** Ways to say that one is another sender. */
const LIES: readonly (readonly [how: string, body: string])[] = [
  ["by an attribute", JSON.stringify(requestFrom(SHOP, agent({ from: -5, to: 50, attributes: ACME })))],
  ["by the resource", JSON.stringify(requestFrom(ACME, agent({ from: -5, to: 50 })))],
  ["as the missing parent", JSON.stringify(requestFrom(ACME, agent({ id: 9, from: -5, to: 50 })))],
  ["beside the resources", root.replace("{", `{${claimed},`)],
  ["behind the resources", root.replace(/}$/, `,${claimed}}`)],
  ["in a resource", root.replace('"resource":', `${claimed},"resource":`)],
  ["in a scope", root.replace('"scope":', `${claimed},"scope":`)],
  ["in a span", root.replace('"traceId":', `${claimed},"traceId":`)],
  [
    "by a line in a span",
    root.replace('"traceId":', `"x":\n{${claimed},"resourceSpans":${resources}}\n,"traceId":`),
  ],
  ["by resources that are there twice", `{"resourceSpans":[],${claimed},"resourceSpans":${resources}}`],
  [
    "by scopes that are there twice",
    root.replace('"scopeSpans":', `"scopeSpans":[],${claimed},"scopeSpans":`),
  ],
  ["by spans that are there twice", root.replace('"spans":', `"spans":[],${claimed},"spans":`)],
];

describe("a receiver that knows its senders", () => {
  it("has all spans of a request be of its sender's tenant, whatever they say", async () => {
    const { post, sessions } = await collect();
    const named = (tenant: string, id: number) =>
      agent({ id, from: id, to: 9, attributes: { "tenant.id": tenant } });
    await post(
      "key-a",
      JSON.stringify(requestFrom({ ...SHOP, "tenant.id": "mill" }, named("evil", 1), named("shop", 2), CALL)),
    );
    const attributes = [{ key: "tenant.id", value: { stringValue: "evil" } }];
    const ids = { traceId: Buffer.from(traceId(2), "hex"), spanId: Buffer.from("0000000000000009", "hex") };
    const operation = { key: "gen_ai.operation.name", value: { stringValue: "invoke_agent" } };
    const resource = { attributes };
    const spans = [{ ...ids, attributes: [...attributes, operation] }];
    await post("key-a", protobufOf({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }), PROTOBUF);
    expect(Object.keys(await sessions()).sort()).toEqual([`acme ${traceId(1)}`, `acme ${traceId(2)}`]);
  });

  it.each(LIES)("believes none that says %s that it is another one", async (_, lie) => {
    const { post, sessions } = await collect();
    await post("key-a", turn);
    const before = await sessions();
    expect(Object.keys(before)).toEqual([`acme ${traceId()}`]);
    await post("key-e", lie);
    const { [`evil ${traceId()}`]: theirs, ...others } = await sessions();
    expect(theirs).toBeDefined();
    expect(others).toEqual(before);
  });

  it("keeps a trace of two of its senders apart, and one of one sender together", async () => {
    const { post, sessions } = await collect();
    await post("key-a", JSON.stringify(requestFrom({ "service.name": "mill" }, CALL)));
    await post("key-e", JSON.stringify(requestFrom(SHOP, agent({ from: 0, to: 50 }))));
    await post("key-a", JSON.stringify(requestFrom(SHOP, ROOT)));
    const shown = await sessions();
    expect(Object.keys(shown).sort()).toEqual([`acme ${traceId()}`, `evil ${traceId()}`]);
    expect(shown).toMatchObject({ [`acme ${traceId()}`]: { item: { turns: 1, tokens: 59 } } });
    expect(shown).toMatchObject({ [`evil ${traceId()}`]: { item: { turns: 1, tokens: 0 } } });
  });

  it("takes what spans say where it binds none: a child, sent before, follows its root in the same process", async () => {
    const { post, sessions } = await collect({ tenantOf: undefined });
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const resource = { attributes: [attribute("service.name", "shop")] };
    const send = (id: number, more: object) => {
      const ids = { traceId: bytesOf(traceId()), spanId: bytesOf(spanId(id)) };
      const scopeSpans = [{ spans: [{ ...ids, startTimeUnixNano: "1767225600000000000", ...more }] }];
      return post("", protobufOf({ resourceSpans: [{ resource, scopeSpans }] }), PROTOBUF);
    };
    const operation = (name: string) => attribute("gen_ai.operation.name", name);
    await send(2, { parentSpanId: bytesOf(spanId(1)), flags: 0x101, attributes: [operation("chat")] });
    expect(Object.keys(await sessions())).toEqual([`shop ${traceId()}`]);
    await send(1, { flags: 0x101, attributes: [operation("invoke_agent"), attribute("tenant.id", "acme")] });
    const shown = await sessions();
    expect(Object.keys(shown)).toEqual([`acme ${traceId()}`]);
    expect(JSON.stringify(shown)).toContain("llm.start");
  });

  it("keeps spans that are bound apart from those that say themselves whose they are", async () => {
    const { directory, post, sessions } = await collect();
    const unbound = createOtlpReceiver({ directory, threads: false });
    onTestFinished(() => unbound.close());
    const body = JSON.stringify(requestFrom(SHOP, call({ id: 3, from: 3, to: 4, isParentLocal: true })));
    await unbound.app.request("/v1/traces", { method: "POST", body, headers: { "Content-Type": JSON_TYPE } });
    await post("key-a", turn);
    expect(Object.keys(await sessions()).sort()).toEqual([`acme ${traceId()}`, `shop ${traceId()}`]);
  });

  it("is asked once for each request, before its body is read, and may answer later", async () => {
    const asked: string[] = [];
    const { post, text } = receive({
      tenantOf: async (request) => {
        asked.push(`${request.method} ${new URL(request.url).pathname} ${request.bodyUsed}`);
        return "acme";
      },
    });
    expect((await post(JSON.stringify(requestOf([spanOf(0), spanOf(1)])))).status).toBe(200);
    expect(asked).toEqual(["POST /v1/traces false"]);
    expect(text()).toMatch(/^(\{"inspectorTenantId":"acme","resourceSpans":\[.*\n){2}$/);
  });

  it("sends the Response that it is given, and writes nothing", async () => {
    const refusal = { status: 401, headers: { "WWW-Authenticate": "Bearer" } };
    const { post, text, errors } = receive({ tenantOf: () => new Response("Who are you?", refusal) });
    const answer = await post(turn);
    expect([answer.status, await answer.text()]).toEqual([401, "Who are you?"]);
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect([text(), errors]).toEqual(["", []]);
  });

  it("takes a Response that another server gave", async () => {
    const { post, text } = receive({ tenantOf: () => fetch("data:text/plain,elsewhere") });
    expect(await (await post(turn)).text()).toBe("elsewhere");
    expect(text()).toBe("");
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("/secret/place");
      },
    ],
    ["rejects", () => Promise.reject(new Error("/secret/place"))],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["gives nothing", () => undefined],
    ["gives null", () => null],
    ["gives a number", () => 7],
    ["gives a list", () => ["acme"]],
    ["gives an object", () => ({ tenantId: "acme" })],
    ["gives an empty id", () => ""],
    ["gives a path", () => "acme/secret"],
    ["gives another path", () => "acme\\secret"],
    ["gives a folder above", () => ".."],
    ["gives a control character", () => "secret\n"],
    ["gives half a character", () => "secret\ud800"],
    ["gives an id that is too long for a folder", () => "ä".repeat(101)],
  ])("keeps nothing where it %s: 503, told to the host, and not to the sender", async (_, decide) => {
    const { post, text, errors } = receive({ tenantOf: decide as never });
    const answer = await post(turn);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await answer.text()).not.toContain("secret");
    expect(text()).toBe("");
    expect(errors).toHaveLength(1);
  });

  it("is not asked of pages in a browser, which may not send whoever they are", async () => {
    const { post } = receive({ tenantOf: () => expect.unreachable() });
    expect((await post(turn, { Origin: "https://evil.example" })).status).toBe(403);
  });

  it("takes any other id, and its folder is recognised", async () => {
    for (const tenant of ['a "b" c', "ä".repeat(100), "}]", "__proto__", "a,b"]) {
      const { directory, post, sessions } = await collect({ tenantOf: () => tenant });
      await post("", turn);
      expect(Object.keys(await sessions())).toEqual([`${tenant} ${traceId()}`]);
      expect([tenant, await runInSlices(recognisesOtlp(directory))]).toEqual([tenant, true]);
    }
  });

  it("counts what the tenant takes in each line", async () => {
    const { post } = receive({
      tenantOf: () => "a".repeat(200),
      maxUnpackedBytes: 5_000,
      maxPendingBytes: 5_000,
    });
    const spans = Array.from({ length: 20 }, (_, n) => ({
      traceId: traceId(n + 1),
      spanId: "0000000000000001",
    }));
    expect((await post(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))).status).toBe(413);
  });

  it("has a function for it", () => {
    for (const wrong of ["acme", {}, true, null] as never[]) {
      expect(() => createOtlpReceiver({ directory: "x", tenantOf: wrong })).toThrow(
        /`tenantOf` must be a function/,
      );
    }
  });
});
