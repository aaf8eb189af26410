import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { homeFolder, run } from "../../../../test/support/command-line.js";
import { writeSessions } from "../../../../test/support/data-directory.js";
import { REPOSITORY_PROBLEMS } from "../../../application/ports/workspace-files.js";
import type { LinesExplained } from "../../../domain/changes/line-explanation.js";

const git = (...args: readonly string[]) =>
  promisify(execFile)("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args]);

const CONTENT = "export const secondsOfDay = 86400;\nexport const escape = '\u001b[31m';\n";

/** A session that wrote `src/time.ts`, read from the folder that the command is called in. */
async function writeHistory(): Promise<void> {
  const input = { file_path: "/home/ada/shop/src/time.ts", content: CONTENT };
  const events = [
    { type: "llm.start", callId: "c1", model: "m" },
    { type: "llm.end", callId: "c1" },
    { type: "tool.start", toolCallId: "w1", toolName: "Write", input },
    { type: "tool.end", toolCallId: "w1", output: "Done." },
  ];
  const key = { tenantId: "acme", sessionId: "s1", traceId: "t", source: "runtime" };
  const envelopes = events.map((event, sequence) =>
    JSON.stringify({
      ...{ id: `e${sequence}`, timestamp: `2026-11-01T09:00:0${sequence}.000Z`, sequence },
      ...{ ...key, event },
    }),
  );
  const messages = [
    { role: "user", content: "I need secondsOfDay." },
    { role: "assistant", content: [{ type: "tool_use", id: "w1", name: "Write", input }] },
  ].map((message) => JSON.stringify(message));
  await writeSessions("data", [
    { tenantId: "acme", sessionId: "s1", userId: "ada", title: "Time", createdAt: 1, envelopes, messages },
  ]);
}

beforeEach(async () => {
  await homeFolder();
  await writeHistory();
  await mkdir("shop/src", { recursive: true });
  await writeFile("shop/src/time.ts", `// by hand\n${CONTENT}`);
});

describe("agent-inspector why", () => {
  it("prints who wrote a line, what the model saw and why, without a repository", async () => {
    const { stdout, stderr, code } = await run("why", "shop/src/time.ts:2", "data");
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toContain("2  export const secondsOfDay = 86400;\n");
    expect(stdout).toContain("  written   2026-11-01 09:00 by Write, step 2\n");
    expect(stdout).toContain("message 0, a prompt of the user, was the first with secondsOfDay\n");
    expect(stdout).toContain("#/s/acme/s1/trace?event=e2\n");
    expect(stdout).not.toContain("commit");
  });

  it("prints every run of lines, and nothing that a terminal takes for a command", async () => {
    const { stdout, code } = await run("why", "shop/src/time.ts", "data");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "  [1] 2 lines by 1 edit of acme/s1  Time\n      1 line that no session wrote\n",
    );
    expect(stdout).not.toContain("\u001b");
    const escaped = await run("why", "shop/src/time.ts:3", "data");
    expect(escaped.stdout).toContain("escape = '\\u{1b}[31m'");
    const byHand = await run("why", "shop/src/time.ts:1", "data", "--json");
    expect(byHand.code).toBe(1);
    expect((JSON.parse(byHand.stdout) as LinesExplained).blocks).toMatchObject([{ candidates: [] }]);
  });

  it("says which commit a line comes from, and reads the file of another one", async () => {
    process.chdir("shop");
    await git("init", "--quiet");
    await git("add", ".");
    await git("commit", "--quiet", "-m", "Time of day");
    await writeFile("src/time.ts", "export const nothing = 0;\n");
    const now = await run("why", "src/time.ts:1", "../data");
    expect(now.stdout).toContain("  commit    not committed yet\n");
    const before = await run("why", "src/time.ts:2", "../data", "--commit", "HEAD");
    expect(before.stdout).toMatch(/^ {2}commit {4}[0-9a-f]{10} .* Ada: Time of day$/m);
    expect(before.stdout).toContain("by Write, step 2\n");
    process.chdir("..");
  });

  it("says on standard error why a repository gave no commits, and explains the lines all the same", async () => {
    process.chdir("shop");
    await git("init", "--quiet");
    await git("add", ".");
    await git("commit", "--quiet", "-m", "Time of day");
    await writeFile(".git/objects/info/alternates", "/elsewhere/objects\n");
    const { stdout, stderr, code } = await run("why", "src/time.ts:2", "../data");
    expect([stderr, code]).toEqual([`${REPOSITORY_PROBLEMS.outside}\n`, 0]);
    expect(stdout).toContain("by Write, step 2\n");
    expect(stdout).not.toContain("commit");
    process.chdir("..");
  });

  it("refuses what lies elsewhere, is no text, is not there or is no revision, in a line", async () => {
    await writeFile("secret.txt", "none\n");
    await writeFile("shop/image.png", Buffer.from([137, 80, 0, 1]));
    await symlink(path.resolve("secret.txt"), "shop/link.txt");
    process.chdir("shop");
    await git("init", "--quiet");
    const refusals: readonly (readonly [string, readonly string[]])[] = [
      ["../secret.txt lies outside", ["../secret.txt"]],
      ["link.txt lies outside", ["link.txt"]],
      [".git/config lies outside", [".git/config"]],
      ["image.png is no text", ["image.png"]],
      ["src is no file", ["src"]],
      ["none.ts is not there", ["none.ts:3"]],
      ["which has 3", ["src/time.ts:9"]],
      ["--output=x is no commit", ["src/time.ts", "--commit=--output=x"]],
      ["nope is no commit", ["src/time.ts", "--commit", "nope"]],
    ];
    for (const [problem, args] of refusals) {
      const { stderr, stdout, code } = await run("why", ...args, "../data");
      expect([stderr, stdout, code]).toEqual([expect.stringContaining(problem), "", 2]);
    }
    process.chdir("..");
  });
});
