#!/usr/bin/env node
import { CommandLineError } from "./command-line-error.js";
import { commandLine } from "./program.js";

// A database URL may hold a password: the process title hides the arguments from lists of the machine's processes.
process.title = "agent-inspector";

try {
  await commandLine().parseAsync();
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = error.exitCode;
}
