import { describe, expect, it } from "vitest";
import { encodeCursor } from "../../src/application/listing/window.js";
import { keyText } from "../../src/domain/session/session-key.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { askAllPages, inspect } from "../support/inspector.js";
import { SAMPLE_CASES, sampleInspector } from "../support/sample-inspectors.js";

const TRACE = "/sessions/s1/trace?tenantId=acme";
const MESSAGES = "/sessions/s1/messages?tenantId=acme";

describe.each(SAMPLE_CASES)("Pages of $name, mounted at $mount", (sample) => {
  const shared = sampleInspector(sample);

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 1_000])(
    "of %i make up the trace, across its two sections",
    async (limit) => {
      const inspector = shared();
      const { body } = await inspector.ask(TRACE);
      expect(body.envelopes).toHaveLength(7);
      expect(await askAllPages(inspector, TRACE, "envelopes", limit)).toStrictEqual(body.envelopes);
    },
  );

  it.each([1, 2, 3, 4])("of %i make up the messages", async (limit) => {
    const inspector = shared();
    const { body } = await inspector.ask(MESSAGES);
    expect(await askAllPages(inspector, MESSAGES, "messages", limit)).toStrictEqual(body.messages);
  });

  it.each([
    [TRACE, "envelopes", 4],
    [MESSAGES, "messages", 2],
  ])("go on without a limit to the end of %s", async (path, member, limit) => {
    const inspector = shared();
    const all = (await inspector.ask(path)).body[member] as unknown[];
    const { body } = await inspector.ask(`${path}&limit=${limit}`);
    const rest = await inspector.ask(`${path}&cursor=${String(body.nextCursor)}`);
    expect(rest.body).toStrictEqual({ [member]: all.slice(limit) });
  });

  it("end with a cursor of null, also of empty lists", async () => {
    const inspector = shared();
    expect((await inspector.ask(`${TRACE}&limit=7`)).body.nextCursor).toBeNull();
    expect((await inspector.ask("/sessions/s2/trace?tenantId=acme&limit=1")).body).toStrictEqual({
      envelopes: [],
      nextCursor: null,
    });
    expect((await inspector.ask("/sessions/s2/messages?tenantId=acme&limit=1")).body).toStrictEqual({
      messages: [],
      nextCursor: null,
    });
  });

  it("take no cursor of another list", async () => {
    const inspector = shared();
    const cursors: unknown[] = [];
    const lists = ["/sessions?x=", TRACE, MESSAGES];
    for (const path of lists) cursors.push((await inspector.ask(`${path}&limit=1`)).body.nextCursor);
    for (const [i, path] of lists.entries()) {
      for (const [j, cursor] of cursors.entries()) {
        const { status } = await inspector.ask(`${path}&cursor=${String(cursor)}`);
        expect([path, j, status]).toStrictEqual([path, j, i === j ? 200 : 400]);
      }
    }
  });

  it("take no cursor of another session", async () => {
    const inspector = shared();
    for (const path of [TRACE, MESSAGES]) {
      const cursor = String((await inspector.ask(`${path}&limit=1`)).body.nextCursor);
      const elsewhere = [path.replace("acme", "beta"), path.replace("s1", "s2")];
      for (const other of elsewhere) {
        const { status, body } = await inspector.ask(`${other}&cursor=${cursor}`);
        expect([status, body.detail]).toStrictEqual([400, expect.stringMatching(/^cursor /)]);
      }
    }
  });

  it.each(["", "x", "null", "AAAA", "1", "%00", "cjE", "W10", "🌍"])(
    "take no forged cursor (%j)",
    async (cursor) => {
      const inspector = shared();
      for (const path of ["/sessions?x=", TRACE, MESSAGES]) {
        const { status, body } = await inspector.ask(`${path}&cursor=${cursor}`);
        expect([status, body.detail]).toStrictEqual([400, expect.stringMatching(/^cursor /)]);
      }
    },
  );

  it.each([
    `["a""b""c"]`,
    `["a","b","c",]`,
    `["a","b"]`,
    `["a","b","c","d"]`,
    `["a","b",3]`,
    `["a","b","\\x"]`,
    `["a","b","\\u12"]`,
    `["a","b","\n"]`,
    `["a","b","c"] `,
    "r1e3",
    "-1",
    `${"9".repeat(16)}`,
  ])("take no forged place (%j), whatever its checksum", async (place) => {
    const inspector = shared();
    for (const [path, list] of [
      ["/sessions?x=", "sessions"],
      [TRACE, keyText({ tenantId: "acme", sessionId: "s1" }, "trace")],
      [MESSAGES, keyText({ tenantId: "acme", sessionId: "s1" }, "messages", undefined)],
    ] as const) {
      const { status, body } = await inspector.ask(`${path}&cursor=${encodeCursor(list, place)}`);
      expect([status, body.detail]).toStrictEqual([400, expect.stringMatching(/^cursor /)]);
    }
    expect(inspector.failures).toStrictEqual([]);
  });

  it("take a place that no session has", async () => {
    const inspector = shared();
    for (const place of [`["","",""]`, `["\\u0000","\\ud800","\\"\\\\"]`, `["z","../..","s1"]`]) {
      const { status } = await inspector.ask(`/sessions?limit=1&cursor=${encodeCursor("sessions", place)}`);
      expect([place, status]).toStrictEqual([place, 200]);
    }
  });

  it("take no cursor that was changed", async () => {
    const inspector = shared();
    for (const path of ["/sessions?x=", TRACE, MESSAGES]) {
      const cursor = String((await inspector.ask(`${path}&limit=1`)).body.nextCursor);
      for (const changed of [`${cursor}A`, cursor.slice(1), cursor.slice(0, -1), cursor.toUpperCase()]) {
        expect((await inspector.ask(`${path}&cursor=${changed}`)).status).toBe(400);
      }
    }
  });
});

describe("Cursors", () => {
  it("distinguish lists whose ids hold spaces", async () => {
    const messages = async () => [{ n: 1 }, { n: 2 }];
    const inspector = inspect(handMadeSource({ loadMessages: messages }));
    const { body } = await inspector.ask("/sessions/c/messages?tenantId=a%20b&limit=1");
    const { status } = await inspector.ask(
      `/sessions/b%20c/messages?tenantId=a&cursor=${String(body.nextCursor)}`,
    );
    expect(status).toBe(400);
  });
});
