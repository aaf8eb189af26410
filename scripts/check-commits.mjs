/**
 * Checks the subjects of commits: `area: what changes`, imperative, at most 72 characters. Merge commits are exempt.
 *
 *   node scripts/check-commits.mjs [--since COMMIT]
 *
 *   --since COMMIT  the last commit that is not checked. Default is the commit that introduced the rule
 *
 * It ends with 1 for a wrong subject. It ends with 0, and prints the reason, where there is no such history: in a package or a shallow clone.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");
export const FIRST = "2395802d";
const LONGEST = 72;
/** One area or several: `search`, `domain, application`, `test/http`. */
const AREAS = /^[a-z0-9][a-z0-9./-]*(?:(?:, | and | )[a-z0-9][a-z0-9./-]*)*$/;
/** Imperatives that end as a participle does. */
const IMPERATIVES = new Set(
  "bring embed exceed feed fling need ping proceed ring seed shed sing speed spring sting string swing weed wed".split(
    " ",
  ),
);

/** @param {string} subject @returns {string | undefined} the fault of a subject */
export function subjectProblem(subject) {
  if (subject.length > LONGEST) return `has ${subject.length} characters, at most ${LONGEST} are allowed`;
  const colon = subject.indexOf(": ");
  if (colon === -1) return "has no area: write `area: what changes`";
  if (!AREAS.test(subject.slice(0, colon)))
    return "has an area that is not in lower case: write `area: what changes`";
  const [verb = ""] = subject.slice(colon + 2).split(" ");
  if (!/^[a-z]/.test(verb)) return "does not begin with a verb in lower case after the colon";
  if (/(?:ed|ing)$/.test(verb) && !IMPERATIVES.has(verb)) return `is not imperative: "${verb}"`;
  if (subject.endsWith(".")) return "ends with a full stop";
  return undefined;
}

/**
 * Checks the commits of a repository.
 *
 * @param {string} folder @param {string} [since]
 * @returns {{ problems: string[], skipped?: string }} a line for each wrong subject, or the reason why nothing was checked
 */
export function checkCommits(folder, since = FIRST) {
  const git = (...args) => spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 64 << 20 });
  const top = git("rev-parse", "--show-prefix");
  if (top.error !== undefined || top.status !== 0)
    return { problems: [], skipped: "there is no git repository" };
  if (top.stdout.trim() !== "")
    return { problems: [], skipped: "the git repository around it is another one" };
  if (git("rev-parse", "--quiet", "--verify", `${since}^{commit}`).status !== 0)
    return { problems: [], skipped: `this clone has no commit ${since}` };
  const log = git("log", "--no-merges", "--format=%h %s", `${since}..HEAD`);
  if (log.status !== 0) throw new Error(`git cannot list the commits after ${since}: ${log.stderr.trim()}`);
  const problems = log.stdout.split("\n").flatMap((line) => {
    const [id = "", ...words] = line.split(" ");
    const problem = id === "" ? undefined : subjectProblem(words.join(" "));
    return problem === undefined ? [] : [`${id} "${words.join(" ")}" ${problem}`];
  });
  return { problems };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

/** @param {string[]} args */
function main(args) {
  if (args.length !== 0 && (args[0] !== "--since" || args.length !== 2)) {
    process.stderr.write("Usage: node scripts/check-commits.mjs [--since COMMIT]\n");
    process.exitCode = 2;
    return;
  }
  const { problems, skipped } = checkCommits(ROOT, args[1]);
  if (skipped !== undefined) process.stdout.write(`Skipped the subjects of commits: ${skipped}.\n`);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
