import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { smallSession } from "../../../test/mcp/support/histories.js";
import { temporaryFolder, writeSessions } from "../../../test/support/data-directory.js";

/** The command as it is installed: built before all tests. */
const MAIN = path.resolve(import.meta.dirname, "../../../dist/src/composition/cli/main.js");

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Lists in a folder, which is the user's home, too. */
function list(folder: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: folder, TZ: "UTC" };
  const child = spawn(process.execPath, [MAIN, "list", ...args], { cwd: folder, env });
  started.push(child);
  return child;
}

async function outcomeOf(child: ReturnType<typeof list>) {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { stdout, stderr, code: code as number | null };
}

async function folderWith(sessions: number): Promise<string> {
  const folder = await temporaryFolder();
  const all = Array.from({ length: sessions }, (_, i) => ({
    ...smallSession(i % 2 === 0 ? "acme" : "globex", `s${i}`),
    title: i === 0 ? "\u001b[2J evil" : `Session ${i}`,
  }));
  await writeSessions(path.join(folder, "data"), all);
  return folder;
}

type Listed = { readonly sessions: readonly { readonly sessionId: string; readonly title: string }[] };

describe("agent-inspector list", () => {
  it("prints the newest twenty as a table, and how many there are", async () => {
    const { stdout, stderr, code } = await outcomeOf(list(await folderWith(25)));
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^LAST ACTIVE +TURNS +TOKENS +ERRORS +COST +SESSION +TITLE$/);
    expect(lines[1]).toMatch(/^2026-01-15 12:0\d +1 +240 +(\d|-) .* acme\/s0 .*evil$/);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toBe("20 of 25 sessions. More with --limit; all of them with --json.\n");
  });

  it("prints every session as one JSON document, whose control characters are escaped", async () => {
    const { stdout, stderr, code } = await outcomeOf(list(await folderWith(25), "data", "--json"));
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).not.toContain("\u001b");
    const { sessions } = JSON.parse(stdout) as Listed;
    expect(sessions).toHaveLength(25);
    expect(sessions.find(({ sessionId }) => sessionId === "s0")?.title).toBe("\u001b[2J evil");
  });

  it("prints those of a tenant, and as many as are asked for", async () => {
    const folder = await folderWith(9);
    const ofTenant = await outcomeOf(list(folder, "--tenant", "globex", "--json"));
    expect((JSON.parse(ofTenant.stdout) as Listed).sessions.map(({ sessionId }) => sessionId).sort()).toEqual(
      ["s1", "s3", "s5", "s7"],
    );
    const limited = await outcomeOf(list(folder, "--limit", "3", "--json"));
    expect(JSON.parse(limited.stdout)).toMatchObject({ sessions: [{}, {}, {}], total: 9 });
    const none = await outcomeOf(list(folder, "--tenant", "nobody"));
    expect(none).toEqual({ stdout: "", stderr: "There are no sessions.\n", code: 0 });
    const noneInJson = await outcomeOf(list(folder, "--tenant", "nobody", "--json"));
    expect(JSON.parse(noneInJson.stdout)).toEqual({ sessions: [] });
  });

  it("ends quietly when nobody reads on", async () => {
    const child = list(await folderWith(25), "--json");
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([stderr, code]).toEqual(["", 0]);
  });

  it("shows no demo where there are no histories, and says what a limit is", async () => {
    const folder = await temporaryFolder();
    const { stdout, stderr, code } = await outcomeOf(list(folder, "--json"));
    expect([stdout, code]).toEqual(["", 1]);
    expect(stderr).toMatch(/^error: No histories were found\.\nLooked for:\n/);
    for (const limit of ["0", "1001", "x"]) {
      const refused = await outcomeOf(list(folder, "--limit", limit));
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining("A limit is a number from 1 to 1000."),
      ]);
    }
  });
});
