import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import { createPostgresDataSource } from "../../src/postgres.js";
import { assistantRecord, lines, newProjects, userRecord } from "../claude-code/support/projects.js";
import { homeFolder, run, start } from "../support/command-line.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

beforeEach(() => homeFolder());

const said = (n: number) => [
  userRecord(2 * n + 1, 2 * n, `Question ${n}`),
  assistantRecord(2 * n + 2, 2 * n + 1, `m${n}`, [{ type: "text", text: `Answer ${n}` }]),
];

function stored(): InspectorDataSource {
  const source = createPostgresDataSource({ connectionString: database.connectionString });
  onTestFinished(() => source.close?.());
  return source;
}

const WAITING = { timeout: 30_000, interval: 200 };

const messagesIn = async (source: InspectorDataSource, tenantId: string) =>
  (await source.loadMessages(tenantId, "s")).length;

async function cuttableWay(target: URL) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(() => void (server.listening && cut()));
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, cut, mend: () => listen(port) };
}

describe("agent-inspector PATH --import --watch", () => {
  it("goes on as histories grow, also while the database was away, until it is stopped", async () => {
    const root = await newProjects({ "p/s.jsonl": lines(...said(0)) });
    const way = await cuttableWay(new URL(database.connectionString));
    const options = [
      "--database-url",
      way.url,
      "--import",
      "--watch",
      "--machine",
      "laptop",
      "--no-cache",
      "--source",
      "claude-code",
    ];
    const command = start(root, ...options);
    const source = stored();
    const tenant = "laptop:claude-code:p";
    await expect.poll(() => command.stdout.text, WAITING).toContain("Going on as they grow.");
    expect(command.stdout.text).toMatch(/^Imported 1 session: \d+ new records, [\d.]+ k?B\.\n/);
    expect(await messagesIn(source, tenant)).toBe(2);

    await appendFile(path.join(root, "p/s.jsonl"), lines(...said(1)));
    await expect.poll(() => messagesIn(source, tenant), WAITING).toBe(4);
    await expect.poll(() => command.stdout.text).toMatch(/^\d\d:\d\d:\d\d {2}\d+ new records/m);

    await way.cut();
    await appendFile(path.join(root, "p/s.jsonl"), lines(...said(2)));
    await expect.poll(() => command.stderr.text, WAITING).toContain("Waiting for it.");
    await way.mend();
    await expect.poll(() => messagesIn(source, tenant), WAITING).toBe(6);
    expect(command.stderr.text.match(/Waiting for it\./g)).toHaveLength(1);

    command.stop("SIGINT");
    expect(await command.ended).toBe(0);
    expect(command.stdout.text.trimEnd().split("\n").at(-1)).toBe(
      "Stopped. Repeat the command to continue from here.",
    );
  }, 120_000);

  it("names the machine in the tenants of a tool's histories: as it is said, else as the host", async () => {
    const root = await newProjects({ "p/s.jsonl": lines(...said(0)) });
    const into = [
      "--database-url",
      database.connectionString,
      "--import",
      "--no-cache",
      "--source",
      "claude-code",
    ];
    expect(await run(root, ...into)).toMatchObject({ code: 0 });
    expect((await run(root, ...into, "--machine", "desk-2")).code).toBe(0);
    const host = hostname()
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, "-")
      .replaceAll(/^-|-$/g, "");
    const tenants = (await stored().listSessions()).map(({ tenantId }) => tenantId);
    expect(tenants.sort()).toEqual([`${host}:claude-code:p`, "desk-2:claude-code:p"].sort());
  });

  it.each([
    [["data", "--watch"], "--watch goes with --import"],
    [["data", "--machine", "a"], "--machine goes with --import"],
    [
      ["data", "--database-url", "postgres://h/d", "--import", "--machine", "My Mac"],
      '"My Mac" is no name of a machine',
    ],
  ])("refuses %j in one line", async (args, problem) => {
    const { stderr, code } = await run(...args);
    expect([code, stderr.trimEnd().split("\n")]).toEqual([2, [expect.stringContaining(problem)]]);
  });
});
