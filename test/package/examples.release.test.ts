import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";
import { packedInto } from "../support/installed.js";
import { freePort, snippetIn } from "../support/snippets.js";

const ENV = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
const STRICT = [
  "--strict",
  "--noEmit",
  "--skipLibCheck",
  "--target",
  "es2023",
  "--module",
  "nodenext",
  "--types",
  "node",
];

/** Follows the README of an example with the packed package, up to the last line. */
async function copied(name: string): Promise<{ readonly folder: string; readonly last: string }> {
  const readme = readFileSync(path.join(PROJECT_ROOT, "examples", name, "README.md"), "utf8");
  const folder = await temporaryFolder();
  const packed = process.env.PACKED ?? packedInto(folder);
  writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  const lines = snippetIn(readme, "copy.sh").trim().split("\n");
  const last = lines.pop() ?? "";
  const install = lines
    .join("\n")
    .replace("install agent-inspector", `install --no-audit --no-fund ${packed}`);
  execFileSync("sh", ["-ec", install], { cwd: folder, env: ENV, stdio: "pipe" });
  execFileSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "typescript@7.0.2", "@types/node@20.19.43", "vitest@4.1.12"],
    {
      cwd: folder,
      env: ENV,
      stdio: "pipe",
    },
  );
  execFileSync("sh", ["-ec", `npx tsc ${STRICT.join(" ")} ${name}/*.ts`], {
    cwd: folder,
    env: ENV,
    stdio: "pipe",
  });
  return { folder, last };
}

describe("an example that is copied out of the package", () => {
  it.each(["sqlite-store", "unit-tests", "custom-format"])(
    "compiles, and passes its tests: %s",
    { timeout: 300_000 },
    async (name) => {
      const { folder, last } = await copied(name);
      const printed = execFileSync("sh", ["-ec", last], { cwd: folder, env: ENV, encoding: "utf8" });
      expect(printed).toMatch(/Tests .*\d+ passed/);
      expect(printed).not.toMatch(/failed/);
    },
  );

  it("compiles, and records a chat: agent-app", { timeout: 300_000 }, async () => {
    const { folder, last } = await copied("agent-app");
    const port = await freePort();
    const app = spawn("sh", ["-c", `exec ${last}`], {
      cwd: folder,
      env: { ...ENV, PORT: String(port) },
      // `npx` starts other processes, which end with their group.
      detached: true,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = once(app, "exit");
    onTestFinished(async () => {
      process.kill(-app.pid!);
      await ended;
    });
    const base = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => fetch(`${base}/__inspector/health`), { timeout: 60_000, interval: 100 });
    await fetch(`${base}/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ sessionId: "first", message: "Read app.ts" }),
    });
    const list = await (await fetch(`${base}/__inspector/sessions`)).json();
    expect(list).toMatchObject({ sessions: [{ sessionId: "first", title: "Read app.ts" }] });
  });
});
