import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../support/data-directory.js";

const WHO = { NAME: "Ada", EMAIL: "ada@example.org", DATE: "2026-11-01T09:00:00Z" };

/** Without protection, as in a folder that the user trusts. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const roles = Object.entries(WHO).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  const env = { ...process.env, ...Object.fromEntries(roles), GIT_CONFIG_GLOBAL: "/dev/null" };
  const { stdout } = await promisify(execFile)("git", args, {
    cwd: folder,
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim();
}

export const FILE = "src/time.ts";
const FIRST = "export const seconds = 60;\nexport const minutes = 60;\n";
export const SECOND = `${FIRST}export const hours = 24;\n`;

export const SUMMARIES = ["first", "first", "second"];

export async function createRepository(folder: string, ...options: readonly string[]): Promise<string> {
  const key = options.join(" ");
  templates[key] ??= readTemplate(options);
  const template = templates[key];
  for (const [name, bytes] of await template) {
    const file = path.join(folder, name);
    if (bytes === undefined) await mkdir(file, { recursive: true });
    else await writeFile(file, bytes);
  }
  return folder;
}

/** By the options of `git init`: git takes a second to make a repository. */
const templates: { [options: string]: Promise<Template> } = {};

/** Each folder comes before its files. */
type Template = readonly (readonly [name: string, bytes: Buffer | undefined])[];

async function readTemplate(options: readonly string[]): Promise<Template> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, path.dirname(FILE)), { recursive: true });
  await git(folder, "init", "--quiet", "--initial-branch=main", ...options);
  for (const [text, summary] of [
    [FIRST, "first"],
    [SECOND, "second"],
  ] as const) {
    await writeFile(path.join(folder, FILE), text);
    await git(folder, "add", "--all");
    await git(folder, "commit", "--quiet", "--message", summary);
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const bytes = entry.isDirectory() ? undefined : await readFile(file);
    return [path.relative(folder, file), bytes] as const;
  });
  return [["", undefined], ...(await Promise.all(files)).sort(([a], [b]) => a.length - b.length)];
}

/** Each program of a repository that runs leaves a file here. */
export class Marks {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Marks> {
    return new Marks(await temporaryFolder());
  }

  /** Leaves a mark and passes its input on, with any arguments. */
  program(name: string): string {
    return `sh -c 'touch ${path.join(this.folder, name.replace(/\W/g, "-"))}; cat' --`;
  }

  names(): Promise<string[]> {
    return readdir(this.folder);
  }
}
