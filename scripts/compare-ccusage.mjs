/**
 * Counts of `ccusage` for each session of Claude Code, as JSON, for a comparison with the session list (by day, and with Codex:
 * `compare-ccusage-days.mjs`).
 *
 *   node scripts/compare-ccusage.mjs PROJECTS_FOLDER… > test/claude-code/golden/ccusage.json
 *
 * Each session gets its own folder and call: `ccusage` groups by folder, and counts a shared message only for the first session.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const VERSION = "17.2.1";

const counted = {};
for (const projects of process.argv.slice(2)) {
  for (const project of readdirSync(projects)) {
    const folder = path.join(projects, project);
    for (const file of readdirSync(folder)) {
      if (!file.endsWith(".jsonl") || file.startsWith("agent-")) continue;
      counted[`${project}/${file.slice(0, -".jsonl".length)}`] = countSession(folder, file);
    }
  }
}
process.stdout.write(`${JSON.stringify({ version: VERSION, sessions: counted }, undefined, 2)}\n`);

function countSession(folder, file) {
  const config = mkdtempSync(path.join(tmpdir(), "ccusage-"));
  try {
    const copy = path.join(config, "projects", "one");
    mkdirSync(copy, { recursive: true });
    cpSync(path.join(folder, file), path.join(copy, file));
    const sessionId = file.slice(0, -".jsonl".length);
    for (const other of readdirSync(folder).filter((name) => /^agent-.*\.jsonl$/.test(name))) {
      const text = readFileSync(path.join(folder, other), "utf8");
      const isOwn = text.replaceAll('"sessionId": "', '"sessionId":"').includes(`"sessionId":"${sessionId}"`);
      if (isOwn) cpSync(path.join(folder, other), path.join(copy, other));
    }
    const agents = path.join(folder, sessionId);
    if (existsSync(agents)) cpSync(agents, path.join(copy, path.basename(agents)), { recursive: true });
    const models = {};
    for (const { modelBreakdowns } of JSON.parse(ccusage(config)).sessions ?? []) {
      for (const { modelName, ...tokens } of modelBreakdowns) {
        models[modelName] ??= {};
        for (const [name, count] of Object.entries(tokens))
          models[modelName][name] = (models[modelName][name] ?? 0) + count;
      }
    }
    return models;
  } finally {
    rmSync(config, { recursive: true });
  }
}

function ccusage(config) {
  const env = { ...process.env, CLAUDE_CONFIG_DIR: config };
  const args = ["--yes", `ccusage@${VERSION}`, "session", "--json", "--offline"];
  return execFileSync("npx", args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
