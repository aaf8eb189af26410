#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { runCommandLine } from "../adapters/cli/command-line.js";
import { COMMAND_LINE_PARTS } from "./command-line-parts.js";

// A database URL may hold a password: the process title hides the arguments from lists of the machine's processes.
process.title = "agent-inspector";

// Each thread optimizes the code that it runs often, and a command is over before most of that has paid: it takes a fifth of the processors' time.
// Here code has to run some four times as long for it.
try {
  setFlagsFromString("--interrupt-budget=600000");
} catch {
  // No engine of Node: it decides by itself.
}

const ending = await runCommandLine(process.argv.slice(2), COMMAND_LINE_PARTS, process);
if (typeof ending === "number") process.exitCode = ending;
else process.kill(process.pid, ending); // nothing listens for it any more
