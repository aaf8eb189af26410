/**
 * Compares `agent-inspector usage` with `ccusage`, to the token, by day (UTC), model and class of tokens.
 *
 *   node scripts/build.mjs --if-changed
 *   node scripts/compare-ccusage-days.mjs FOLDER…
 *
 * A folder holds `projects` (Claude Code, counted together) or `sessions` and `archived_sessions` (Codex, counted separately). It
 * installs both tools of `ccusage` into a temporary folder. A plain reading of the files (`ccusage/`) explains each difference, one rule
 * after the other. An unexplained rest gives exit code 1.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { claudeCodeCounts } from "./ccusage/claude-code-counts.mjs";
import { codexCounts } from "./ccusage/codex-counts.mjs";
import { DayCounts } from "./ccusage/day-counts.mjs";

/** Not `@ccusage/codex` 17.0.3, which fails on a model without a price. */
const PACKAGES = { ccusage: "17.2.1", "@ccusage/codex": "18.0.11" };

const COMMAND = path.resolve(import.meta.dirname, "../dist/src/composition/main.js");

/** Some histories have invented instants. */
const UNTIL = "2031-01-01";

/** Each rule brings the counts of ccusage closer to ours, in this order. */
const CLAUDE_CODE = [
  { why: "ccusage", rule: {} },
  {
    why: "a message in several records: the first one counts there, the one with the largest output here",
    rule: { largest: true },
  },
  {
    why: "agents that only progress records know: they count here alone",
    rule: { largest: true, progress: true },
  },
];
const CODEX = [
  { why: "ccusage", rule: {} },
  { why: "archived threads: they count here alone", rule: { archived: true } },
  {
    why: "exact records of each answer: here they count where there are any",
    rule: { archived: true, records: true },
  },
  {
    why: "reports of a call that are written twice: there each counts, here what the totals grew by",
    rule: { archived: true, records: true, totals: true },
  },
  {
    why: "what forks and sub-agents begin with copies of: there it counts again, here once",
    rule: { archived: true, records: true, totals: true, once: true },
  },
  {
    why: "calls that name no model: there they are taken for gpt-5, here they have none",
    rule: { archived: true, records: true, totals: true, once: true, unnamed: true },
  },
];

const folders = process.argv.slice(2).map((folder) => path.resolve(folder));
const claudeCode = folders.filter((folder) => existsSync(path.join(folder, "projects")));
const codex = folders.filter((folder) => !claudeCode.includes(folder));
const temporary = mkdtempSync(path.join(tmpdir(), "ccusage-"));
let unexplained = 0;
try {
  writeFileSync(path.join(temporary, "package.json"), "{}");
  const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  run("npm", ["install", "--no-audit", "--no-fund", "--silent", ...packages], { cwd: temporary });
  if (claudeCode.length > 0) {
    compare("Claude Code", {
      theirs: theirsOfClaudeCode(claudeCode),
      ours: oursOf(claudeCode.map((folder) => path.join(folder, "projects"))),
      rules: CLAUDE_CODE,
      count: (rule) => claudeCodeCounts(claudeCode, rule),
    });
  }
  for (const home of codex) {
    const name = `Codex ${path.basename(home)}`;
    const count = (rule) => codexCounts(home, rule);
    compare(name, { theirs: theirsOfCodex(home), ours: oursOf([home]), rules: CODEX, count });
  }
} finally {
  rmSync(temporary, { recursive: true });
}
process.exitCode = unexplained === 0 ? 0 : 1;

function compare(name, { theirs, ours, rules, count }) {
  const steps = rules.map(({ why, rule }) => ({ why, counts: count(rule) }));
  const keys = [
    ...new Set([theirs, ours, ...steps.map(({ counts }) => counts)].flatMap(({ rows }) => [...rows.keys()])),
  ].sort();
  const differences = keys.map((key) => {
    const from = (a, b) => b.differenceFrom(a, key);
    const parts = steps.slice(1).flatMap(({ why, counts }, i) => {
      const difference = from(steps[i].counts, counts);
      return difference === undefined ? [] : [`${why}: ${tokensText(difference)}`];
    });
    const rest = [from(theirs, steps[0].counts), from(steps.at(-1).counts, ours)].filter(Boolean);
    unexplained += rest.length;
    const all = [...parts, ...rest.map((difference) => `NOT EXPLAINED: ${tokensText(difference)}`)];
    return { key, text: all.length === 0 ? "equal" : all.join("\n    ") };
  });
  const equal = differences.filter(({ text }) => text === "equal").length;
  const lines = differences.map(
    ({ key, text }) => `  ${key.trimEnd()}: ${text === "equal" ? text : `\n    ${text}`}`,
  );
  process.stdout.write(
    `${name}: ${equal} of ${differences.length} rows of a day and a model are equal\n${lines.join("\n")}\n`,
  );
}

function tokensText(difference) {
  return Object.entries(difference)
    .map(([name, count]) => `${name} ${count > 0 ? "+" : ""}${count.toLocaleString("en")}`)
    .join(", ");
}

function theirsOfClaudeCode(folders_) {
  const counts = new DayCounts();
  const env = { CLAUDE_CONFIG_DIR: folders_.join(",") };
  const { daily } = JSON.parse(
    run(bin("ccusage"), ["daily", "--json", "--offline", "--timezone", "UTC"], { env }),
  );
  for (const { date, modelBreakdowns } of daily) {
    for (const {
      modelName,
      inputTokens,
      outputTokens,
      cacheReadTokens,
      cacheCreationTokens,
    } of modelBreakdowns) {
      const tokens = {
        input: inputTokens,
        output: outputTokens,
        cacheRead: cacheReadTokens,
        cacheWrite: cacheCreationTokens,
      };
      counts.addDay(date, modelName, tokens);
    }
  }
  return counts;
}

/** Its input includes cached tokens. */
function theirsOfCodex(home) {
  const counts = new DayCounts();
  const options = ["daily", "--json", "--offline", "--timezone", "UTC"];
  const { daily } = JSON.parse(run(bin("ccusage-codex"), options, { env: { CODEX_HOME: home } }));
  for (const { date, models } of daily) {
    const day = new Date(`${date} UTC`).toISOString().slice(0, 10);
    for (const [model, { inputTokens, cachedInputTokens: cacheRead, outputTokens: output }] of Object.entries(
      models,
    )) {
      counts.addDay(day, model, { input: inputTokens - cacheRead, output, cacheRead });
    }
  }
  return counts;
}

function oursOf(paths) {
  const usage = (...options) => {
    const args = [COMMAND, "usage", ...paths, "--zone", "UTC", "--json", ...options];
    return JSON.parse(run(process.execPath, args, { env: { XDG_CACHE_HOME: temporary } }));
  };
  const counts = new DayCounts();
  for (const { from, to, tokens } of usage("--by", "day", "--until", UNTIL).rows) {
    if (tokens === 0) continue;
    for (const { name, usage: used } of usage("--by", "model", "--since", from, "--until", to).rows) {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = used;
      const classes = {
        input: inputTokens,
        output: outputTokens,
        cacheRead: cacheReadTokens,
        cacheWrite: cacheWriteTokens,
      };
      counts.addDay(from.slice(0, 10), name, classes);
    }
  }
  return counts;
}

function bin(name) {
  return path.join(temporary, "node_modules/.bin", name);
}

function run(command, args, { cwd, env } = {}) {
  const stdio = ["ignore", "pipe", "inherit"];
  return execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio,
    maxBuffer: 2 ** 28,
  });
}
