import type { Context } from "hono";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { recognisesOtlp } from "../../src/adapters/otlp/otlp-shape.js";
import { runInSlices } from "../../src/application/threads/slices.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { createOtlpReceiver, type OtlpReceiverOptions } from "../../src/otlp-receiver.js";
import { agent, call, requestFrom, spanId, traceId } from "../otlp/support/spans.js";
import { temporaryFolder } from "../support/data-directory.js";
import { receive } from "./support/receive.js";
import {
  bytesOf,
  JSON_TYPE,
  messageIn,
  PROTOBUF,
  protobufOf,
  requestOf,
  spanOf,
} from "./support/requests.js";

const TENANTS: Readonly<Record<string, string>> = { "key-a": "acme", "key-e": "evil" };
const access = (c: Context) => {
  const tenant = TENANTS[c.req.header("Authorization") ?? ""];
  return tenant === undefined ? c.body(null, 401) : { tenants: [tenant] };
};

async function collect(options: OtlpReceiverOptions = {}) {
  const directory = await temporaryFolder();
  const receiver = createOtlpReceiver({ directory, threads: false, access, ...options });
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
    const { post, sessions } = await collect({ access: () => ({ tenants: "all" }) });
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
    const unbound = createOtlpReceiver({ directory, threads: false, access: () => ({ tenants: "all" }) });
    onTestFinished(() => unbound.close());
    const body = JSON.stringify(requestFrom(SHOP, call({ id: 3, from: 3, to: 4, isParentLocal: true })));
    await unbound.app.request("/v1/traces", { method: "POST", body, headers: { "Content-Type": JSON_TYPE } });
    await post("key-a", turn);
    expect(Object.keys(await sessions()).sort()).toEqual([`acme ${traceId()}`, `shop ${traceId()}`]);
  });

  it("is asked once for each request, before its body is read, and may answer later", async () => {
    const asked: string[] = [];
    const { post, text } = receive({
      access: async ({ req }) => {
        asked.push(`${req.method} ${req.path} ${req.raw.bodyUsed}`);
        return { tenants: ["acme"] };
      },
    });
    expect((await post(JSON.stringify(requestOf([spanOf(0), spanOf(1)])))).status).toBe(200);
    expect(asked).toEqual(["POST /v1/traces false"]);
    expect(text()).toMatch(/^(\{"inspectorTenantId":"acme","resourceSpans":\[.*\n){2}$/);
  });

  it("sends the Response that it is given, and writes nothing", async () => {
    const refusal = { status: 401, headers: { "WWW-Authenticate": "Bearer" } };
    const { post, text, errors } = receive({ access: () => new Response("Who are you?", refusal) });
    const answer = await post(turn);
    expect([answer.status, await answer.text()]).toEqual([401, "Who are you?"]);
    expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
    expect([text(), errors]).toEqual(["", []]);
  });

  it("takes a Response that another server gave", async () => {
    const { post, text } = receive({ access: () => fetch("data:text/plain,elsewhere") });
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
    ["gives a text", () => "acme"],
    ["gives another object", () => ({ tenantId: "acme" })],
    ["gives a tenant that is no list", () => ({ tenants: "acme" })],
    ["gives no texts", () => ({ tenants: [7] })],
    ["gives an empty id", () => ({ tenants: [""] })],
    ["gives a path", () => ({ tenants: ["acme", "acme/secret"] })],
    ["gives another path", () => ({ tenants: ["acme\\secret"] })],
    ["gives a folder above", () => ({ tenants: [".."] })],
    ["gives a control character", () => ({ tenants: ["secret\n"] })],
    ["gives half a character", () => ({ tenants: ["secret\ud800"] })],
    ["gives an id that is too long for a folder", () => ({ tenants: ["ä".repeat(101)] })],
  ])("keeps nothing where it %s: 503, told to the host, and not to the sender", async (_, decide) => {
    const { post, text, errors } = receive({ access: decide as never });
    const answer = await post(turn);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await answer.text()).not.toContain("secret");
    expect(text()).toBe("");
    expect(errors).toHaveLength(1);
  });

  it("takes nothing where it does not decide in time, also where it rejects later: 503, and the host is told", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    let refuse: (reason: unknown) => void = () => {};
    const undecided = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    const { post, text, errors, receiver } = receive({ access: () => undecided, timeoutMs: 1 });
    const answer = await post(turn);
    expect([answer.status, answer.headers.get("Retry-After"), text()]).toEqual([503, "1", ""]);
    expect(errors).toMatchObject([{ message: expect.stringContaining("`access` did not decide within") }]);
    await receiver.close();
    refuse(new Error("too late"));
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  });

  it("decides once: what happens to its tenants while the body is read changes nothing", async () => {
    const tenants = ["acme"];
    const { post, text } = receive({ access: () => ({ tenants }) });
    const pull = (controller: ReadableStreamDefaultController) => {
      tenants[0] = "evil";
      controller.enqueue(new TextEncoder().encode(turn));
      controller.close();
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    expect((await post(body)).status).toBe(200);
    expect(text()).toContain('"inspectorTenantId":"acme"');
    expect(text()).not.toContain("evil");
  });

  it("stays what it was when the receiver was made, whatever happens to its options", async () => {
    let reads = 0;
    const options = {
      get access() {
        return reads++ === 0 ? () => ({ tenants: ["acme"] }) : undefined;
      },
    };
    const receiver = createOtlpReceiver(
      Object.defineProperties(
        { directory: await temporaryFolder(), threads: false as const },
        Object.getOwnPropertyDescriptors(options),
      ),
    );
    onTestFinished(() => receiver.close());
    expect(reads).toBe(1);
  });

  it("is not asked of pages in a browser, which may not send whoever they are", async () => {
    const { post } = receive({ access: () => expect.unreachable() });
    expect((await post(turn, { Origin: "https://evil.example" })).status).toBe(403);
  });

  it("takes any other id, and its folder is recognised", async () => {
    for (const tenant of ['a "b" c', "ä".repeat(100), "}]", "__proto__", "a,b"]) {
      const { directory, post, sessions } = await collect({ access: () => ({ tenants: [tenant] }) });
      await post("", turn);
      expect(Object.keys(await sessions())).toEqual([`${tenant} ${traceId()}`]);
      expect([tenant, await runInSlices(recognisesOtlp(directory))]).toEqual([tenant, true]);
    }
  });

  it("counts what the tenant takes in each line", async () => {
    const { post } = receive({
      access: () => ({ tenants: ["a".repeat(200)] }),
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
      expect(() => createOtlpReceiver({ directory: "x", access: wrong })).toThrow(
        /`access` must be a function/,
      );
    }
  });

  it("warns when it is made without, and not when everybody is meant", () => {
    const warned = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    createOtlpReceiver({ directory: "x", access: () => ({ tenants: "all" }) });
    expect(warned).not.toHaveBeenCalled();
    createOtlpReceiver({ directory: "x" });
    expect(warned.mock.calls).toEqual([[expect.stringContaining("`access`")]]);
  });
});

describe("a sender that may write several tenants", () => {
  const tenants = ["acme", "mill", "default"];
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const [ACME_S, MILL_S, EVIL_S] = ["acme", "mill", "evil"].map((id) => text("tenant.id", id));
  /** Claims of a span and its resource, and the tenant; none for a rejected span. */
  const CLAIMS: readonly (readonly [resource: unknown, span: unknown, tenant?: string])[] = [
    [[ACME_S], [], "acme"],
    [[], [MILL_S], "mill"],
    [[ACME_S], [MILL_S], "mill"],
    [[EVIL_S], [ACME_S], "acme"],
    [[text("service.name", "mill")], [], "mill"],
    [[text("service.name", "evil")], [ACME_S], "acme"],
    [[], [], "default"],
    [undefined, undefined, "default"],
    [[EVIL_S], []],
    [[ACME_S], [EVIL_S]],
    [[ACME_S], [EVIL_S, text("service.name", "acme")]],
    [[text("service.name", "evil")], []],
    [[], [text("tenant.id", "acme/x")]],
    [[], [text("tenant.id", "ACME")]],
    [[], [{ key: "tenant.id", value: { intValue: "7" } }]],
  ];
  const lineOf = (line: string) => {
    const { inspectorTenantId, resourceSpans } = JSON.parse(line);
    return [resourceSpans[0].scopeSpans[0].spans[0].spanId, inspectorTenantId];
  };
  const request = (idOf: (n: number, bytes: number) => unknown) => ({
    resourceSpans: CLAIMS.map(([resource, attributes], n) => {
      const span = { traceId: idOf(n, 16), spanId: idOf(n, 8), attributes };
      return { resource: { attributes: resource }, scopeSpans: [{ spans: [span] }] };
    }),
  });
  const hex = (n: number, bytes: number) => (n + 1).toString(16).padStart(2 * bytes, "0");
  const expected = CLAIMS.flatMap(([, , tenant], n) => (tenant === undefined ? [] : [[hex(n, 8), tenant]]));
  const rejected = String(CLAIMS.length - expected.length);

  it.each([
    ["JSON", JSON_TYPE, () => JSON.stringify(request(hex)), (answer: Response) => answer.json()],
    ["protobuf", PROTOBUF, () => protobufOf(request((n, bytes) => bytesOf(hex(n, bytes)))), messageIn],
  ] as const)(
    "has its spans be of those that they name, and is told which were rejected: %s",
    async (_, type, body, read) => {
      const { post, text: written } = receive({ access: () => ({ tenants }) });
      const answer = await post(body(), { "Content-Type": type });
      expect(written().trimEnd().split("\n").map(lineOf)).toEqual(expected);
      expect([answer.status, await read(answer)]).toEqual([
        200,
        { partialSuccess: { rejectedSpans: rejected, errorMessage: expect.stringContaining("tenant.id") } },
      ]);
    },
  );

  it.each(LIES)("believes none that says %s that it is another one", async (_, lie) => {
    const { post, text: written } = receive({ access: () => ({ tenants: ["mill", "shop"] }) });
    await post(lie);
    for (const line of written().split("\n").slice(0, -1)) expect(lineOf(line)[1]).toMatch(/^(mill|shop)$/);
  });

  it("is shown in the sessions of each, which no span of another one changes", async () => {
    const { post, sessions } = await collect({ access: () => ({ tenants: ["acme", "mill"] }) });
    const root = requestFrom({ ...SHOP, ...ACME }, agent({ from: 0, to: 9 }));
    const child = requestFrom(
      { ...SHOP, "tenant.id": "mill" },
      call({ id: 2, from: 1, to: 2, isParentLocal: true }),
    );
    await post("", JSON.stringify(root));
    await post("", JSON.stringify(child));
    expect(Object.keys(await sessions()).sort()).toEqual([`acme ${traceId()}`, `mill ${traceId()}`]);
  });

  it("writes none where it may write none: 403, and nothing of its body is read", async () => {
    const { post, text: written } = receive({ access: () => ({ tenants: [] }) });
    expect((await post("{")).status).toBe(403);
    expect(written()).toBe("");
  });
});
