import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { workspaceFiles } from "../../src/adapters/workspace/workspace-files.js";
import { REPOSITORY_PROBLEMS } from "../../src/application/ports/workspace-files.js";
import { temporaryFolder } from "../support/data-directory.js";
import { createRepository, FILE, git, SECOND, SUMMARIES } from "./support/hostile-repository.js";

async function answerOf(folder: string, file = FILE, commit?: string) {
  const { problem, text, workspace } = await workspaceFiles(folder).read(file, { commit });
  return {
    problem,
    text,
    summaries: workspace.commits.map((line) => line?.commit.summary),
    versions: workspace.versions.length,
  };
}

const CHANGED = `${SECOND}export const days = 7;\n`;

const ANSWERED = { problem: undefined, text: SECOND, summaries: SUMMARIES, versions: 2 };
const OUTSIDE = { problem: "outside", text: SECOND, summaries: [], versions: 0 };

/** A stranger's repository, beside a private one with the same file, whose commits must stay secret. */
async function strangersFolder() {
  const base = await temporaryFolder();
  const secret = await createRepository(path.join(base, "secret"));
  await writeFile(path.join(secret, "secret.txt"), "none of your business\n");
  return { base, secret, folder: await createRepository(path.join(base, "stranger")) };
}

describe("a folder of git that leads to another repository is not read", () => {
  it.each<[string, (gitFolder: string, secret: string) => Promise<unknown>]>([
    [
      "a file named .git",
      async (gitFolder, secret) => {
        await rm(gitFolder, { recursive: true });
        await writeFile(gitFolder, `gitdir: ${secret}\n`);
      },
    ],
    [
      "a link named .git",
      async (gitFolder, secret) => {
        await rm(gitFolder, { recursive: true });
        await symlink(secret, gitFolder);
      },
    ],
    [
      "a folder that all work trees share",
      (gitFolder, secret) => writeFile(path.join(gitFolder, "commondir"), secret),
    ],
    [
      "a work tree that the other repository does not list",
      async (gitFolder, secret) => {
        await mkdir(path.join(gitFolder, "worktrees/one"), { recursive: true });
        await rename(path.join(gitFolder, "HEAD"), path.join(gitFolder, "worktrees/one/HEAD"));
        await writeFile(path.join(gitFolder, "worktrees/one/commondir"), secret);
        await writeFile(path.join(gitFolder, "worktrees/one/gitdir"), path.join(gitFolder, "../.git"));
        await rename(gitFolder, `${gitFolder}-folder`);
        await writeFile(gitFolder, `gitdir: ${gitFolder}-folder/worktrees/one`);
      },
    ],
    [
      "alternates",
      (gitFolder, secret) =>
        writeFile(path.join(gitFolder, "objects/info/alternates"), path.join(secret, "objects")),
    ],
    [
      "alternates that begin with a long comment",
      (gitFolder, secret) =>
        writeFile(
          path.join(gitFolder, "objects/info/alternates"),
          `${"# none\n".repeat(10_000)}${path.join(secret, "objects")}`,
        ),
    ],
    [
      "a link in place of the objects",
      async (gitFolder, secret) => {
        await rm(path.join(gitFolder, "objects"), { recursive: true });
        await symlink(path.join(secret, "objects"), path.join(gitFolder, "objects"));
      },
    ],
    [
      "a link to one pack",
      async (gitFolder, secret) => {
        await git(path.join(secret, ".."), "gc", "--quiet");
        await symlink(path.join(secret, "objects/pack"), path.join(gitFolder, "objects/pack/more"));
      },
    ],
    [
      "a link in place of the references",
      async (gitFolder, secret) => {
        await rm(path.join(gitFolder, "refs"), { recursive: true });
        await symlink(path.join(secret, "refs"), path.join(gitFolder, "refs"));
      },
    ],
    [
      "a link to one reference",
      async (gitFolder, secret) => {
        await rm(path.join(gitFolder, "refs/heads/main"));
        await symlink(path.join(secret, "refs/heads/main"), path.join(gitFolder, "refs/heads/main"));
      },
    ],
    [
      "a pipe that nobody writes to",
      async (gitFolder) => execFileSync("mkfifo", [path.join(gitFolder, "refs/heads/other")]),
    ],
  ])("by %s", async (_name, change) => {
    const { secret, folder } = await strangersFolder();
    await change(path.join(folder, ".git"), path.join(secret, ".git"));
    expect(await answerOf(folder)).toEqual(OUTSIDE);
    await expect(answerOf(folder, FILE, "main")).rejects.toThrow(
      `main cannot be read. ${REPOSITORY_PROBLEMS.outside}`,
    );
  });

  it.each([
    ["HEAD", "HEAD"],
    ["packed references", "packed-refs"],
    ["a shallow history", "shallow"],
    ["the index", "index"],
  ])("by a link in place of %s", async (_name, file) => {
    const { secret, folder } = await strangersFolder();
    const at = path.join(folder, ".git", file);
    await rm(at, { force: true });
    await writeFile(path.join(secret, ".git", file), "ref: refs/heads/other\n");
    await symlink(path.join(secret, ".git", file), at);
    const { text, summaries } = await answerOf(folder);
    expect([text, summaries]).toEqual([SECOND, file === "HEAD" ? [] : SUMMARIES]);
  });
});

describe("a file that lies elsewhere is refused", () => {
  const REFUSED = "lies outside of this folder and its repository.";

  it.each<[string, string, (folder: string, base: string) => Promise<unknown>]>([
    [
      "below a work tree that the settings name",
      "../secret/secret.txt",
      (folder) => git(folder, "config", "core.worktree", "/"),
    ],
    [
      "by a link",
      "link/secret.txt",
      (folder, base) => symlink(path.join(base, "secret"), path.join(folder, "link")),
    ],
    ["by a path that leads out and in again", "../secret/secret.txt", async () => undefined],
    ["in the folder of git", ".git/config", async () => undefined],
    [
      "in the folder of git of a repository inside",
      "inner/.git/config",
      (folder) => createRepository(path.join(folder, "inner")),
    ],
    [
      "in a folder of git that is written otherwise",
      "inner/.GIT/config",
      async (folder) => {
        await mkdir(path.join(folder, "inner/.GIT"), { recursive: true });
        await writeFile(path.join(folder, "inner/.GIT/config"), "");
      },
    ],
  ])("%s", async (_name, file, change) => {
    const { base, folder } = await strangersFolder();
    await change(folder, base);
    await expect(answerOf(folder, file)).rejects.toThrow(`${file} ${REFUSED}`);
    await expect(answerOf(folder, path.resolve(folder, file))).rejects.toThrow(REFUSED);
  });

  it("from a bare repository inside a folder, whose work tree is the disk", async () => {
    const { base, folder } = await strangersFolder();
    const bare = path.join(folder, "bare");
    await cp(path.join(folder, ".git"), bare, { recursive: true });
    await git(bare, "config", "core.worktree", base);
    await rm(path.join(folder, ".git"), { recursive: true });
    await expect(answerOf(bare, "../../secret/secret.txt")).rejects.toThrow(REFUSED);
    await expect(answerOf(bare, `../${FILE}`)).rejects.toThrow(REFUSED);
    expect(await answerOf(folder)).toEqual({ ...OUTSIDE, problem: undefined });
    await expect(answerOf(folder, FILE, "HEAD")).rejects.toThrow("there is no git repository here.");
  });

  it("beside the folder, unless the last commit of its repository has it", async () => {
    const { folder } = await strangersFolder();
    await mkdir(path.join(folder, "inner"));
    await writeFile(path.join(folder, ".env"), "KEY=1\n");
    const inner = path.join(folder, "inner");
    expect(await answerOf(inner, `../${FILE}`)).toEqual(ANSWERED);
    await expect(answerOf(inner, "../.env")).rejects.toThrow("the last commit does not have it");
    await git(folder, "add", "--force", ".env");
    await expect(answerOf(inner, "../.env")).rejects.toThrow("the last commit does not have it");
    expect((await answerOf(folder, ".env")).text).toBe("KEY=1\n");
  });

  it("that is a pipe or a device", async () => {
    const { folder } = await strangersFolder();
    execFileSync("mkfifo", [path.join(folder, "pipe")]);
    await symlink("/dev/zero", path.join(folder, "zero"));
    await expect(answerOf(folder, "pipe")).rejects.toThrow("is no file.");
    await expect(answerOf(folder, "zero")).rejects.toThrow(REFUSED);
  });
});

describe("a repository is asked", () => {
  it("in a work tree that git added, and in one beside a bare repository", async () => {
    const base = await temporaryFolder();
    const folder = await createRepository(path.join(base, "main"));
    const added = path.join(base, "added");
    await git(folder, "worktree", "add", "--quiet", "-b", "other", added);
    expect(await answerOf(added)).toEqual(ANSWERED);
    expect(await answerOf(added, FILE, "other")).toEqual(ANSWERED);
    const hub = path.join(base, "hub");
    await git(base, "clone", "--quiet", "--bare", folder, path.join(hub, ".bare"));
    await writeFile(path.join(hub, ".git"), "gitdir: ./.bare\n");
    await git(hub, "worktree", "add", "--quiet", "tree");
    expect(await answerOf(path.join(hub, "tree"))).toEqual(ANSWERED);
  });

  it("in a submodule, also with settings of its own work tree", async () => {
    const base = await temporaryFolder();
    const inner = await createRepository(path.join(base, "inner"));
    const outer = await createRepository(path.join(base, "outer"));
    const allow = ["-c", "protocol.file.allow=always"];
    await git(outer, ...allow, "submodule", "--quiet", "add", inner, "sub");
    const folder = path.join(outer, "sub");
    expect(await answerOf(folder)).toEqual(ANSWERED);
    const settings = path.join(outer, ".git/modules/sub/config");
    await git(folder, "config", "extensions.worktreeConfig", "true");
    await rename(settings, `${settings}.worktree`);
    expect(await answerOf(folder)).toEqual(ANSWERED);
  });

  it("with packed objects and references, with a shallow history, and with long ids", async () => {
    const base = await temporaryFolder();
    const folder = await createRepository(path.join(base, "main"));
    await git(folder, "gc", "--quiet");
    await git(folder, "commit-graph", "write", "--reachable", "--changed-paths");
    expect(await answerOf(folder)).toEqual(ANSWERED);
    await git(base, "clone", "--quiet", "--depth=1", `file://${folder}`, "shallow");
    const shallow = await answerOf(path.join(base, "shallow"));
    expect(shallow).toEqual({ ...ANSWERED, summaries: ["second", "second", "second"], versions: 1 });
    const long = await createRepository(path.join(base, "long"), "--object-format=sha256");
    expect(await answerOf(long)).toEqual(ANSWERED);
  });

  it("about a file that was renamed and not committed, and one with signs that are patterns", async () => {
    const folder = await createRepository(await temporaryFolder());
    await git(folder, "mv", FILE, "src/[id].ts");
    expect(await answerOf(folder, "src/[id].ts")).toEqual({ ...ANSWERED, versions: 0 });
    await git(folder, "commit", "--quiet", "--message", "rename");
    await writeFile(path.join(folder, "src/i.ts"), "export const other = 1;\n");
    await git(folder, "add", "--all");
    await git(folder, "commit", "--quiet", "--message", "another one");
    expect(await answerOf(folder, "src/[id].ts")).toEqual({ ...ANSWERED, versions: 3 });
    await writeFile(path.join(folder, "new.ts"), SECOND);
    expect(await answerOf(folder, "new.ts")).toEqual({ ...ANSWERED, summaries: [], versions: 0 });
  });

  it("by each way in which a person names a commit", async () => {
    const folder = await createRepository(await temporaryFolder());
    await git(folder, "tag", "--annotate", "--message", "one", "v1");
    await git(folder, "switch", "--quiet", "--create", "other");
    const id = await git(folder, "rev-parse", "HEAD");
    const names = ["HEAD", "main", "heads/main", "v1", id, id.slice(0, 8), "HEAD@{0}", "main@{0}", "@{-1}"];
    for (const name of [...names, "v1^{}", "HEAD~0"])
      expect([name, await answerOf(folder, FILE, name)]).toEqual([name, ANSWERED]);
    for (const name of ["none", "-v1", "--all", "HEAD~9", "v1 main", "main\0", ""])
      await expect(answerOf(folder, FILE, name)).rejects.toThrow("is no commit of this repository.");
  });

  it("about text in another encoding than UTF-8, and with other line ends than in the commit", async () => {
    const folder = await createRepository(await temporaryFolder());
    const latin = Buffer.from("// caf\xe9\nexport const bars = 1;\n", "latin1");
    await writeFile(path.join(folder, FILE), latin);
    await git(folder, "commit", "--quiet", "--all", "--message", "third");
    expect((await answerOf(folder)).summaries).toEqual(["third", "third"]);
    await writeFile(path.join(folder, FILE), latin.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
    expect((await answerOf(folder)).summaries).toEqual(["third", "third"]);
  });

  it("in work trees of a repository whose references are tables, where git has them", async ({ skip }) => {
    const base = await temporaryFolder();
    const folder = path.join(base, "main");
    const made = createRepository(folder, "--ref-format=reftable");
    if (
      await made.then(
        () => false,
        () => true,
      )
    )
      skip("this git has no tables of references");
    const added = path.join(base, "added");
    await git(folder, "worktree", "add", "--quiet", "-b", "other", added);
    await writeFile(path.join(added, FILE), CHANGED);
    await git(added, "commit", "--quiet", "--all", "--message", "third");
    expect(await answerOf(folder)).toEqual(ANSWERED);
    const third = { ...ANSWERED, text: CHANGED, summaries: [...SUMMARIES, "third"], versions: 3 };
    expect(await answerOf(added)).toEqual(third);
    expect(await answerOf(folder, FILE, "other")).toEqual(third);
    await writeFile(path.join(folder, ".git/reftable/tables.list"), "../../../secret\n");
    expect(await answerOf(folder)).toEqual(OUTSIDE);
  });

  it("before it has a commit", async () => {
    const folder = await temporaryFolder();
    await git(folder, "init", "--quiet");
    await writeFile(path.join(folder, "new.ts"), SECOND);
    expect(await answerOf(folder, "new.ts")).toEqual({ ...ANSWERED, summaries: [], versions: 0 });
  });

  it("with the names of authors that its last commit maps", async () => {
    const folder = await createRepository(await temporaryFolder());
    await writeFile(path.join(folder, ".mailmap"), "Grace <ada@example.org>\n");
    await git(folder, "add", "--all");
    await git(folder, "commit", "--quiet", "--message", "names");
    const { workspace } = await workspaceFiles(folder).read(FILE);
    expect(new Set(workspace.commits.map((line) => line?.commit.author))).toEqual(new Set(["Grace"]));
  });
});

describe("a repository that costs too much is ended, with a sentence", () => {
  it("for a summary of 17 MB", async () => {
    const folder = await createRepository(await temporaryFolder());
    await writeFile(path.join(folder, FILE), CHANGED);
    const message = path.join(await temporaryFolder(), "message");
    await writeFile(message, "long ".repeat(3_500_000));
    await git(folder, "commit", "--quiet", "--all", "--file", message);
    const { problem, versions } = await answerOf(folder);
    expect([problem, versions]).toEqual(["large", 3]);
    expect(REPOSITORY_PROBLEMS.large).toContain("git printed more than 16 MiB and was ended");
  });

  it("and for long names of authors and impossible instants, costs nothing", async () => {
    const folder = await createRepository(await temporaryFolder());
    const tree = await git(folder, "rev-parse", "HEAD^{tree}");
    const commit = [
      `tree ${tree}`,
      `author ${"a".repeat(1_000_000)} <a@example.org> 99999999999999999 +0000`,
      "committer b <b@example.org> 99999999999999999 +9999",
      "",
      "far away\n",
    ];
    await writeFile(path.join(folder, "commit"), commit.join("\n"));
    const id = await git(folder, "hash-object", "-t", "commit", "-w", "--literally", "commit");
    await git(folder, "update-ref", "refs/heads/main", id);
    const { workspace, problem } = await workspaceFiles(folder).read(FILE);
    expect(problem).toBeUndefined();
    expect(workspace.commits.map((line) => line?.commit.author.length)).toEqual([1_000, 1_000, 1_000]);
  });

  it("for a last commit that is missing, and a lack of temporary folders", async () => {
    const folder = await createRepository(await temporaryFolder());
    vi.stubEnv("TMPDIR", path.join(folder, "none"));
    try {
      expect(await answerOf(folder)).toEqual({ ...OUTSIDE, problem: "unwritable" });
    } finally {
      vi.unstubAllEnvs();
    }
    const id = await git(folder, "rev-parse", "HEAD");
    await rm(path.join(folder, ".git/objects", id.slice(0, 2), id.slice(2)));
    expect(await answerOf(folder)).toEqual({ ...OUTSIDE, problem: "damaged" });
  });

  it("also where a script stands for git", async () => {
    const folder = await createRepository(await temporaryFolder());
    const programs = await temporaryFolder();
    const started = path.join(programs, "started");
    const script = `#!/bin/sh\nsleep 600 &\necho $! >> ${started}\nwait\n`;
    await writeFile(path.join(programs, "git"), script, { mode: 0o755 });
    vi.stubEnv("PATH", `${programs}${path.delimiter}${process.env.PATH}`);
    try {
      const { problem } = await workspaceFiles(folder, { timeoutMs: 300 }).read(FILE);
      expect(problem).toBe("slow");
    } finally {
      vi.unstubAllEnvs();
      for (const pid of (await readFile(started, "utf8")).trim().split("\n")) process.kill(Number(pid));
    }
  });

  it.each([
    ["slow", "exec sleep 600", 300],
    ["large", 'exec yes "$(printf %1000s)"', 60_000],
    ["absent", undefined, 60_000],
  ] as const)("%s", async (problem, command, timeoutMs) => {
    const folder = await createRepository(await temporaryFolder());
    const programs = await temporaryFolder();
    if (command !== undefined) {
      await writeFile(path.join(programs, "git"), `#!/bin/sh\n${command}\n`);
      await chmod(path.join(programs, "git"), 0o755);
    }
    vi.stubEnv("PATH", command === undefined ? programs : `${programs}${path.delimiter}${process.env.PATH}`);
    try {
      const files = workspaceFiles(folder, { timeoutMs });
      const { text, workspace, ...answer } = await files.read(FILE);
      expect([text, workspace.commits, answer]).toEqual([SECOND, [], { file: FILE, problem }]);
      await expect(files.read(FILE, { commit: "HEAD" })).rejects.toThrow(REPOSITORY_PROBLEMS[problem]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("stops when the caller stops waiting", async () => {
    const folder = await createRepository(await temporaryFolder());
    const stop = new AbortController();
    const reading = workspaceFiles(folder).read(FILE, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
  });

  it("starts no program that lies in the folder", async () => {
    const folder = await createRepository(await temporaryFolder());
    await writeFile(path.join(folder, "git"), "#!/bin/sh\nexit 1\n");
    await chmod(path.join(folder, "git"), 0o755);
    vi.stubEnv("PATH", `.${path.delimiter}${process.env.PATH}`);
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await answerOf(folder)).toEqual(ANSWERED);
    } finally {
      process.chdir(before);
      vi.unstubAllEnvs();
    }
  });
});
