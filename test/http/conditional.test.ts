import { describe, expect, it } from "vitest";
import {
  createInMemoryInspectorDataSource,
  keysOfEnvelopes,
  SourceUnavailableError,
  streamOf,
} from "../../src/advanced.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { handMadeSnapshot, handMadeSource, NO_ORCHESTRATION } from "../support/hand-made-source.js";
import { inspect, MOUNTS } from "../support/inspector.js";
import { at, envelope, SAMPLE } from "../support/sample.js";
import { appendLines, filesystemSource, fiveMethods, writeDataDir } from "../support/sources.js";

const LISTS = ["trace", "orchestration", "messages"].map((list) => `/sessions/s1/${list}?tenantId=acme`);

function ifNoneMatch(tag: string): RequestInit {
  return { headers: { "If-None-Match": tag } };
}

function withMessages(revision: string, messages: readonly object[]): InspectorDataSource {
  const session = handMadeSnapshot({ revision, messages: async () => streamOf(messages) });
  return handMadeSource({ openSession: async () => session });
}

describe.each(MOUNTS)("Entity tags, mounted at %s", (_, prefix) => {
  const unloadable = handMadeSource({
    revision: async () => "r1",
    openSession: async () => handMadeSnapshot({ revision: "r1" }),
  });

  it.each(['W/"r1"', '"r1"', "*", '"a", W/"r1", "b"', '"a","r1"', ' W/"r1" '])(
    "answer 304 to If-None-Match: %s, and load nothing",
    async (tag) => {
      const inspector = inspect(unloadable, prefix);
      for (const path of ["/sessions", ...LISTS]) {
        const { status, headers, text } = await inspector.ask(path, ifNoneMatch(tag));
        expect([path, status, headers.get("etag"), text]).toStrictEqual([path, 304, 'W/"r1"', ""]);
        const head = await inspector.ask(path, { ...ifNoneMatch(tag), method: "HEAD" });
        expect([head.status, head.headers.get("etag")]).toStrictEqual([304, 'W/"r1"']);
      }
      expect(inspector.failures).toStrictEqual([]);
    },
  );

  it.each(["", '"r2"', "r1", 'W/"R1"', '"r1 "', '"r"', 'W/"r11"', '"*"'])(
    "answer in full to If-None-Match: %s",
    async (tag) => {
      const source = withMessages("r1", [{ n: 1 }]);
      const { status, headers, body } = await inspect(source, prefix).ask(LISTS[2] ?? "", ifNoneMatch(tag));
      expect([status, headers.get("etag"), body]).toStrictEqual([200, 'W/"r1"', { messages: [{ n: 1 }] }]);
    },
  );

  it("are asked of the source for the session, and for the list", async () => {
    const asked: unknown[] = [];
    const source = handMadeSource({
      async openSession(tenantId, sessionId) {
        asked.push(`${tenantId}/${sessionId}`);
        return handMadeSnapshot({ revision: "r1" });
      },
      async revision() {
        asked.push("the list");
        return "r1";
      },
    });
    const inspector = inspect(source, prefix);
    await inspector.ask("/sessions/s1/messages?tenantId=acme", ifNoneMatch("*"));
    await inspector.ask("/sessions", ifNoneMatch("*"));
    expect(asked).toStrictEqual(["acme/s1", "the list"]);
  });

  it.each(['a"b', "a,b", "a b", "世界", "50%", ""])("carry a revision of any text (%j)", async (revision) => {
    const inspector = inspect(withMessages(revision, []), prefix);
    const { headers } = await inspector.ask("/sessions/s1/messages");
    const again = await inspector.ask("/sessions/s1/messages", ifNoneMatch(headers.get("etag") ?? "none"));
    expect(again.status).toBe(304);
  });

  it("are absent where there is no revision", async () => {
    const memory = createInMemoryInspectorDataSource(SAMPLE);
    const quiet: InspectorDataSource = {
      ...fiveMethods(memory),
      async openSession(tenantId, sessionId) {
        const session = await memory.openSession?.(tenantId, sessionId);
        return session && { ...session, revision: undefined };
      },
    };
    for (const source of [quiet, fiveMethods(memory)]) {
      for (const path of LISTS) {
        const { status, headers } = await inspect(source, prefix).ask(path, ifNoneMatch("*"));
        expect([path, status, headers.get("etag")]).toStrictEqual([path, 200, null]);
      }
    }
  });

  it("do not hide that the session is gone", async () => {
    const inspector = inspect(handMadeSource({ openSession: async () => undefined }), prefix);
    for (const path of LISTS) expect((await inspector.ask(path, ifNoneMatch('W/"r1"'))).status).toBe(404);
  });

  it("do not hide a request that cannot be", async () => {
    const inspector = inspect(unloadable, prefix);
    expect((await inspector.ask("/sessions?limit=0", ifNoneMatch("*"))).status).toBe(400);
    expect((await inspector.ask("/sessions/s1/trace?cursor=x", ifNoneMatch("*"))).status).toBe(400);
  });
});

describe("The entity tag of the session list", () => {
  const item = (sessionId: string, lastActive: string): InspectorSessionItem => ({
    tenantId: "acme",
    sessionId,
    userId: "",
    lastActive,
    turns: 0,
    tokens: 0,
    status: "idle",
  });

  it("is made of the list where the source knows no revision", async () => {
    const sessions = [item("s1", at(1))];
    const inspector = inspect(handMadeSource({ listSessions: async () => [...sessions] }));
    const tag = (await inspector.ask("/sessions")).headers.get("etag") ?? "none";
    expect((await inspector.ask("/sessions", ifNoneMatch(tag))).status).toBe(304);
    sessions[0] = { ...item("s1", at(1)), status: "running" };
    const changed = await inspector.ask("/sessions", ifNoneMatch(tag));
    expect([changed.status, changed.headers.get("etag") === tag]).toStrictEqual([200, false]);
  });

  it("changes when a page is no longer the last", async () => {
    const sessions = [item("s1", at(5))];
    const inspector = inspect(handMadeSource({ listSessions: async () => [...sessions] }));
    const tag = (await inspector.ask("/sessions?limit=1")).headers.get("etag") ?? "none";
    sessions.push(item("s0", at(1)));
    const { status, body } = await inspector.ask("/sessions?limit=1", ifNoneMatch(tag));
    expect([status, body.nextCursor]).toStrictEqual([200, expect.any(String)]);
  });
});

describe("The list of a data directory", () => {
  it("changes its entity tag when a run stops counting as running, although no file changes", async () => {
    let now = Date.parse(at(0));
    const dataDir = await writeDataDir([
      {
        tenantId: "acme",
        sessionId: "s1",
        userId: "ada",
        envelopes: [envelope(0, { event: { type: "run.start" } })],
      },
    ]);
    const inspector = inspect(filesystemSource(dataDir, { now: () => now }));
    const first = await inspector.ask("/sessions");
    const tag = first.headers.get("etag") ?? "none";
    expect(first.body).toMatchObject({ sessions: [{ status: "running" }] });
    expect((await inspector.ask("/sessions", ifNoneMatch(tag))).status).toBe(304);
    now += 6 * 60_000;
    const later = await inspector.ask("/sessions", ifNoneMatch(tag));
    expect(later).toMatchObject({ status: 200, body: { sessions: [{ status: "idle" }] } });
  });
});

describe("An error", () => {
  it("has no entity tag, so that no client keeps it for the list", async () => {
    const broken = (error: Error): InspectorDataSource => {
      const session = handMadeSnapshot({
        revision: "r1",
        messages: () => Promise.reject(error),
        trace: async () => ({
          size: 1,
          warnings: [],
          keys: keysOfEnvelopes([envelope(0)]),
          // biome-ignore lint/correctness/useYield: it fails before its first batch
          async *read() {
            throw error;
          },
        }),
        orchestration: NO_ORCHESTRATION,
      });
      return handMadeSource({ openSession: async () => session });
    };
    for (const [error, expected] of [
      [new Error("broken"), 500],
      [new SourceUnavailableError("The store is away."), 503],
    ] as const) {
      for (const list of ["messages", "trace"]) {
        const { status, headers } = await inspect(broken(error)).ask(`/sessions/s1/${list}`);
        expect([list, status, headers.get("etag")]).toStrictEqual([list, expected, null]);
      }
    }
  });
});

describe("What was added changes the entity tag of", () => {
  it("the memory source", async () => {
    const source = createInMemoryInspectorDataSource(SAMPLE);
    await expectChange(source, () =>
      source.sessionStore.appendMessages({ tenantId: "acme", sessionId: "s1" }, [
        { role: "user", content: "more" },
      ]),
    );
  });

  it("the filesystem source", async () => {
    const dataDir = await writeDataDir(SAMPLE);
    await expectChange(filesystemSource(dataDir), () =>
      appendLines(dataDir, "acme", "s1", "trace/events.jsonl", [JSON.stringify(envelope(4))]),
    );
  });

  async function expectChange(source: InspectorDataSource, change: () => Promise<void>): Promise<void> {
    const inspector = inspect(source);
    const tags = new Map<string, string>();
    for (const path of LISTS) tags.set(path, (await inspector.ask(path)).headers.get("etag") ?? "none");
    for (const [path, tag] of tags) expect((await inspector.ask(path, ifNoneMatch(tag))).status).toBe(304);
    await change();
    for (const [path, tag] of tags) expect((await inspector.ask(path, ifNoneMatch(tag))).status).toBe(200);
  }
});
