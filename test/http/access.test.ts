import { describe, expect, it } from "vitest";
import {
  AgentAppConfigurationError,
  createInMemoryInspectorDataSource,
  createInspectorRoute,
  type DecideAccess,
  type InspectorRouteOptions,
  type TenantScope,
} from "../../src/advanced.js";
import { createAgentApp, INSPECTOR_PATH, type InspectorDataSource, mountInspector } from "../../src/index.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { SAMPLE } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const LISTS = ["trace", "orchestration", "messages"];
const PATHS = [
  ...["", "/", "/sessions", "/sessions/", "/health", "/nowhere", "/sessions/s1", "/sessions?limit=0"],
  ...LISTS.map((list) => `/sessions/s1/${list}?tenantId=acme`),
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"];

type AnsweringHost = (path: string) => Response | Promise<Response>;

const untouched = handMadeSource({});

function guarded(source: InspectorDataSource, access: DecideAccess) {
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const app = createAgentApp({ inspector: source, inspectorOptions: { access, onError } });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await app.request(INSPECTOR_PATH + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  return { ask, failures };
}

const seeing =
  (tenants: TenantScope): DecideAccess =>
  () => ({ tenants });

describe("access", () => {
  it("is asked once for every path and method, before anything is read", async () => {
    const asked: string[] = [];
    const { ask, failures } = guarded(untouched, (c) => {
      asked.push(`${c.req.method} ${c.req.path}`);
      return c.text("No entry", 401, { "WWW-Authenticate": "Basic" });
    });
    const wanted: string[] = [];
    for (const path of PATHS) {
      for (const method of METHODS) {
        const { status, headers, text } = await ask(path, { method });
        expect([path, method, status, text]).toStrictEqual([
          path,
          method,
          401,
          method === "HEAD" ? "" : "No entry",
        ]);
        expect(headers.get("www-authenticate")).toBe("Basic");
        wanted.push(`${method} ${INSPECTOR_PATH}${path.split("?")[0]}`);
      }
    }
    expect(asked).toStrictEqual(wanted);
    expect(failures).toStrictEqual([]);
  });

  it("may decide later, and with a Response that another server gave", async () => {
    const { ask } = guarded(untouched, async () => fetch("data:text/plain,elsewhere"));
    expect(await ask("/sessions")).toMatchObject({ status: 200, text: "elsewhere" });
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
    ["gives true", () => true],
    ["gives a tenant", () => "acme"],
    ["gives no tenants", () => ({})],
    ["gives undefined tenants", () => ({ tenants: undefined })],
    ["gives one tenant as text", () => ({ tenants: "acme" })],
    ["gives tenants that are no texts", () => ({ tenants: ["acme", undefined] })],
    ["gives a response without its class", () => ({ status: 200, headers: {} })],
  ])("shows nothing where it %s", async (_, decide) => {
    const { ask, failures } = guarded(untouched, decide as DecideAccess);
    for (const path of PATHS) {
      const { status, headers, text } = await ask(path);
      expect([status, headers.get("content-type")]).toStrictEqual([
        500,
        "application/problem+json; charset=utf-8",
      ]);
      expect(JSON.parse(text).detail).toMatch(/could not decide which data this request may read/);
      expect(text).not.toContain("secret");
    }
    expect(failures).toHaveLength(PATHS.length);
  });

  it("answers the rest as ever", async () => {
    const { ask } = guarded(untouched, seeing([]));
    expect(await ask("/health")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect((await ask("/nowhere")).status).toBe(404);
    expect((await ask("/sessions", { method: "POST" })).status).toBe(405);
    expect((await ask("/sessions/s1/trace?limit=0")).status).toBe(400);
  });

  it("has to be a function", () => {
    for (const access of [true, "acme", {}, null] as never[]) {
      expect(() => createInspectorRoute(untouched, { access })).toThrow(/`access` must be a function/);
    }
  });

  it("is not passed over where it is misspelt", () => {
    const guard = { acess: seeing([]) };
    for (const options of [guard, Object.create(guard), Object.freeze(guard)] as never[]) {
      for (const create of [
        () => createInspectorRoute(untouched, options),
        () => createAgentApp({ inspector: untouched, inspectorOptions: options }),
      ]) {
        expect(create).toThrow(AgentAppConfigurationError);
        expect(create).toThrow("Unknown option 'acess'. Did you mean 'access'?");
      }
    }
  });

  it("has its place in `inspectorOptions`", () => {
    const misplaced = { inspector: untouched, access: seeing([]) } as never;
    expect(() => createAgentApp(misplaced)).toThrow(/`access` belongs into `inspectorOptions`/);
  });
});

it("A guard is held to wherever its options have it from", async () => {
  class Guarded {
    get access() {
      return seeing([]);
    }
  }
  const source = createInMemoryInspectorDataSource([{ tenantId: "acme", sessionId: "s1" }]);
  for (const inspectorOptions of [
    new Guarded(),
    Object.create(new Guarded()),
    Object.freeze({ access: seeing([]) }),
  ]) {
    const app = createAgentApp({ inspector: source, inspectorOptions });
    const response = await app.request("/__inspector/sessions");
    expect(await response.json()).toMatchObject({ sessions: [] });
  }
});

describe("A guard stays what it was when the inspector was made", () => {
  const sessions = () => createInMemoryInspectorDataSource([{ tenantId: "acme", sessionId: "s1" }]);
  const makers: readonly (readonly [string, (options: InspectorRouteOptions) => AnsweringHost])[] = [
    [
      "createAgentApp",
      (inspectorOptions) => {
        const app = createAgentApp({ inspector: sessions(), inspectorOptions });
        return (path) => app.request(INSPECTOR_PATH + path);
      },
    ],
    [
      "createInspectorRoute",
      (options) => {
        const route = createInspectorRoute(sessions(), options);
        return (path) => route.request(path);
      },
    ],
    [
      "mountInspector",
      (options) => {
        // An accessor stays one.
        const all = Object.defineProperties(
          { source: sessions(), threads: false as const },
          Object.getOwnPropertyDescriptors(options),
        );
        const { app } = mountInspector(all);
        return (path) => app.request(`/inspect/api${path}`);
      },
    ],
  ];

  it.each(makers)("of %s, whatever happens to its options", async (_, make) => {
    const options: { access?: DecideAccess | undefined } = { access: seeing([]) };
    const ask = make(options);
    for (const access of [undefined, seeing("all")]) {
      options.access = access;
      expect(await (await ask("/sessions")).json()).toMatchObject({ sessions: [] });
    }
    delete options.access;
    expect(await (await ask("/sessions")).json()).toMatchObject({ sessions: [] });
  });

  it.each(makers)(
    "of %s, also where its option is another one each time that it is read",
    async (_, make) => {
      let reads = 0;
      const options = {
        get access() {
          return reads++ === 0 ? seeing([]) : undefined;
        },
      };
      const ask = make(options);
      expect(await (await ask("/sessions")).json()).toMatchObject({ sessions: [] });
      expect(reads).toBe(1);
    },
  );
});

describe.each(SOURCES)("A scope of tenants, with %s", (_, create) => {
  it("shows the sessions of its tenants, in the list and in every search", async () => {
    const source = await create(SAMPLE);
    for (const [tenants, query, seen] of [
      [["acme"], "", ["acme", "acme"]],
      [["acme", "beta"], "", ["acme", "beta", "acme"]],
      [["acme", "beta"], "?tenantId=beta", ["beta"]],
      [["acme"], "?tenantId=beta", []],
      [["acme"], "?q=weekly", ["acme"]],
      [["default"], "?userId=ben", []],
      [[], "", []],
      ["all", "?q=weekly", ["beta", "acme"]],
    ] as const) {
      const { text } = await guarded(source, seeing(tenants)).ask(`/sessions${query}`);
      const found = JSON.parse(text).sessions as { tenantId: string }[];
      expect([tenants, query, found.map(({ tenantId }) => tenantId)]).toStrictEqual([tenants, query, seen]);
    }
  });

  it("has no session of another tenant: the answer is that for one that is not there", async () => {
    const { ask } = guarded(await create(SAMPLE), seeing(["beta"]));
    for (const list of [...LISTS, "context", "provenance"]) {
      for (const query of ["tenantId=acme", "tenantId=acme&limit=1", "tenantId=ACME", ""]) {
        const there = await ask(`/sessions/s1/${list}?call=t1-1&message=0&${query}`);
        const nowhere = await ask(`/sessions/s0/${list}?call=t1-1&message=0&${query}`);
        expect([there.status, there.text]).toStrictEqual([404, nowhere.text.replaceAll("s0", "s1")]);
        expect([...there.headers]).toStrictEqual([...nowhere.headers]);
      }
      if (["context", "provenance"].includes(list)) continue;
      expect((await ask(`/sessions/s1/${list}?tenantId=beta`)).status).toBe(200);
    }
  });

  it("has entity tags of its own, and pages of its own", async () => {
    const source = await create(SAMPLE);
    const all = guarded(source, seeing("all"));
    const acme = guarded(source, seeing(["acme"]));
    const nobody = guarded(source, seeing(["nobody"]));
    const noOne = guarded(source, seeing([]));
    for (const path of ["/sessions", "/sessions?q=nothing", "/sessions/s1/messages?tenantId=acme"]) {
      const etags = [all, acme].map(async ({ ask }) => (await ask(path)).headers.get("etag"));
      for (const etag of await Promise.all(etags)) {
        if (etag === null) continue;
        const answers = [all, acme, nobody, noOne].map(({ ask }) =>
          ask(path, { headers: { "If-None-Match": etag } }),
        );
        const statuses = (await Promise.all(answers)).map(({ status }) => status);
        expect([path, statuses.filter((status) => status === 304)]).toStrictEqual([path, [304]]);
      }
    }
    const { nextCursor } = JSON.parse((await all.ask("/sessions?limit=1")).text);
    const page = await nobody.ask(`/sessions?limit=1&cursor=${nextCursor}`);
    expect(JSON.parse(page.text)).toStrictEqual({ sessions: [], nextCursor: null });
  });
});

describe("A delegated revision of the list", () => {
  it("is confirmed to nobody else", async () => {
    const source = handMadeSource({ revision: async () => "7", listSessions: async () => [] });
    const etag = (await guarded(source, seeing(["a"])).ask("/sessions")).headers.get("etag") ?? "";
    const ask = (tenants: TenantScope) =>
      guarded(source, seeing(tenants)).ask("/sessions", { headers: { "If-None-Match": etag } });
    expect((await ask(["a"])).status).toBe(304);
    for (const other of [["b"], ["a", "b"], [], "all"] as const) expect((await ask(other)).status).toBe(200);
  });
});
