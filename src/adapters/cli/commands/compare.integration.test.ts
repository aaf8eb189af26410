import { beforeEach, describe, expect, it } from "vitest";
import { homeFolder, run } from "../../../../test/support/command-line.js";
import { writeSessions } from "../../../../test/support/data-directory.js";
import type { SessionComparison } from "../../../domain/compare/session-comparison.js";

beforeEach(() => homeFolder());

async function writeSession(tenantId: string, sessionId: string, contents: readonly string[]) {
  const messages = contents.map((content) => JSON.stringify({ role: "user", content }));
  const title = `Title of ${sessionId}`;
  await writeSessions("data", [{ tenantId, sessionId, userId: "ada", title, createdAt: 1, messages }]);
}

describe("agent-inspector compare", () => {
  it("prints facts side by side, and both texts where they part", async () => {
    await writeSession("t1", "good-run", ["Hello", "Mend it\nand test it"]);
    await writeSession("t2", "bad-run", ["Hello", "Mend it\nand stop", "Why?"]);
    const { stdout, stderr, code } = await run("compare", "good", "t2/bad", "data");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("A  t1/good-run  Title of good-run\nB  t2/bad-run  Title of bad-run\n");
    expect(stdout).toMatch(/^Tool calls +0 +0$/m);
    expect(stdout).toContain(
      [
        "First divergence, after 1 equal step: different message",
        "--- A message 1, text of user",
        "+++ B message 1, text of user",
        "  Mend it",
        "- and test it",
        "+ and stop",
        "",
      ].join("\n"),
    );
    expect(stdout).toContain("Steps: 1 equal, 1 changed, 0 only in A, 1 only in B.\n");
    expect(stdout).toContain("2 divergences, the largest first, B against A:\n");
    expect(stdout).toMatch(/^ {2}2 +0 +0 +prompt Mend it and test it$/m);
  });

  it("says that a session does not differ from itself", async () => {
    await writeSession("t1", "s1", ["Hello"]);
    const { stdout, code } = await run("compare", "s1", "s1", "data");
    expect(stdout).toMatch(/^Both conversations are equal\.$/m);
    expect(code).toBe(0);
  });

  it("prints the answer of the HTTP API", async () => {
    await writeSession("t1", "s1", ["Hello"]);
    await writeSession("t1", "s2", ["Hello", "\u001b[31mred"]);
    const { stdout } = await run("compare", "s1", "s2", "data", "--json");
    expect(stdout).not.toContain("\u001b");
    const { difference } = JSON.parse(stdout) as SessionComparison;
    expect(difference).toMatchObject({ kind: "end", at: 1, sides: [null, { text: "\u001b[31mred" }] });
  });

  it("prints nothing that a terminal takes for a command", async () => {
    await writeSession("t1", "s1", ["\u001b[31mred"]);
    await writeSession("t1", "s2", ["\u202eder"]);
    const { stdout } = await run("compare", "s1", "s2", "data");
    expect(stdout).toContain("- \\u{1b}[31mred\n+ \\u{202e}der\n");
  });

  it("takes a whole id for itself, though another one begins so", async () => {
    await writeSession("t1", "run", ["Hello"]);
    await writeSession("t1", "run-2", ["Hello"]);
    const { stdout } = await run("compare", "run", "run-2", "data");
    expect(stdout).toContain("A  t1/run  ");
  });

  it("says how to find a session, and which ones a name may mean", async () => {
    await writeSession("t1", "run-1", ["Hello"]);
    await writeSession("t2", "run-2", ["Hello"]);
    expect(await run("compare", "nobody", "run-1", "data")).toEqual({
      stdout: "",
      stderr: 'error: There is no session "nobody". "agent-inspector list" prints the sessions.\n',
      code: 1,
    });
    const { stderr, code } = await run("compare", "run-1", "run", "data");
    expect(stderr).toMatch(
      /^error: "run" may be any of 2 sessions: t\d\/run-\d, t\d\/run-\d\. Name one of them\.$/m,
    );
    expect(code).toBe(2);
  });
});
