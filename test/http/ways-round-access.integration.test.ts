import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { envelope, epochAt, orchestrationEvent } from "../support/sample.js";
import { sized } from "../support/soak.js";
import { writeDataDir } from "../support/sources.js";
import { type Loot, type Way, waysRound } from "../support/ways-round-access.js";

/** Every record of tenant b has it, and no request does. */
const SECRET = "BELONGS-TO-B";

const sessionOf = (tenantId: string, sessionId: string, mark: string, createdAt: number) => ({
  tenantId,
  sessionId,
  userId: mark,
  title: mark,
  createdAt,
  envelopes: [0, 1].map((n) => envelope(n, { tenantId, sessionId, event: { type: "tool.start", mark } })),
  orchestrationEvents: [orchestrationEvent(1, { type: "agent_spawned", agent: { id: mark, role: mark } })],
  messages: [
    { role: "user", content: mark },
    { role: "assistant", content: mark },
  ],
});

const SESSIONS = [
  sessionOf("a", "sa", "belongs to a", epochAt(10)),
  sessionOf("b", "sb", SECRET, epochAt(20)),
  sessionOf("b", SECRET, SECRET, epochAt(30)),
  sessionOf("a", "sa2", "belongs to a", epochAt(40)),
];

const LISTS = ["/sessions", ...["messages", "trace", "orchestration"].map((list) => `/sessions/sb/${list}`)];

interface Started {
  readonly port: number;
  readonly hono: string;
  end(): Promise<void>;
}

async function startServer(imports: readonly string[]): Promise<Started> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
  const arguments_ = [...imports, "test/support/guarded-server.mjs", await writeDataDir(SESSIONS, dataDir)];
  const server = spawn(process.execPath, arguments_, {
    cwd: PROJECT_ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const end = async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
    await rm(dataDir, { recursive: true });
  };
  for await (const line of createInterface(server.stdout)) return { ...JSON.parse(line), end };
  throw new Error("The server did not start");
}

/** A raw socket, because `fetch` would normalize the address. */
async function ask(port: number, { method, target, headers }: Way, token?: string): Promise<string> {
  const own = token === undefined ? [] : [["Authorization", `Bearer ${token}`]];
  const lines = [["Host", "localhost"], ...own, ...headers, ["Connection", "close"]];
  const socket = createConnection(port, "127.0.0.1").setEncoding("latin1");
  socket.write(
    `${method} ${target} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n`,
  );
  return text(socket);
}

const get = (target: string): Way => ({ method: "GET", target, headers: [] });
const statusOf = (answer: string) => Number(answer.split(" ", 2)[1]);

/** A 304 confirms that the caller may see the entity tag's content; `*` matches anything that it may see. */
const confirms = (answer: string, { headers }: Way) =>
  statusOf(answer) === 304 && headers.every(([, value]) => value !== "*");

/** Tenant b may hand these on. */
async function lootOf(port: number, base: string): Promise<Loot> {
  const etags = new Set<string>();
  const cursors = new Set<string>();
  for (const list of LISTS) {
    const answer = await ask(port, get(`${base}${list}?tenantId=b&limit=1`), "b");
    for (const [, etag = ""] of answer.matchAll(/^etag: (.*)\r$/gim)) etags.add(etag);
    for (const [, cursor = ""] of answer.matchAll(/"nextCursor":"([^"]+)"/g)) cursors.add(cursor);
  }
  return { etags: [...etags], cursors: [...cursors] };
}

async function tryAll(
  port: number,
  ways: readonly Way[],
  token: string | undefined,
  look: (answer: string, way: Way) => void,
): Promise<void> {
  const rest = ways.values();
  const askOn = async () => {
    for (const way of rest) look(await ask(port, way, token), way);
  };
  await Promise.all(Array.from({ length: 8 }, askOn));
}

/** Each day every third way, from another first one for each caller; a soak tries all. */
function someOf(ways: readonly Way[], from: number): readonly Way[] {
  return ways.filter((_, i) => (i + from) % sized(3, 1) === 0);
}

const manifest = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8"));
const OLDEST = manifest.peerDependencies.hono.replace("^", "");

const HONOS: readonly (readonly [age: string, version: string, imports: readonly string[]])[] = [
  ["newest", manifest.devDependencies.hono, []],
  ["oldest", OLDEST, ["--import", "./test/support/oldest-hono.mjs"]],
];

describe.each(HONOS.slice(0, sized(1, 2)))("On the %s hono, %s", (_, version, imports) => {
  let server: Started;
  // The tests only read it, so one is enough.
  beforeAll(async () => {
    server = await startServer(imports);
  });
  afterAll(() => server.end());

  it.each([
    ["createAgentApp", "/__inspector", ["a", "query", "nobody", undefined]],
    ["a source with five methods", "/five/__inspector", ["a"]],
    ["a source whose search and revision know no tenants", "/careless/__inspector", ["a"]],
  ])("no way leads round the access of %s", { timeout: 180_000 }, async (_name, base, tokens) => {
    const { port, hono } = server;
    expect(hono).toBe(version);
    const loot = await lootOf(port, base);
    expect([loot.etags.length > 0, loot.cursors.length]).toStrictEqual([true, 3]);
    const ways = waysRound(base, loot);
    expect(ways.length).toBeGreaterThan(200);

    // The other sources share the routes and the access with the first one.
    const tried = base === "/__inspector" ? ways : someOf(ways, 0);
    let seen = 0;
    await tryAll(port, tried, "b", (answer) => {
      if (answer.includes(SECRET)) seen += 1;
    });
    expect(seen).toBeGreaterThan((80 * tried.length) / ways.length); // for b itself, only the ways with the literal path

    for (const [i, token] of tokens.entries()) {
      const through: unknown[] = [];
      await tryAll(port, i === 0 ? tried : someOf(ways, i), token, (answer, way) => {
        const isFailure = statusOf(answer) >= 500 && statusOf(answer) !== 501;
        if (answer.includes(SECRET) || confirms(answer, way) || isFailure) through.push([way, answer]);
      });
      expect([token, through]).toStrictEqual([token, []]);
    }
    expect(await ask(port, get(`${base}/sessions/sa/messages?tenantId=a`), "a")).toContain("belongs to a");
  });

  it("no way leads round a scope that is put around the source", async () => {
    const { port } = server;
    const base = "/scoped/__inspector";
    const ways = someOf(waysRound(base, await lootOf(port, "/careless/__inspector")), 1);
    const through: unknown[] = [];
    await tryAll(port, ways, undefined, (answer, way) => {
      if (answer.includes(SECRET) || statusOf(answer) >= 500) through.push([way, answer]);
    });
    expect(through).toStrictEqual([]);
    expect(await ask(port, get(`${base}/sessions`))).toContain("belongs to a");
  });
});
