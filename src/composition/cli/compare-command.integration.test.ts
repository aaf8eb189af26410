import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionComparison } from "../../domain/analysis/session-comparison.js";

/** The command as it is installed: built before all tests. */
const MAIN = path.resolve(import.meta.dirname, "../../../dist/src/composition/cli/main.js");

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "compare-test-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs it in the test's folder, which is also where it puts temporary files, and the user's home. */
function compare(...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  const { CLAUDE_CONFIG_DIR: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: folder, TMPDIR: folder };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, "compare", ...args],
      { cwd: folder, env },
      (_error, stdout, stderr) => resolve({ stdout, stderr, code: child.exitCode ?? -1 }),
    );
  });
}

async function writeSession(tenantId: string, sessionId: string, contents: readonly string[]) {
  const session = path.join(folder, "data/tenants", tenantId, "sessions", sessionId);
  await mkdir(session, { recursive: true });
  const init = { type: "init", createdAt: 1, title: `Title of ${sessionId}` };
  await writeFile(path.join(session, "session.jsonl"), `${JSON.stringify(init)}\n`);
  const lines = contents.map((content) => `${JSON.stringify({ role: "user", content })}\n`);
  await writeFile(path.join(session, "messages.jsonl"), lines.join(""));
}

describe("agent-inspector compare", () => {
  it("prints facts side by side, and both texts where they part", async () => {
    await writeSession("t1", "good-run", ["Hello", "Mend it\nand test it"]);
    await writeSession("t2", "bad-run", ["Hello", "Mend it\nand stop", "Why?"]);
    const { stdout, stderr, code } = await compare("good", "t2/bad", "data");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("A  t1/good-run  Title of good-run\nB  t2/bad-run  Title of bad-run\n");
    expect(stdout).toMatch(/^Tool calls +0 +0$/m);
    expect(stdout).toContain(
      [
        "First difference, after 1 part that is the same: another thing is said",
        "--- A message 1, text of user",
        "+++ B message 1, text of user",
        "  Mend it",
        "- and test it",
        "+ and stop",
        "",
      ].join("\n"),
    );
    expect(stdout).toContain("In both conversations: 1 of 2 and 3 parts.");
  });

  it("says that a session does not differ from itself", async () => {
    await writeSession("t1", "s1", ["Hello"]);
    const { stdout, code } = await compare("s1", "s1", "data");
    expect(stdout).toMatch(/^Both conversations say the same\.$/m);
    expect(code).toBe(0);
  });

  it("prints the answer of the HTTP API", async () => {
    await writeSession("t1", "s1", ["Hello"]);
    await writeSession("t1", "s2", ["Hello", "\u001b[31mred"]);
    const { stdout } = await compare("s1", "s2", "data", "--json");
    expect(stdout).not.toContain("\u001b");
    const { difference } = JSON.parse(stdout) as SessionComparison;
    expect(difference).toMatchObject({ kind: "end", at: 1, sides: [null, { text: "\u001b[31mred" }] });
  });

  it("prints nothing that a terminal takes for a command", async () => {
    await writeSession("t1", "s1", ["\u001b[31mred"]);
    await writeSession("t1", "s2", ["\u202eder"]);
    const { stdout } = await compare("s1", "s2", "data");
    expect(stdout).toContain("- \ufffd[31mred\n+ \ufffdder\n");
  });

  it("takes a whole id for itself, though another one begins so", async () => {
    await writeSession("t1", "run", ["Hello"]);
    await writeSession("t1", "run-2", ["Hello"]);
    const { stdout } = await compare("run", "run-2", "data");
    expect(stdout).toContain("A  t1/run  ");
  });

  it("says how to find a session, and which ones a name may mean", async () => {
    await writeSession("t1", "run-1", ["Hello"]);
    await writeSession("t2", "run-2", ["Hello"]);
    expect(await compare("nobody", "run-1", "data")).toEqual({
      stdout: "",
      stderr: 'error: There is no session "nobody". "agent-inspector list" prints those that there are.\n',
      code: 1,
    });
    const { stderr, code } = await compare("run-1", "run", "data");
    expect(stderr).toMatch(
      /^error: "run" may be any of 2 sessions: t\d\/run-\d, t\d\/run-\d\. Name one of them\.$/m,
    );
    expect(code).toBe(1);
  });
});
