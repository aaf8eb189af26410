import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { envelopeText, NOON } from "../contract/fixture.js";
import { PROJECT_ROOT } from "../support/build.js";
import { homeFolder, run, start } from "../support/command-line.js";
import { temporaryFolder, writeSessions } from "../support/data-directory.js";
import { startServer, type TestServer } from "../support/postgres-server.js";

const MAIN = path.join(PROJECT_ROOT, "dist/src/composition/main.js");

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

beforeEach(() => homeFolder());

async function writeHistories(): Promise<string> {
  const dataDir = await temporaryFolder();
  const session = { tenantId: "acme", sessionId: "s1", userId: "ada", createdAt: NOON };
  await writeSessions(dataDir, [{ ...session, envelopes: [envelopeText(0, { type: "x" })] }]);
  return dataDir;
}

describe("agent-inspector with a database", () => {
  it("makes the tables, copies a folder, and shows the histories", async () => {
    const url = await server.createDatabase();
    const folder = await writeHistories();
    expect(await run("migrate", "--database-url", url)).toEqual({
      stdout: "The schema was version 0 and is version 1 now.\n",
      stderr: "",
      code: 0,
    });
    expect((await run("migrate", "--database-url", url)).stdout).toBe("The schema is version 1 already.\n");
    const imported = await run(folder, "--database-url", url, "--import");
    expect(imported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Imported 1 session: 1 new record,/),
    });
    expect(imported.stderr).toContain("1 of 1 sessions, 1 records");
    expect((await run(folder, "--database-url", url, "--import")).stdout).toContain("0 new records");

    const shown = start("--database-url", url, "--port", "0");
    const [address] = await shown.addresses();
    expect(shown.stdout.text).toBe(`Showing the database: ${address}\n`);
    const answer = await fetch(`${address}__inspector/sessions/s1/trace?tenantId=acme`);
    expect(await answer.json()).toMatchObject({ envelopes: [{ id: "t1-0" }] });
    shown.stop();
    expect(await shown.ended).toBe(0);
  }, 60_000);

  it("hides the password in lists of the machine's processes", async () => {
    const url = await server.createDatabase();
    await run("migrate", "--database-url", url);
    const child = spawn(process.execPath, [MAIN, "--database-url", url, "--port", "0"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const title = await readFile(`/proc/${child.pid}/cmdline`, "utf8").catch(() => "agent-inspector");
    expect(title).toContain("agent-inspector");
    expect(title).not.toContain(new URL(url).password);
  }, 60_000);

  it("names the command where the tables are missing", async () => {
    const { stderr, code } = await run("--database-url", await server.createDatabase(), "--port", "0");
    expect({ stderr, code }).toEqual({
      stderr:
        "error: The database has no agent-inspector schema. Run: agent-inspector migrate --database-url URL\n",
      code: 2,
    });
  });

  it("says in one line why the database cannot be used and what to do, and shows no secret", async () => {
    const refused = "postgres://u:secret@127.0.0.1:1/d";
    const named = (change: Partial<URL>) => Object.assign(new URL(server.url), change).href;
    const failures = [
      [refused, ["--port", "0"], "whether the server runs"],
      [refused, ["--import", await writeHistories()], "whether the server runs"],
      [refused, ["migrate"], "whether the server runs"],
      [named({ username: "secret" }), ["migrate"], "no such role, or the password is wrong"],
      [named({ password: "secret" }), ["list"], "no such role, or the password is wrong"],
      [named({ pathname: "/secret" }), ["migrate"], "no such database"],
    ] as const;
    for (const [url, args, advice] of failures) {
      const { stdout, stderr, code } = await run("--database-url", url, ...args);
      expect(code).toBe(2);
      expect(stdout + stderr).toMatch(/^error: .+\n$/);
      expect(stderr).toContain(advice);
      expect(stderr).not.toContain("secret");
    }
  }, 60_000);

  it.each([
    [["./data", "--database-url", "postgres://u:secret@h/d"], "add --import"],
    [["--import"], "Name one folder"],
    [["migrate"], "required option '--database-url <url>' not specified"],
    [["--database-url", "secret"], "is no PostgreSQL URL"],
  ])("refuses %j in one line", async (args, problem) => {
    const { stderr, code } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("secret");
  });

  it("ends with an error where a session was not copied", async () => {
    const url = await server.createDatabase();
    await run("migrate", "--database-url", url);
    const folder = await writeHistories();
    await run(folder, "--database-url", url, "--import");
    await server.run("UPDATE agent_inspector.sessions SET revision = revision + 1", url);
    const { stderr, code } = await run(folder, "--database-url", url, "--import");
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Session "s1" of tenant "acme" was written to in the database by something else than an import.',
    );
    expect(stderr).toContain("error: 1 session could not be imported.");
  }, 60_000);
});
