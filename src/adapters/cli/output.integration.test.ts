import { execFile, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { smallSession, writeHistories } from "../../../test/mcp/support/histories.js";
import { homeFolder, runOnto, startWith, TextOutput } from "../../../test/support/command-line.js";
import { writeSessions } from "../../../test/support/data-directory.js";
import type { COMMAND_LINE_PARTS } from "../../composition/command-line-parts.js";

/** The command as it is installed: built before all tests. */
const MAIN = path.resolve(import.meta.dirname, "../../../dist/src/composition/main.js");

let home: string;
beforeEach(async () => {
  home = await homeFolder();
});

/** Each with what it ends with where its output is written. */
const PRINTING: readonly (readonly [ending: number, ...args: readonly string[]])[] = [
  [0, "--help"],
  [0, "help", "list"],
  [0, "--version"],
  [0, "list", "data"],
  [0, "list", "data", "--json"],
  [1, "list", "data", "--filter", "model:none", "--json"],
  [0, "search", "apples", "data"],
  [0, "search", "apples", "data", "--json"],
  [0, "search", "apples", "data", "--session", "s1"],
  [0, "summary", "s1", "data"],
  [0, "compare", "s1", "s2", "data", "--json"],
  [0, "usage", "data", "--json"],
  [1, "usage", "data", "--filter", "model:none"],
  [0, "sources", "data"],
  [1, "why", "apples.txt", "data"],
  [1, "export", "s1", "data", "--findings", "--json"],
  [0, "export", "s1", "data", "-o", "-", "--no-redact"],
  [0, "export", "s1", "data", "-o", "s1.html", "--no-redact"],
  [0, "keep", "data", "--to", "kept"],
  [0, "cache"],
  [0, "cache", "clear"],
];

/** Standard output that takes some writes, and then fails with this code of the system. */
function failingOutput(code: string, writes: number): TextOutput {
  const output = new TextOutput();
  let count = 0;
  output._write = (_chunk, _encoding, done) => {
    done(count++ < writes ? null : Object.assign(new Error(`${code}: write`), { code, syscall: "write" }));
  };
  return output;
}

async function writeReadable(): Promise<void> {
  await writeHistories(home);
  await writeFile("apples.txt", "3 apples\n");
  const mail = JSON.stringify({ role: "user", content: "Mail ada@shop.test." });
  await writeSessions("data", [{ ...smallSession("globex", "mail"), messages: [mail] }]);
}

describe("A command whose output cannot be written", () => {
  it("ends with 2, and states why", async () => {
    await writeReadable();
    for (const [, ...args] of PRINTING) {
      const { code, stderr } = await runOnto(failingOutput("ENOSPC", 0), ...args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain("error: The output cannot be written (ENOSPC).\n");
    }
  });

  it("ends so where it serves, too", async () => {
    await writeReadable();
    for (const args of [["data"], ["demo"], ["collect", "--ui-port", "0", "--data", "spans"]]) {
      const { code, stderr } = await runOnto(failingOutput("ENOSPC", 0), ...args, "--port", "0");
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toBe("error: The output cannot be written (ENOSPC).\n");
    }
  });

  it("ends so where it can write a part of it", async () => {
    await writeSessions("data", [smallSession("acme", "s1"), smallSession("acme", "s2")]);
    for (const args of [
      ["list", "data", "--json"],
      ["search", "apples", "data", "--session", "s1"],
      ["export", "s1", "data", "-o", "-", "--no-redact"],
    ]) {
      const { code, stderr } = await runOnto(failingOutput("EIO", 1), ...args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain("error: The output cannot be written (EIO).\n");
    }
  });
});

it("a command whose reader is gone ends quietly, with the usual code", async () => {
  await writeReadable();
  for (const [ending, ...args] of PRINTING) {
    const forced = args.includes("s1.html") ? ["--force"] : [];
    const { code, stderr } = await runOnto(failingOutput("EPIPE", args.length % 2), ...args, ...forced);
    expect([args, code]).toEqual([args, ending]);
    expect(stderr).not.toContain("error");
  }
});

/** Runs the command by a shell, in which `$MAIN` is the command. */
function shell(script: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = { ...process.env, MAIN: `${process.execPath} ${MAIN}` };
  return new Promise((resolve) => {
    execFile("bash", ["-c", script], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe.skipIf(process.platform !== "linux")("The process (on Linux)", () => {
  it("ends with an error on a full device, and quietly on a pipe that is closed", async () => {
    await writeReadable();
    const full = await shell("$MAIN list data --json > /dev/full");
    expect([full.code, full.stderr]).toEqual([2, "error: The output cannot be written (ENOSPC).\n"]);
    const piped = await shell('$MAIN list data | head -1; echo "$PIPESTATUS"');
    expect([piped.stdout.split("\n").slice(1), piped.stderr]).toEqual([["0", ""], ""]);
    expect((await shell("$MAIN sumary 2> /dev/full")).code).toBe(2);
  });

  // A limit of the size of files acts as a disk that becomes full: a write takes what fits, the next one fails.
  it("ends with an error where a file takes only a part of the output", async () => {
    await writeHistories(home, 12);
    const limited = (command: string) => shell(`trap '' XFSZ; ulimit -f 1; ${command}`);
    const exported = await limited("$MAIN export s1 data -o s1.html --no-redact --no-cache");
    expect([exported.code, exported.stderr]).toEqual([2, 'error: "s1.html" cannot be written (EFBIG).\n']);
    expect(await readdir(".")).not.toContain("s1.html");
    const kept = await limited("$MAIN keep data --to kept");
    expect(kept.code).toBe(2);
    expect(kept.stdout + kept.stderr).toContain("EFBIG");
    expect(kept.stderr).not.toContain("    at ");
  });
});

describe("Ctrl-C", () => {
  /** Signals a process once its output or its server says that it works. */
  async function interrupted(args: readonly string[], working: (child: ReturnType<typeof spawn>) => unknown) {
    const child = spawn(process.execPath, [MAIN, ...args]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    await working(child);
    child.kill("SIGINT");
    return { exit: await once(child, "exit"), stdout: await stdout, stderr: await stderr };
  }

  it("ends an import that waits for its database, by the signal", async () => {
    await writeReadable();
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const url = `postgres://ada@127.0.0.1:${(silent.address() as { port: number }).port}/agents`;
    const { exit, stderr } = await interrupted(["data", "--database-url", url, "--import"], () =>
      once(silent, "connection"),
    );
    // A slow machine prints progress before.
    expect([exit, stderr]).toEqual([
      [null, "SIGINT"],
      expect.stringMatching(/^(Reading .*\n)*Stopped\. Repeat the command to continue from here\.\n$/),
    ]);
  });

  it("ends a command within a moment, also where its work does not end", async () => {
    await writeReadable();
    const toDatabase = ["data", "--import", "--database-url", "postgres://h/d"];
    const rows: readonly [name: keyof typeof COMMAND_LINE_PARTS, args: readonly string[]][] = [
      ["keep", ["keep", "data", "--to", "kept"]],
      ["importSessions", toDatabase],
      ["combine", toDatabase],
      ["useCases", ["search", "apples", "data"]],
      ["useCases", ["export", "s1", "data", "-o", "a.jsonl", "--no-redact"]],
    ];
    const commands = rows.map(([name, args]) => {
      const work = new EventEmitter();
      const begun = once(work, "begun");
      const endless = () => {
        work.emit("begun");
        return new Promise<never>(() => undefined);
      };
      return { begun, ...startWith({ [name]: endless }, ...args) };
    });
    for (const { begun, stop } of commands) {
      await begun;
      stop("SIGINT");
    }
    const endings = await Promise.all(commands.map(({ ended }) => ended));
    expect(endings).toEqual(rows.map(() => "SIGINT"));
  });
});
