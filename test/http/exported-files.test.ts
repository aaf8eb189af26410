import { describe, expect, it } from "vitest";
import {
  type ArchiveLines,
  createInMemoryInspectorDataSource,
  createInspectorContainer,
  createInspectorRoute,
  ExportSession,
  type ExportWriter,
  TOKENS,
} from "../../src/advanced.js";
import { createInspectorRoute as createEdgeRoute } from "../../src/edge.js";
import { KnownWords, passWords } from "../support/known-words.js";
import { expectConforms, expectHeadConforms } from "../support/openapi.js";

const PATH = "/sessions/s1/export?tenantId=acme";

const FINDINGS = passWords(3);

const encoder = new TextEncoder();

class Copying implements ExportWriter {
  readonly mediaType = "application/x-ndjson";
  readonly ending = ".jsonl";
  readonly events: string[] = [];
  readonly #failAfter: number;

  constructor(failAfter = Number.POSITIVE_INFINITY) {
    this.#failAfter = failAfter;
  }

  async *write(lines: ArchiveLines) {
    try {
      let count = 0;
      for await (const batch of lines) {
        if (count++ === this.#failAfter) throw new Error("/home/ada/secret");
        yield encoder.encode(`${batch.join("\n")}\n`);
      }
    } finally {
      this.events.push("ended");
    }
  }
}

function inspector({ writer = new Copying(), tenants = ["acme"] } = {}) {
  const source = createInMemoryInspectorDataSource(
    ["acme", "globex"].map((tenantId) => ({
      tenantId,
      sessionId: "s1",
      messages: FINDINGS.map(({ value }) => ({ role: "user" as const, content: `it is ${value}` })),
    })),
  );
  const container = createInspectorContainer(source);
  const parts = {
    redaction: new KnownWords(FINDINGS),
    writer: "1.0.0",
    now: () => 0,
    partNamed: () => Promise.reject,
  };
  const useCase = new ExportSession(source, { ...parts, writers: { jsonl: writer } });
  container.register(TOKENS.exportSession, { useValue: useCase });
  const failures: unknown[] = [];
  const route = createInspectorRoute(container, {
    access: () => ({ tenants }),
    onError: (error) => void failures.push(error),
  });
  const ask = async (path: string, method = "GET") => {
    const response = await route.request(path, { method });
    const text = await expectConforms(response, path, { method });
    return { status: response.status, headers: response.headers, text };
  };
  return { source, route, failures, ask };
}

describe("A session as a file", () => {
  it("is an attachment of its type that cannot act on this origin, without what was found", async () => {
    const { status, headers, text } = await inspector().ask(`${PATH}&format=jsonl`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toEqual({
      "cache-control": "no-cache, private",
      "content-disposition": 'attachment; filename="session.jsonl"',
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "content-type": "application/x-ndjson",
      "redacted-values": "3",
      "x-content-type-options": "nosniff",
    });
    expect(text).toContain("it is [pass word 2]");
    expect(text).not.toContain("hunter");
    expect(text.trimEnd().split("\n").at(-1)).toMatch(/^\{"end":/);
  });

  it("keeps what the reviewer kept, of the revision that was reviewed", async () => {
    const { ask, source } = inspector();
    const { findings, revision } = JSON.parse((await ask("/sessions/s1/findings?tenantId=acme")).text) as {
      readonly findings: unknown;
      readonly revision: string;
    };
    expect(findings).toEqual(FINDINGS);
    const kept = `${PATH}&format=jsonl&keep=pass-word-2..3&revision=${revision}`;
    const { headers, text } = await ask(kept);
    expect([headers.get("redacted-values"), text.includes("hunter1"), text.includes("hunter3")]).toEqual([
      "1",
      false,
      true,
    ]);
    await source.sessionStore.appendMessages({ tenantId: "acme", sessionId: "s1" }, [
      { role: "user", content: "hunter1 again" },
    ]);
    expect((await ask(kept)).status).toBe(400);
  });

  it("holds everything only where that is said", async () => {
    const { headers, text } = await inspector().ask(`${PATH}&format=jsonl&redact=none`);
    expect([headers.get("redacted-values"), text.includes("hunter1")]).toEqual(["0", true]);
  });

  it.each([
    ["no format", "", "format"],
    ["a format that there is not", "&format=exe", "format"],
    ["a format that cannot be written here", "&format=html", "format"],
    ["half a redaction", "&format=jsonl&redact=some", "redact"],
    ["a finding that there is not", "&format=jsonl&keep=pass-word-4&revision=", "revision"],
    ["findings of no revision", "&format=jsonl&keep=pass-word-1", "keep"],
    ["a range without end", "&format=jsonl&keep=pass-word-1..999999", "keep"],
    ["a range backwards", "&format=jsonl&keep=pass-word-3..1", "keep"],
    ["a part that there is not", "&format=jsonl&only=due", "only"],
  ])("is refused for %s", async (_, query, named) => {
    const { status, text } = await inspector().ask(PATH + query);
    expect([status, (JSON.parse(text) as { detail: string }).detail]).toEqual([
      400,
      expect.stringMatching(`^${named} `),
    ]);
  });

  it("and its findings are not there for who may not see the session", async () => {
    const { ask } = inspector({ tenants: ["globex"] });
    for (const path of [
      `${PATH}&format=jsonl`,
      "/sessions/s1/findings?tenantId=acme",
      "/sessions/s1/findings",
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    const compared = `${PATH}&format=jsonl&otherSessionId=s1&otherTenantId`;
    expect((await inspector().ask(`${compared}=globex`)).status).toBe(404);
  });

  it("breaks off where it fails in the middle, and is a problem where it fails at once", async () => {
    const late = inspector({ writer: new Copying(3) });
    const response = await late.route.request(`${PATH}&format=jsonl`);
    expectHeadConforms(response, PATH);
    await expect(response.text()).rejects.toThrow("in the middle of an answer");
    expect(late.failures).toEqual([new Error("/home/ada/secret")]);
    const early = await inspector({ writer: new Copying(0) }).ask(`${PATH}&format=jsonl`);
    expect([early.status, early.text.includes("secret")]).toEqual([500, false]);
    expect(early.headers.get("content-disposition")).toBeNull();
  });

  it("is made as it is taken, and no more of it when nobody takes it", async () => {
    const writer = new Copying();
    const { route } = inspector({ writer });
    const { body } = await route.request(`${PATH}&format=jsonl`);
    await body!.getReader().read();
    expect(writer.events).toEqual([]);
    const other = await route.request(`${PATH}&format=jsonl`);
    await other.body!.cancel();
    expect(writer.events).toEqual(["ended"]);
  });

  it("is not written for HEAD", async () => {
    const writer = new Copying();
    const { status, headers } = await inspector({ writer }).ask(`${PATH}&format=jsonl`, "HEAD");
    expect([status, headers.get("redacted-values"), writer.events]).toEqual([200, "3", []]);
  });
});

it("Rules of an application's own remove what they find, too, and wrong ones are refused when they are given", async () => {
  const source = createInMemoryInspectorDataSource([
    { sessionId: "s1", messages: [{ role: "user", content: "order C-123456 is late" }] },
  ]);
  const redactionRules = [{ name: "customer id", pattern: "C-[0-9]{6}" }];
  const route = createInspectorRoute(source, { redactionRules });
  // The route has its own copy.
  redactionRules[0]!.pattern = "another";
  redactionRules.pop();
  const text = await (await route.request("/sessions/s1/export?format=jsonl")).text();
  expect(text).toContain("order [customer id 1, 8 characters] is late");
  for (const wrong of ["C-", [{ name: "", pattern: "C-" }], [{ name: "id", pattern: "" }]]) {
    expect(() => createInspectorRoute(source, { redactionRules: wrong as never })).toThrow("redactionRules");
  }
});

it("Where there are no files, nothing is written and nothing looked for, and the answer says so", async () => {
  const route = createEdgeRoute(createInMemoryInspectorDataSource([{ sessionId: "s1" }]));
  for (const path of ["/sessions/s1/export?format=jsonl", "/sessions/s1/findings"]) {
    const response = await route.request(path);
    const text = await expectConforms(response, path);
    expect([path, response.status, text]).toEqual([path, 400, expect.stringContaining(" here")]);
  }
});
