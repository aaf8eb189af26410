#!/usr/bin/env node
import { createWriteStream } from "node:fs";
import { Socket } from "node:net";
import { inspect } from "node:util";
import { runCommandLine } from "../adapters/cli/command-line.js";
import { FAILED, type Terminal } from "../adapters/cli/text/terminal.js";
import { COMMAND_LINE_PARTS } from "./command-line-parts.js";

// A database URL may hold a password: the process title hides the arguments from lists of the machine's processes.
process.title = "agent-inspector";

const terminal: Terminal = {
  // Node writes a file in one call, and drops without an error what did not fit on the disk. Terminals and pipes are sockets.
  stdout:
    process.stdout instanceof Socket ? process.stdout : createWriteStream("", { fd: 1, autoClose: false }),
  stderr: process.stderr,
  get stdin() {
    return process.stdin;
  },
  once: (signal, listener) => process.once(signal, listener),
};

const ending = await runCommandLine(process.argv.slice(2), COMMAND_LINE_PARTS, terminal).catch(
  (error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    return FAILED;
  },
);
if (typeof ending === "number") process.exitCode = ending;
else process.kill(process.pid, ending);
