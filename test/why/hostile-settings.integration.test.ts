import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { workspaceFiles } from "../../src/adapters/workspace/workspace-files.js";
import { temporaryFolder } from "../support/data-directory.js";
import { sized } from "../support/soak.js";
import { createRepository, FILE, git, Marks, SECOND, SUMMARIES } from "./support/hostile-repository.js";
import {
  documentedSettings,
  PROGRAM_SETTINGS,
  READ_SETTINGS,
  SWITCHES,
  settingsText,
  WRITTEN_SETTINGS,
} from "./support/hostile-settings.js";

const NAME = "evil";

/** With these, git would use each driver of the settings. */
const ATTRIBUTES = `* diff=${NAME} filter=${NAME} merge=${NAME} ident text eol=crlf\n`;

const CHANGED = `${SECOND}export const days = 7;\n`;

async function summariesOf(folder: string) {
  const files = workspaceFiles(folder);
  const now = await files.read(FILE);
  const committed = await files.read(FILE, { commit: "HEAD" });
  const summaries = [now, committed].map(({ workspace }) =>
    workspace.commits.map((line) => line?.commit.summary),
  );
  return { summaries, problems: [now.problem, committed.problem], versions: now.workspace.versions.length };
}

const ANSWERED = {
  summaries: [[...SUMMARIES, "not committed yet"], SUMMARIES],
  problems: [undefined, undefined],
  versions: 2,
};

const fromNames = (names: readonly string[], valueFor: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [name, valueFor(name)]));

async function hostileRepository(marks: Marks, settings: Readonly<Record<string, string>>): Promise<string> {
  const folder = await createRepository(await temporaryFolder());
  const gitFolder = path.join(folder, ".git");
  const text = settingsText({ ...settings, ...SWITCHES }, NAME);
  await writeFile(path.join(gitFolder, "included"), text);
  await writeFile(path.join(gitFolder, "config.worktree"), text);
  const including = { "include.path": "included", "includeIf.gitdir:**.path": "included" };
  const first = settingsText({ "core.repositoryFormatVersion": "1", ...including }, NAME);
  await writeFile(path.join(gitFolder, "config"), first + text);
  await writeFile(path.join(folder, ".gitattributes"), ATTRIBUTES);
  await writeFile(path.join(gitFolder, "info/attributes"), ATTRIBUTES);
  const update = { "submodule.*.update": `!${marks.program("submodule.update")}` };
  await writeFile(path.join(folder, ".gitmodules"), settingsText(update, NAME));
  await writeFile(path.join(folder, FILE), CHANGED);
  const hooks = path.join(gitFolder, "hooks");
  for (const sample of await readdir(hooks)) {
    const hook = path.join(hooks, sample.replace(".sample", ""));
    await writeFile(hook, `#!/bin/sh\n${marks.program(`hook-${sample}`)}\n`);
    await chmod(hook, 0o755);
  }
  return folder;
}

it("runs no program that a setting, an attribute or a hook of the repository names", async () => {
  const marks = await Marks.create();
  const settings = fromNames(PROGRAM_SETTINGS, (name) => marks.program(name));
  const answer = await summariesOf(await hostileRepository(marks, settings));
  expect(await marks.names()).toEqual([]);
  expect(answer).toEqual(ANSWERED);
});

it("reads and writes no file that a setting of the repository names", async () => {
  const marks = await Marks.create();
  const trap = path.join(await temporaryFolder(), "trap");
  // To open a pipe without a writer blocks: git would hang and be killed.
  execFileSync("mkfifo", [trap]);
  const settings = {
    ...fromNames(READ_SETTINGS, () => trap),
    ...fromNames(WRITTEN_SETTINGS, (name) => path.join(marks.folder, name)),
  };
  const answer = await summariesOf(await hostileRepository(marks, settings));
  expect(await marks.names()).toEqual([]);
  expect(answer).toEqual(ANSWERED);
});

// Each alone, because one setting may hide the effect of another.
it("runs no program of each single setting", { timeout: 120_000 }, async () => {
  const marks = await Marks.create();
  const names = PROGRAM_SETTINGS.filter((name) => sized(/^(?:diff|filter)\./, /./).test(name));
  const answers: unknown[] = [];
  for (const name of names) {
    const folder = await hostileRepository(marks, { [name]: marks.program(name) });
    answers.push(await summariesOf(folder));
  }
  expect(await marks.names()).toEqual([]);
  expect(answers).toEqual(names.map(() => ANSWERED));
});

it("answers about a repository in which every setting that git documents is a command line", async () => {
  const marks = await Marks.create();
  const folder = await createRepository(await temporaryFolder());
  const settings = fromNames(documentedSettings(), (name) => marks.program(name));
  expect(Object.keys(settings).length).toBeGreaterThan(500);
  await writeFile(path.join(folder, ".git/config"), settingsText(settings, NAME));
  await writeFile(path.join(folder, ".gitattributes"), ATTRIBUTES);
  await writeFile(path.join(folder, FILE), CHANGED);
  expect(await summariesOf(folder)).toEqual(ANSWERED);
  expect(await marks.names()).toEqual([]);
});

it.each([
  ["a program as fsmonitor", { "core.fsmonitor": "PROGRAM" }],
  ["a missing file of commits to ignore", { "blame.ignoreRevsFile": "missing" }],
  ["a file of commits to ignore that lists none", { "blame.ignoreRevsFile": "config" }],
  ["a number that is none", { "core.abbrev": "none" }],
  ["an extension that no git has", { "core.repositoryFormatVersion": "1", "extensions.none": "true" }],
  ["a later format", { "core.repositoryFormatVersion": "99" }],
  ["an object format that no git has", { "extensions.objectFormat": "md5" }],
  ["a bare work tree", { "core.bare": "true" }],
  ["another work tree", { "core.worktree": "/" }],
  ["another algorithm", { "diff.algorithm": "none", "diff.renames": "none" }],
])("answers about a repository with %s", async (_name, settings) => {
  const marks = await Marks.create();
  const folder = await createRepository(await temporaryFolder());
  await writeFile(path.join(folder, FILE), CHANGED);
  const values = Object.entries(settings).map(([key, value]) => [
    key,
    value === "PROGRAM" ? marks.program(key) : value,
  ]);
  await writeFile(path.join(folder, ".git/config"), settingsText(Object.fromEntries(values), NAME));
  expect(await summariesOf(folder)).toEqual(ANSWERED);
  expect(await marks.names()).toEqual([]);
});

it("fetches no object that a partial clone lacks, and says that some are missing", async () => {
  const marks = await Marks.create();
  const folder = await createRepository(await temporaryFolder());
  const settings = {
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "protocol.ext.allow": "always",
    "remote.origin.promisor": "true",
    "remote.origin.url": `ext::${marks.program("ext")}`,
  };
  await writeFile(path.join(folder, ".git/config"), settingsText(settings, NAME));
  const first = await git(folder, "rev-parse", `HEAD~1:${FILE}`);
  await rm(path.join(folder, ".git/objects", first.slice(0, 2), first.slice(2)));
  const { problem, workspace } = await workspaceFiles(folder).read(FILE);
  expect([problem, workspace.commits, workspace.versions.length]).toEqual(["damaged", [], 1]);
  expect(await marks.names()).toEqual([]);
});

it("follows no variable of git's that leads to another repository, another program or another file", async () => {
  const marks = await Marks.create();
  const folder = await createRepository(await temporaryFolder());
  await writeFile(path.join(folder, FILE), CHANGED);
  const other = await createRepository(await temporaryFolder());
  const variables = {
    GIT_DIR: path.join(other, ".git"),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: path.join(other, ".git/index"),
    GIT_COMMON_DIR: path.join(other, ".git"),
    GIT_NAMESPACE: "other",
    GIT_OBJECT_DIRECTORY: path.join(other, ".git/objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(other, ".git/objects"),
    GIT_CEILING_DIRECTORIES: folder,
    GIT_CONFIG: "/dev/zero",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: marks.program("variable"),
    GIT_CONFIG_PARAMETERS: "'core.bare=none'",
    GIT_EXEC_PATH: marks.folder,
    GIT_EXTERNAL_DIFF: marks.program("external"),
    GIT_PAGER: marks.program("pager"),
    GIT_SHALLOW_FILE: "none",
    GIT_TRACE: path.join(marks.folder, "trace"),
    GIT_TRACE2: path.join(marks.folder, "trace2"),
    GIT_TRACE2_EVENT: path.join(marks.folder, "event"),
    GIT_TRACE_SETUP: path.join(marks.folder, "setup"),
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    expect(await summariesOf(folder)).toEqual(ANSWERED);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await marks.names()).toEqual([]);
});

it("uses none of the user's own settings, and works where they trust nobody", async () => {
  const marks = await Marks.create();
  const home = await temporaryFolder();
  const folder = await createRepository(await temporaryFolder());
  await writeFile(path.join(folder, FILE), CHANGED);
  const settings = { ...fromNames(PROGRAM_SETTINGS, (name) => marks.program(name)), "safe.directory": "" };
  await writeFile(path.join(home, ".gitconfig"), settingsText(settings, NAME));
  await mkdir(path.join(home, "git"));
  await writeFile(path.join(home, "git/attributes"), ATTRIBUTES);
  for (const name of ["HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, home);
  try {
    expect(await summariesOf(folder)).toEqual(ANSWERED);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await marks.names()).toEqual([]);
});

it("leaves the repository as it was, and no file behind", async () => {
  const temporary = await temporaryFolder();
  const folder = await createRepository(await temporaryFolder());
  const stateOf = async () => {
    const names = (await readdir(folder, { recursive: true })).sort();
    return [names, await readFile(path.join(folder, ".git/index"), "latin1")];
  };
  const before = await stateOf();
  vi.stubEnv("TMPDIR", temporary);
  try {
    expect(await summariesOf(folder)).toMatchObject({ summaries: [SUMMARIES, SUMMARIES] });
    await expect(workspaceFiles(folder).read("none.ts")).rejects.toThrow("is not there");
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await stateOf()).toEqual(before);
  expect(await readdir(temporary)).toEqual([]);
});
