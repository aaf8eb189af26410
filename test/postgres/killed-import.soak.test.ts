import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { createPostgresDataSource } from "../../src/postgres.js";
import { assistantRecord, lines, newProjects, userRecord } from "../claude-code/support/projects.js";
import { PROJECT_ROOT } from "../support/build.js";
import { startServer } from "../support/postgres-server.js";

const MAIN = path.join(PROJECT_ROOT, "dist/src/composition/main.js");

const SESSIONS = 120;
const TURNS = 60;
/** Kills for the original histories, and as many after their growth. */
const RUNS = 8;

const said = (session: number, from: number, to: number) =>
  lines(
    ...Array.from({ length: to - from }, (_, i) => {
      const n = session * 100_000 + 2 * (from + i);
      const answer = [{ type: "text", text: `Answer ${n} `.repeat(100) }];
      return [
        userRecord(n + 1, n % 1_000, `Question ${n}`),
        assistantRecord(n + 2, n % 1_000, `m${n}`, answer),
      ];
    }).flat(),
  );

it("An import that is killed again and again shows no half of a session, and comes to its end", async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const connectionString = await server.createMigratedDatabase();
  const names = Array.from({ length: SESSIONS }, (_, i) => `p/s${i}.jsonl`);
  const root = await newProjects(Object.fromEntries(names.map((name, i) => [name, said(i, 0, TURNS)])));
  const options = [
    "--source",
    "claude-code",
    "--machine",
    "m",
    "--database-url",
    connectionString,
    "--import",
    "--no-cache",
  ];
  const source = createClaudeCodeDataSource(root);
  const copy = createPostgresDataSource({ connectionString });
  onTestFinished(async () => {
    await source.close?.();
    await copy.close?.();
  });
  const counts = async () => [
    (await source.loadTraceEnvelopes("p", "s0")).length,
    (await source.loadMessages("p", "s0")).length,
  ];
  const start = () => spawn(process.execPath, [MAIN, root, ...options], { stdio: "ignore" });
  const whole = { before: await counts(), after: [0, 0] };

  const written = async () =>
    (await server.run("SELECT count(*), sum(revision) FROM agent_inspector.sessions", connectionString))[0];
  const stored = () => {
    const rowsOf = (table: string) =>
      `(SELECT count(*)::int FROM agent_inspector.${table} AS r WHERE r.tenant_id = s.tenant_id AND r.session_id = s.session_id)`;
    return server.run(
      `SELECT ${rowsOf("trace_envelopes")} AS trace, ${rowsOf("messages")} AS messages FROM agent_inspector.sessions AS s`,
      connectionString,
    );
  };
  let kills = 0;
  const runUntilKilled = async () => {
    const before = await written();
    const child = start();
    const ended = once(child, "close").then(() => true);
    const hasEnded = () => Promise.race([ended, wait(20).then(() => false)]);
    while (!(await hasEnded()) && JSON.stringify(await written()) === JSON.stringify(before));
    // Each kill comes at another moment of the import.
    const isDone = await Promise.race([ended, wait(Math.random() * 300).then(() => false)]);
    child.kill("SIGKILL");
    await ended;
    if (!isDone) kills++;
    for (const { trace, messages } of await stored()) {
      expect([whole.before, whole.after]).toContainEqual([trace, messages]);
    }
  };
  for (let run = 0; run < RUNS; run++) await runUntilKilled();
  for (const [i, name] of names.entries())
    await appendFile(path.join(root, name), said(i, TURNS, TURNS + 20));
  whole.after = await counts();
  for (let run = 0; run < RUNS; run++) await runUntilKilled();
  expect(kills).toBeGreaterThan(RUNS / 2);
  const last = start();
  expect(await once(last, "close")).toEqual([0, null]);
  for (let i = 0; i < SESSIONS; i++) {
    const stored = await copy.loadMessages("m:claude-code:p", `s${i}`);
    expect(stored).toEqual(await source.loadMessages("p", `s${i}`));
    const byId = (id: string) => copy.loadTraceEnvelopes("m:claude-code:p", id);
    const ids = (await byId(`s${i}`)).map((envelope) => envelope.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.sort()).toEqual((await source.loadTraceEnvelopes("p", `s${i}`)).map(({ id }) => id).sort());
  }
});
