import { EventEmitter } from "node:events";
import { chmod, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { homeFolder, PARTS, TextOutput } from "../../../../test/support/command-line.js";
import { temporaryFolder } from "../../../../test/support/data-directory.js";
import { type ShowOptions, welcome } from "./show.js";

it.skipIf(process.platform !== "linux")(
  "opens a browser by the program of the system, not by one in the current folder (Linux)",
  async () => {
    const current = await homeFolder();
    const [system, marks] = [await temporaryFolder(), await temporaryFolder()];
    for (const folder of [current, system]) {
      const mark = path.join(marks, folder === system ? "system" : "current");
      await writeFile(path.join(folder, "xdg-open"), `#!/bin/sh\n: > ${mark}\n`);
      await chmod(path.join(folder, "xdg-open"), 0o755);
    }
    vi.stubEnv("PATH", ["", ".", system, process.env.PATH].join(path.delimiter));
    vi.stubEnv("CI", undefined);
    const stdout = Object.assign(new TextOutput(), { isTTY: true });
    const terminal = Object.assign(new EventEmitter(), { stdout, stderr: new TextOutput() });
    const context = {
      parts: PARTS,
      terminal,
      end: () => undefined,
      outputEnded: new AbortController().signal,
    };
    welcome(context, "http://127.0.0.1:1/", { host: "127.0.0.1", open: true } as ShowOptions);
    await expect.poll(() => readdir(marks)).toEqual(["system"]);
  },
);
