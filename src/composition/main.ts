#!/usr/bin/env node
import { runCommandLine } from "../adapters/cli/command-line.js";
import { COMMAND_LINE_PARTS } from "./command-line-parts.js";

// A database URL may hold a password: the process title hides the arguments from lists of the machine's processes.
process.title = "agent-inspector";

const ending = await runCommandLine(process.argv.slice(2), COMMAND_LINE_PARTS, process);
if (typeof ending === "number") process.exitCode = ending;
else process.kill(process.pid, ending); // nothing listens for it any more
