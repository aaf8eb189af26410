import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { homeFolder } from "../../../test/support/command-line.js";
import { writeSessions } from "../../../test/support/data-directory.js";
import { sized } from "../../../test/support/soak.js";

const MAIN = path.resolve(import.meta.dirname, "../../../dist/src/composition/main.js");

/** Both are listened for in one place; a process takes a second to begin. */
const SIGNALS = sized(["SIGTERM"] as const, ["SIGINT", "SIGTERM"] as const);

const started: ChildProcess[] = [];
let folder: string;

beforeEach(async () => {
  folder = await homeFolder();
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args]);
  started.push(child);
  return { child, exit: once(child, "exit"), stderr: text(child.stderr) };
}

async function writeMessages(): Promise<void> {
  const messages = Array.from({ length: 20_000 }, (_, i) =>
    JSON.stringify({ role: "user", content: `needle ${i}` }),
  );
  await writeSessions("data", [
    { tenantId: "t1", sessionId: "s1", userId: "ada", createdAt: 1, title: "x".repeat(200_000), messages },
  ]);
}

describe("The process of agent-inspector", () => {
  it.each(SIGNALS)(
    "shows the page, and on %s ends cleanly and leaves nothing behind, also with a connection open",
    async (signal) => {
      const { child, exit } = start("demo", "--port", "0");
      const [line] = await once(child.stdout, "data");
      const address = /^Showing the demo: (http:\S+)\n$/.exec(String(line))![1]!;
      const page = await fetch(address);
      expect(await page.text()).toContain('<meta name="inspector-api" content="./__inspector" />');
      expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      child.kill(signal);
      expect(await exit).toEqual([0, null]);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it("ends with 2 and a line where its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { exit, stderr } = start("demo", "--port", String(port));
    expect(await exit).toEqual([2, null]);
    other.close();
    // On a slow machine a progress line precedes it.
    expect((await stderr).split("\n").slice(-2)).toEqual([
      `error: Port ${port} is taken on 127.0.0.1. Name another with --port, or let --port 0 pick a free one.`,
      "",
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("ends with 2 and a stack for an unexpected error", async () => {
    vi.stubEnv("TMPDIR", path.join(folder, "gone"));
    const { exit, stderr } = start("demo", "--port", "0");
    expect(await exit).toEqual([2, null]);
    expect(await stderr).toMatch(/ENOENT.*\n +at /);
  });

  it.each(SIGNALS)("ends a search by %s, and leaves nothing behind", async (signal) => {
    await writeMessages();
    const { child, exit } = start("search", "needle", "data", "--session", "s1"); // there is much to print
    await once(child.stdout, "data");
    child.stdout.pause(); // what is printed is not read any more: it waits
    child.kill(signal);
    expect(await exit).toEqual([null, signal]);
    expect(await readdir(folder)).toEqual([".cache", "data"]);
  });
});
