import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { LinesExplained } from "../src/domain/changes/line-explanation.js";
import { writeProjects } from "./claude-code.js";
import { MAIN } from "./command-line.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { written } from "./generate.js";
import { Client, ServerProcess } from "./measure.js";
import type { Sizes } from "./sizes.js";

/** A renamed file in one session, with few writers. */
const FEW = "edited-by-few";

/** On the command line: with an empty cache folder, and once more. */
export async function why(folder: string, { projectsBytes, runs }: Sizes): Promise<Figure[]> {
  const projects = path.join(folder, "projects");
  await writeProjects(projects, path.join(folder, "one-copy"), projectsBytes);
  const many = mostEdited(path.join(folder, "one-copy"));
  const few = await writeFew(projects, many);
  const workspace = path.join(folder, "workspace");
  await mkdir(workspace);
  for (const [name, text] of [
    [many.name, many.text],
    [few, many.text],
    ["edited-by-none.txt", "Nobody wrote this.\n"],
  ] as const)
    await writeFile(path.join(workspace, name), text);
  await written();
  const client = new Client();
  const naive = await ServerProcess.start("naive-server", "claude-code", projects);
  await client.takeOne(`${naive.base}/sessions`);
  const samples = await repeated(runs, async () => {
    const slow = (await client.takeOne(`${naive.base}/sessions`)).ms;
    const home = mkdtempSync(path.join(folder, "home-"));
    const ask = (file: string, isWritten: boolean) => whyMs({ projects, workspace, home, file, isWritten });
    const firstOfMany = await ask(many.name, true);
    const ofMany = await ask(many.name, true);
    await ask(few, true);
    const ofFew = await ask(few, true);
    await ask("edited-by-none.txt", false);
    const ofNone = await ask("edited-by-none.txt", false);
    rmSync(home, { recursive: true });
    return {
      first: firstOfMany / slow,
      many: ofMany / slow,
      few: ofFew / slow,
      none: ofNone / slow,
      ms: ofMany,
    };
  });
  await naive.stop();
  client.stop();
  const name = `Why, in ${Math.round(projectsBytes / 1e6)} MB`;
  return [
    figure(`${name}: a file of many writers, cold ÷ naive way`, "ratio", samples.first, within(1.7, 1)),
    figure(`${name}: the same, second time ÷ naive way`, "ratio", samples.many, within(0.35, 0.15)),
    figure(`${name}: the same, second time`, "ms", samples.ms, within(2_000, 1_000)),
    figure(
      `${name}: a file of few writers, second time ÷ naive way`,
      "ratio",
      samples.few,
      within(0.25, 0.1),
    ),
    figure(`${name}: a file of none, second time ÷ naive way`, "ratio", samples.none, within(0.2, 0.1)),
  ];
}

interface Question {
  readonly projects: string;
  readonly workspace: string;
  readonly home: string;
  readonly file: string;
  readonly isWritten: boolean;
}

async function whyMs({ projects, workspace, home, file, isWritten }: Question): Promise<number> {
  const begun = performance.now();
  const args = [MAIN, "why", file, projects, "--source", "claude-code", "--json"];
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: path.join(home, ".cache") };
  const run = promisify(execFile)(process.execPath, args, { cwd: workspace, env, maxBuffer: 64e6 });
  // Exit code 1: no session wrote a line.
  const { stdout } = await run.catch((error: { readonly code?: unknown; readonly stdout: string }) => {
    if (error.code !== 1) throw error;
    return error;
  });
  const ms = performance.now() - begun;
  const { blocks } = JSON.parse(stdout) as LinesExplained;
  if (blocks.some(({ candidates }) => candidates.length > 0) !== isWritten)
    throw new Error(`${file} has other writers than expected: ${stdout.slice(0, 500)}`);
  return ms;
}

interface EditedFile {
  readonly name: string;
  readonly text: string;
  readonly history: string;
}

/** Only records that contain all of the file count. */
function mostEdited(projects: string): EditedFile {
  const files = new Map<string, EditedFile & { readonly edits: number }>();
  for (const name of readdirSync(projects, { recursive: true, encoding: "utf8" }).sort()) {
    if (!name.endsWith(".jsonl")) continue;
    const history = path.join(projects, name);
    for (const line of readFileSync(history, "utf8").split("\n")) {
      const { filePath, originalFile } = editIn(line);
      if (typeof filePath !== "string" || typeof originalFile !== "string") continue;
      const edits = (files.get(filePath)?.edits ?? 0) + 1;
      files.set(filePath, { name: path.posix.basename(filePath), text: originalFile, history, edits });
    }
  }
  const [most] = [...files.values()].sort((a, b) => b.edits - a.edits);
  if (most === undefined) throw new Error("No history edited a file.");
  return most;
}

function editIn(line: string): { readonly filePath?: unknown; readonly originalFile?: unknown } {
  try {
    const { toolUseResult } = JSON.parse(line);
    return typeof toolUseResult === "object" && toolUseResult !== null ? toolUseResult : {};
  } catch {
    return {};
  }
}

/** @returns the other name of the file */
async function writeFew(projects: string, { name, history }: EditedFile): Promise<string> {
  const renamed = `${FEW}${path.extname(name)}`;
  const text = (await readFile(history, "utf8")).replaceAll(name, renamed);
  await mkdir(path.join(projects, FEW), { recursive: true });
  const session = path.basename(history, ".jsonl");
  const target = path.join(projects, FEW, `${FEW}-${session}.jsonl`);
  await writeFile(target, text.replaceAll(session, `${FEW}-${session}`));
  return renamed;
}
