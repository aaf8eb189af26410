import { describe, expect, it } from "vitest";
import { handMadeSource } from "../support/hand-made-source.js";
import { inspect, MOUNTS } from "../support/inspector.js";
import { SAMPLE } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const LISTS = ["trace", "orchestration", "messages"];
const BAD_LIMITS = [
  "0",
  "1001",
  "1.5",
  "x",
  "",
  "-1",
  "1e2",
  "%2B5",
  "0x10",
  "99999999999999999999",
  "%00",
  "१",
];

const BAD_IDS = [
  "..%2f",
  "%2e%2e%2f",
  "..%2F..%2Fetc%2Fpasswd",
  "a%2Fb",
  "%2Fetc",
  "a%5Cb",
  "..%5C..",
  "a..b",
  "%00",
  "a%00b",
  "%01",
  "a%0Ab",
  "a%0D%0AX-Injected:%201",
  "%7F",
  "%1b[31m",
];

// No method exists: a wrong request never reaches the source.
const untouched = handMadeSource({});

describe.each(MOUNTS)("Parameters, mounted at %s", (_, prefix) => {
  it.each(BAD_LIMITS)("refuse limit=%s", async (limit) => {
    const inspector = inspect(untouched, prefix);
    for (const path of ["/sessions", ...LISTS.map((list) => `/sessions/s1/${list}`)]) {
      const { status, body } = await inspector.ask(`${path}?limit=${limit}`);
      expect([path, status]).toStrictEqual([path, 400]);
      expect(body.detail).toBe("limit must be an integer from 1 to 1000.");
    }
    expect(inspector.failures).toStrictEqual([]);
  });

  it("are quoted so that all of it can be seen", async () => {
    const { ask } = inspect(handMadeSource({ openSession: async () => undefined }), prefix);
    const { status, body } = await ask("/sessions/a%E2%80%AEb/trace?tenantId=c%C2%9B2J");
    expect([status, body.detail]).toEqual([
      404,
      expect.stringContaining('There is no session "a\\u{202e}b" in tenant "c\\u{9b}2J".'),
    ]);
  });

  it.each(["", ...BAD_IDS, "..", "."])("refuse tenantId=%s", async (id) => {
    const inspector = inspect(untouched, prefix);
    for (const path of ["/sessions", ...LISTS.map((list) => `/sessions/s1/${list}`)]) {
      const { status, body } = await inspector.ask(`${path}?tenantId=${id}`);
      expect([path, status]).toStrictEqual([path, 400]);
      expect(body.detail).toMatch(/^tenantId must not /);
    }
  });

  it.each(BAD_IDS.filter((id) => !id.includes("%2e")))("refuse the session id %s", async (id) => {
    const inspector = inspect(untouched, prefix);
    for (const list of LISTS) {
      const { status, body } = await inspector.ask(`/sessions/${id}/${list}`);
      expect([list, status]).toStrictEqual([list, 400]);
      expect(body.detail).toMatch(/^sessionId must not /);
    }
  });

  it.each(["..", "%2e%2e", "%2e%2e%2f", ".", "%2E"])(
    "find nothing where %s steps out of a path",
    async (step) => {
      const { status, body } = await inspect(untouched, prefix).ask(`/sessions/${step}/trace`);
      expect([status, body.detail]).toStrictEqual([404, expect.stringMatching(/^There is nothing here/)]);
    },
  );

  it.each(["", "IDLE", "closed", "idle,error"])("refuse status=%s", async (value) => {
    const { status, body } = await inspect(untouched, prefix).ask(`/sessions?status=${value}`);
    expect([status, body.detail]).toStrictEqual([
      400,
      "status must be one of idle, running, waiting, error.",
    ]);
  });

  it.each(["tenantId", "userId", "status", "q", "limit", "cursor"])(
    "refuse %s that is given twice",
    async (name) => {
      const inspector = inspect(untouched, prefix);
      const hex = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
      const spellings = [name, name.slice(0, -1) + hex(name.at(-1)!), hex(name[0]!) + name.slice(1)];
      const paths = ["tenantId", "limit", "cursor"].includes(name)
        ? ["/sessions", ...LISTS.map((list) => `/sessions/s1/${list}`)]
        : ["/sessions"];
      for (const path of paths) {
        for (const first of spellings) {
          for (const second of spellings) {
            const query = `?${first}=1&x=2&${second}=1`;
            const { status, body } = await inspector.ask(path + query);
            expect([query, status, body.detail]).toStrictEqual([query, 400, `${name} must occur once.`]);
          }
        }
      }
    },
  );

  it("take 1 and 1000 as limits", async () => {
    const inspector = inspect(handMadeSource({ loadMessages: async () => [{ n: 1 }, { n: 2 }] }), prefix);
    expect((await inspector.ask("/sessions/s1/messages?limit=1")).body.messages).toHaveLength(1);
    expect((await inspector.ask("/sessions/s1/messages?limit=1000")).body.messages).toHaveLength(2);
  });

  it("pass over unknown parameters", async () => {
    const inspector = inspect(handMadeSource({ loadMessages: async () => [] }), prefix);
    expect((await inspector.ask("/sessions/s1/messages?verbose=1&limits=x&limits=y")).status).toBe(200);
  });

  it.each([
    ["s%20p%20c", "s p c"],
    ["%E4%B8%96%E7%95%8C", "世界"],
    ["100%25", "100%"],
    ["a%252Fb", "a%2Fb"],
    ["a%3Fb%23c", "a?b#c"],
    ["a.b", "a.b"],
    ["__proto__", "__proto__"],
    ["a:b@c+d", "a:b@c+d"],
  ])("reach the source decoded, once (%s)", async (encoded, id) => {
    const asked: string[] = [];
    const source = handMadeSource({
      loadMessages: async (tenantId, sessionId) => {
        asked.push(tenantId, sessionId);
        return [];
      },
    });
    const query = encoded.replaceAll("+", "%2B");
    const { status } = await inspect(source, prefix).ask(`/sessions/${encoded}/messages?tenantId=${query}`);
    expect([status, ...asked]).toStrictEqual([200, id, id]);
  });
});

describe.each(SOURCES)("Ids that lead outside, with %s", (_, create) => {
  it("give nothing away", async () => {
    const inspector = inspect(await create(SAMPLE));
    for (const query of ["tenantId=../..", "tenantId=../../..", "tenantId=/etc"]) {
      const { status, text } = await inspector.ask(`/sessions/s1/messages?${query}`);
      expect(status).toBe(400);
      expect(text).not.toMatch(/tmp|node_modules|\.ts/);
    }
  });
});
