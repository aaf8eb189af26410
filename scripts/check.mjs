/**
 * `npm test`: every check of the project, one after another. It goes on after a failure, so that one run tells all, and ends
 * with one line that counts.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(path.join(tmpdir(), "agent-inspector-check-"));
const report = path.join(scratch, "tests.json");

let passed = 0;
let failed = 0;
let skipped = 0;
/** @type {string[]} What failed, to be named once more at the end, where it is found. */
const failures = [];

/** @param {string} name @param {string} script @param {readonly string[]} args */
function check(name, script, args) {
  process.stdout.write(`\n── ${name}\n`);
  const { status } = spawnSync(process.execPath, [path.join(root, "node_modules", script), ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (status === 0) {
    passed += 1;
  } else {
    failed += 1;
    failures.push(name);
  }
}

check("Formatting and lint", "@biomejs/biome/bin/biome", ["ci", "--error-on-warnings", "."]);
check("Types", "typescript/bin/tsc", ["-p", "tsconfig.json"]);
check("Types of the UI", "typescript/bin/tsc", ["-p", "ui/tsconfig.json"]);
check("Types of the UI's tests", "typescript/bin/tsc", ["-p", "ui/test/tsconfig.json"]);
check("Unused code", "knip/bin/knip.js", []);
check("Tests", "vitest/vitest.mjs", [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
]);
countTests();
check("Memory and stalls (a small benchmark)", "tsx/dist/cli.mjs", ["bench/main.ts", "--small"]);
check("Damaged histories (some)", "tsx/dist/cli.mjs", ["bench/hostile/fuzz.ts", "--files", "300"]);
check("Files that change (for a moment)", "tsx/dist/cli.mjs", ["bench/hostile/races.ts", "--seconds", "2"]);
check("Package contents (publint)", "publint/src/cli.js", ["--strict"]);
check("Package types (attw)", "@arethetypeswrong/cli/dist/index.js", [
  "--pack",
  ".",
  "--profile",
  "esm-only",
  // A document, which nobody imports as a module.
  "--exclude-entrypoints",
  "./openapi.yaml",
]);

rmSync(scratch, { recursive: true, force: true });
process.stdout.write(failures.map((failure) => `\n✗ ${failure}`).join(""));
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Adds the single tests to the count; a run that left no report is counted as the failed check that it is. */
function countTests() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    passed += numPassedTests;
    failed += numFailedTests;
    skipped += numPendingTests;
    failures.push(...testResults.flatMap(failuresOfFile));
  } catch (error) {
    process.stdout.write(`The tests left no report: ${error.message}\n`);
  }
}

/**
 * The tests of a file that failed, each with the first lines of its reason; a file that could not be loaded has no tests.
 *
 * @param {{ name: string; status: string; message: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }} file
 * @returns {string[]}
 */
function failuresOfFile({ name, status, message, assertionResults }) {
  const file = path.relative(root, name);
  const tests = assertionResults.filter((test) => test.status === "failed");
  if (tests.length === 0) return status === "failed" ? [`${file}\n${firstLines(message)}`] : [];
  return tests.map(
    ({ fullName, failureMessages }) => `${file} > ${fullName}\n${firstLines(failureMessages.join("\n"))}`,
  );
}

/** @param {string} text */
function firstLines(text) {
  return text.split("\n", 12).join("\n").slice(0, 2_000);
}
