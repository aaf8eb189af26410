/**
 * `npm test`: every check of the project that fits into five minutes. It continues after a failure, prints durations, and ends with one
 * line of counts.
 *
 *   node scripts/check.mjs [--also-without-shared-data | --release | --soak]
 *
 *   --also-without-shared-data  repeats the tests that depend on ../shared/data with that data hidden.
 *   --release                   `npm run check:release`: the packed package, installed frameworks, memory and stalls.
 *   --soak                      `npm run test:soak`: floods, kills, large histories, and thousands of damaged and changing ones
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { tsImport } from "tsx/esm/api";
import { testsThatImport } from "./dependent-tests.mjs";

const FLAGS = ["--also-without-shared-data", "--release", "--soak"];
const unknown = process.argv.slice(2).find((flag) => !FLAGS.includes(flag));
if (unknown !== undefined) {
  process.stderr.write(`check.mjs has no option "${unknown}". Its options are ${FLAGS.join(", ")}.\n`);
  process.exit(1);
}

const root = path.resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(path.join(tmpdir(), "agent-inspector-check-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

const counts = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} Repeated at the end of the output. */
const failures = [];
/** @type {string[]} */
const durations = [];
/** For the project's own checks, which take half a minute beside the tests: a longer run is a fault. */
const OWN = { limitMs: 180_000 };
/**
 * For external tools. Rarely one hangs on a file while all file threads of Node.js are idle: pthread_cond_signal of glibc before 2.41 may
 * lose a wake-up (https://sourceware.org/bugzilla/show_bug.cgi?id=25847).
 */
const TOOL = { ...OWN, isBegunAgain: true };

const PROJECTS = ["unit", "integration", "postgres", "browser"];
const LOCATES_SHARED_DATA = "test/support/shared-data.ts";

const begun = performance.now();

if (process.argv.includes("--release")) await checkRelease();
else if (process.argv.includes("--soak")) await soak();
else await checkAll();

process.stdout.write(`\n${durations.join("\n")}\n`);
process.stdout.write(failures.map((failure) => `\n✗ ${failure}`).join(""));
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
process.stdout.write(
  `\n${counts.passed} passed, ${counts.failed} failed${skipped} in ${secondsSince(begun)} s\n`,
);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function checkAll() {
  // In parallel: the tests leave processors idle while they wait for a browser or a database.
  const sources = Promise.all([
    check("Formatting and lint", "@biomejs/biome/bin/biome", ["ci", "--error-on-warnings", "."], TOOL),
    // One checker: several would each parse the same declarations, and the tests need the processors.
    check(
      "Types",
      "typescript/bin/tsc",
      ["--build", "--checkers", "1", "tsconfig.json", "ui/tsconfig.json", "ui/test/tsconfig.json"],
      TOOL,
    ),
    check("Unused code", "knip/bin/knip.js", [], TOOL),
    check("Subjects of commits", "scripts/check-commits.mjs", [], OWN),
  ]);
  if (await check("Build", "scripts/build.mjs", ["--if-changed"])) {
    await Promise.all([test("Tests", PROJECTS).then(testWithoutSharedData), sources.then(checkBuilt)]);
  }
  await sources;
}

/** Only tests that import the module of the shared data. Without such data, the first run was the same. */
async function testWithoutSharedData() {
  if (!process.argv.includes("--also-without-shared-data")) return;
  const { HAS_SHARED_DATA } = await tsImport(`../${LOCATES_SHARED_DATA}`, import.meta.url);
  if (!HAS_SHARED_DATA) return;
  const files = testsThatImport(root, LOCATES_SHARED_DATA);
  if (files.length === 0)
    throw new Error(`No test imports ${LOCATES_SHARED_DATA}. Correct its path in check.mjs.`);
  await test("Tests without the shared data", PROJECTS, { env: { AGENT_INSPECTOR_SHARED: "" }, files });
}

async function checkBuilt() {
  await check("Package contents (publint)", "publint/src/cli.js", ["--strict", "--pack", "false"], TOOL);
  await check(
    "Damaged histories (some)",
    "tsx/dist/cli.mjs",
    ["bench/hostile/fuzz.ts", "--files", "10"],
    OWN,
  );
  const forAMoment = ["--seconds", "0.3", "--only", "renamed"];
  await check(
    "Files that change (for a moment)",
    "tsx/dist/cli.mjs",
    ["bench/hostile/races.ts", ...forAMoment],
    OWN,
  );
}

async function checkRelease() {
  if (!(await check("Build", "scripts/build.mjs", []))) return;
  const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const tarball = path.join(scratch, `${name}-${version}.tgz`);
  await check("Pack", "npm", ["pack", "--ignore-scripts", "--pack-destination", scratch]);
  await check("Package contents (publint)", "publint/src/cli.js", ["--strict", tarball]);
  // The last entry point is a document, not a module.
  const attw = ["--profile", "esm-only", "--exclude-entrypoints", "./openapi.yaml", "--", tarball];
  await check("Package types (attw)", "@arethetypeswrong/cli/dist/index.js", attw);
  await test("The packed package, and frameworks", ["release"], { env: { PACKED: tarball } });
  await check("Memory and stalls (a small benchmark)", "tsx/dist/cli.mjs", ["bench/main.ts", "--small"]);
}

async function soak() {
  if (!(await check("Build", "scripts/build.mjs", []))) return;
  await test("Tests", ["soak", "integration", "postgres", "browser"], { env: { SOAK: "1" } });
  await check("Damaged histories", "tsx/dist/cli.mjs", ["bench/hostile/fuzz.ts"]);
  await check("Files that change", "tsx/dist/cli.mjs", ["bench/hostile/races.ts"]);
}

/**
 * Runs a script of a package or of the project, or npm, and prints its output at its end. A run beyond its limit is reported, and
 * optionally repeated.
 * @param {string} name @param {string} script @param {readonly string[]} args
 * @param {{ readonly env?: Readonly<Record<string, string>>, readonly live?: boolean, readonly limitMs?: number, readonly isBegunAgain?:
 *   boolean }} [options]
 * @returns {Promise<boolean>} true for success
 */
async function check(name, script, args, options = {}) {
  const start = performance.now();
  const file = path.join(root, script.startsWith("scripts/") ? "" : "node_modules", script);
  const [command, ...first] = script === "npm" ? [script] : [process.execPath, file];
  let { status, printed } = await run(command, [...first, ...args], options);
  if (status === null && options.limitMs !== undefined) {
    process.stdout.write(`\n── ${name}: not ended after ${secondsSince(start)} s\n${printed}`);
    if (options.isBegunAgain) ({ status, printed } = await run(command, [...first, ...args], options));
  }
  const took = `${name}: ${secondsSince(start)} s`;
  process.stdout.write(`\n── ${took}\n${printed}`);
  durations.push(took);
  const holds = status === 0;
  counts[holds ? "passed" : "failed"] += 1;
  if (!holds) failures.push(name);
  return holds;
}

/**
 * @param {string} command @param {readonly string[]} args
 * @param {{ readonly env?: Readonly<Record<string, string>>, readonly live?: boolean, readonly limitMs?: number }} options
 * @returns {Promise<{ status: number | null, printed: string }>} `null` after a kill
 */
async function run(command, args, { env = {}, live = false, limitMs }) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", ...(live ? ["inherit", "inherit"] : ["pipe", "pipe"])],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => (printed += text));
  const status = await new Promise((resolve) => {
    child.once("close", resolve).once("error", () => resolve(1));
    // Its child processes may hold its output open forever.
    child.once("exit", (code) => code === null && resolve(null));
  });
  return { status, printed };
}

/**
 * Adds the single tests to the count; a run without a report counts as a failed check.
 * @param {string} name @param {readonly string[]} projects
 * @param {{ readonly env?: Readonly<Record<string, string>>, readonly files?: readonly string[] }} [options] Default is all files
 */
async function test(name, projects, { env, files = [] } = {}) {
  const report = path.join(scratch, `tests-${durations.length}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const named = projects.map((project) => `--project=${project}`);
  await check(name, "vitest/vitest.mjs", ["run", ...files, ...reporters, ...named], { env, live: true });
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    counts.passed += numPassedTests;
    counts.failed += numFailedTests;
    counts.skipped += numPendingTests;
    failures.push(...testResults.flatMap(failuresOfFile));
  } catch (error) {
    process.stdout.write(`The tests left no report: ${error.message}\n`);
  }
}

/**
 * A file that failed to load has no tests.
 * @param {{ name: string; status: string; message: string; assertionResults: { status: string; fullName: string; failureMessages:
 *   string[] }[] }} file
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

/** @param {number} start */
function secondsSince(start) {
  return Math.round((performance.now() - start) / 1_000);
}
