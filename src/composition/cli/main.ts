#!/usr/bin/env node
import { CommandLineError } from "./command-line-error.js";
import { commandLine } from "./program.js";

try {
  await commandLine().parseAsync();
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}
