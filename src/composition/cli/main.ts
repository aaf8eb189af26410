#!/usr/bin/env node
import { CommandLineError } from "./command-line-error.js";
import { commandLine } from "./program.js";

// A database URL may hold a password: whoever lists the machine's processes does not see the arguments.
process.title = "agent-inspector";

try {
  await commandLine().parseAsync();
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}
