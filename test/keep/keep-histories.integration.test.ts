import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { KeepReport } from "../../src/domain/session/history-files.js";
import { lines, userRecord } from "../claude-code/support/projects.js";
import { homeFolder, run } from "../support/command-line.js";
import { writeSessions } from "../support/data-directory.js";
import { withoutPrivileges } from "../support/privileges.js";

const MAIN = path.resolve(import.meta.dirname, "../../dist/src/composition/main.js");

const record = (index: number) =>
  lines(userRecord(index, 0, `Prompt ${index}.`, { sessionId: "s1", isSidechain: false }));

let home: string;

beforeEach(async () => {
  home = await homeFolder();
});

const SESSION = "projects/-srv-shop/s1.jsonl";

async function writeProject(root = "projects"): Promise<void> {
  const project = path.join(root, "-srv-shop");
  await mkdir(path.join(project, "s1/tool-results"), { recursive: true });
  await mkdir(path.join(project, "s1/subagents"), { recursive: true });
  await writeFile(path.join(project, "s1.jsonl"), record(1) + record(2));
  await writeFile(path.join(project, "s1/subagents/agent-a1.jsonl"), record(3));
  await writeFile(path.join(project, "s1/subagents/agent-a1.meta.json"), '{"agentType":"explorer"}');
  await writeFile(path.join(project, "s1/tool-results/toolu_1.txt"), "A long output.");
  await writeFile(path.join(project, "s1/.credentials.json"), '{"token":"secret"}');
  await writeFile(path.join(project, "settings.json"), '{"apiKey":"secret"}');
}

async function keep(...args: readonly string[]) {
  const { stdout, stderr, code } = await run("keep", ...args, "--to", "kept", "--json");
  expect(stderr).toBe("");
  const { sources } = JSON.parse(stdout) as KeepReport;
  return { code, sources, source: sources[0]! };
}

function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [path.relative(folder, file), readFileSync(file, "latin1")]),
  );
}

const listed = async (...args: readonly string[]) => {
  const { stdout } = await run("list", ...args, "--json", "--no-cache");
  const { sessions } = JSON.parse(stdout) as { sessions: { sessionId: string; turns: number }[] };
  return sessions;
};

describe("agent-inspector keep", () => {
  it("copies the files of sessions byte for byte, and neither settings nor credentials", async () => {
    await writeProject();
    const { code, source } = await keep("projects");
    expect(code).toBe(0);
    expect(source).toMatchObject({
      kind: "claude-code",
      from: path.join(home, "projects"),
      to: path.join(home, "kept/claude-code"),
      copied: { files: 4 },
      unchanged: { files: 0, bytes: 0 },
      kept: [],
      failed: [],
    });
    const original = contentsOf("projects");
    expect(contentsOf("kept/claude-code")).toEqual({
      "-srv-shop/s1.jsonl": original["-srv-shop/s1.jsonl"],
      "-srv-shop/s1/subagents/agent-a1.jsonl": original["-srv-shop/s1/subagents/agent-a1.jsonl"],
      "-srv-shop/s1/subagents/agent-a1.meta.json": '{"agentType":"explorer"}',
      "-srv-shop/s1/tool-results/toolu_1.txt": "A long output.",
    });
    const { mtimeMs, mode } = await stat("kept/claude-code/-srv-shop/s1.jsonl");
    expect(mtimeMs).toBeCloseTo((await stat(SESSION)).mtimeMs, -1);
    expect(mode & 0o077).toBe(0);
    expect(await listed("kept")).toEqual(await listed("projects"));
  });

  it("copies what is new the next time, and nothing else", async () => {
    await writeProject();
    await keep("projects");
    const before = await stat("kept/claude-code/-srv-shop/s1/subagents/agent-a1.jsonl");
    await appendFile(SESSION, record(4));
    await writeFile("projects/-srv-shop/s2.jsonl", record(5));
    const { source } = await keep("projects");
    expect(source).toMatchObject({ copied: { files: 2 }, unchanged: { files: 3 }, kept: [], failed: [] });
    expect(contentsOf("kept/claude-code")["-srv-shop/s1.jsonl"]).toBe(
      contentsOf("projects")["-srv-shop/s1.jsonl"],
    );
    expect((await stat("kept/claude-code/-srv-shop/s1/subagents/agent-a1.jsonl")).ino).toBe(before.ino);
    expect((await keep("projects")).source).toMatchObject({ copied: { files: 0 }, unchanged: { files: 5 } });
  });

  it("copies again what is missing in the copy, or has another size there", async () => {
    await writeProject();
    await keep("projects");
    await rm("kept/claude-code/-srv-shop/s1/tool-results/toolu_1.txt");
    await appendFile("kept/claude-code/-srv-shop/s1.jsonl", "x");
    expect((await keep("projects")).source).toMatchObject({ copied: { files: 2 }, unchanged: { files: 2 } });
    expect(contentsOf("kept/claude-code")["-srv-shop/s1.jsonl"]).toBe(record(1) + record(2));
  });

  it("leaves in the copy what was deleted or cut since, and tells it", async () => {
    await writeProject();
    await writeFile("projects/-srv-shop/s2.jsonl", record(5) + record(6));
    await keep("projects");
    await rm(SESSION);
    await truncate("projects/-srv-shop/s2.jsonl", record(5).length);
    const { code, source } = await keep("projects");
    expect(code).toBe(0);
    expect(source.kept).toEqual([
      { file: "-srv-shop/s2.jsonl", outcome: "cut", bytes: (record(5) + record(6)).length },
      { file: "-srv-shop/s1.jsonl", outcome: "deleted", bytes: (record(1) + record(2)).length },
    ]);
    expect(contentsOf("kept/claude-code")).toMatchObject({
      "-srv-shop/s1.jsonl": record(1) + record(2),
      "-srv-shop/s2.jsonl": record(5) + record(6),
    });
    expect((await run("keep", "projects", "--to", "kept")).stdout).toBe(
      "~/projects -> ~/kept/claude-code: 0 files copied (0 B), 2 unchanged\n" +
        "  -srv-shop/s2.jsonl is shorter than its copy, which stays\n" +
        "  -srv-shop/s1.jsonl was deleted since; its copy stays\n",
    );
  });

  it("puts aside the copy of a file that is another one now", async () => {
    await writeProject();
    await keep("projects");
    await writeFile(SESSION, record(7) + record(8) + record(9));
    const { source } = await keep("projects");
    const [replaced] = source.kept;
    expect(replaced).toMatchObject({ file: "-srv-shop/s1.jsonl", outcome: "replaced" });
    expect(await readFile(path.join("kept", replaced!.earlier!), "utf8")).toBe(record(1) + record(2));
    expect(contentsOf("kept/claude-code")["-srv-shop/s1.jsonl"]).toBe(record(7) + record(8) + record(9));
    expect(await listed("kept")).toHaveLength(1);
  });

  it("copies a file that is being written up to its last whole line", async () => {
    await writeProject();
    await appendFile(SESSION, record(4).slice(0, 30));
    await keep("projects");
    expect(contentsOf("kept/claude-code")["-srv-shop/s1.jsonl"]).toBe(record(1) + record(2));
    await appendFile(SESSION, record(4).slice(30));
    expect((await keep("projects")).source).toMatchObject({ copied: { files: 1 }, kept: [] });
    expect(contentsOf("kept/claude-code")["-srv-shop/s1.jsonl"]).toBe(record(1) + record(2) + record(4));
  });

  it("copies a last line without a line feed where it is whole, or where it stays as it is", async () => {
    await writeProject();
    await writeFile(SESSION, record(1).trimEnd());
    await writeFile("projects/-srv-shop/s2.jsonl", `${record(1)}{"torn`);
    await utimes("projects/-srv-shop/s2.jsonl", 1, 1);
    await keep("projects");
    expect(contentsOf("kept/claude-code")).toMatchObject({
      "-srv-shop/s1.jsonl": record(1).trimEnd(),
      "-srv-shop/s2.jsonl": `${record(1)}{"torn`,
    });
  });

  it("copies whole lines of a file that grows all the while, each a beginning of the file", async () => {
    await writeProject();
    let isGrowing = true;
    const growing = (async () => {
      for (let i = 10; isGrowing; i++) {
        const text = record(i);
        await appendFile(SESSION, text.slice(0, 40));
        await appendFile(SESSION, text.slice(40));
      }
    })();
    let longest = 0;
    for (let i = 0; i < 5; i++) {
      const { source } = await keep("projects");
      expect([source.kept, source.failed]).toEqual([[], []]);
      const copy = contentsOf("kept/claude-code")["-srv-shop/s1.jsonl"]!;
      expect(copy.endsWith("\n")).toBe(true);
      expect((await readFile(SESSION, "latin1")).startsWith(copy)).toBe(true);
      expect(copy.length).toBeGreaterThanOrEqual(longest);
      longest = copy.length;
    }
    isGrowing = false;
    await growing;
    expect(longest).toBeGreaterThan((record(1) + record(2)).length);
  });

  it("goes on where a copying was killed, and leaves nothing unfinished in the copy", async () => {
    await mkdir("projects/-srv-shop", { recursive: true });
    const line = record(1);
    const text = line.repeat(Math.ceil(800_000 / line.length));
    for (let i = 0; i < 40; i++) await writeFile(`projects/-srv-shop/s${i}.jsonl`, text);
    const child = spawn(process.execPath, [MAIN, "keep", "projects", "--to", "kept"], { stdio: "ignore" });
    const manifest = "kept/.kept/claude-code.manifest";
    while (!existsSync(manifest) || readFileSync(manifest, "utf8").split("\n").length < 6) {
      expect(child.exitCode).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    child.kill("SIGKILL");
    await once(child, "exit");
    await appendFile(manifest, '{"file":"-srv-shop/s3'); // a cut append leaves half a line
    for (const copy of Object.values(contentsOf("kept/claude-code"))) expect(copy).toBe(text);
    const done = Object.keys(contentsOf("kept/claude-code")).length;
    expect(done).toBeLessThan(40);
    const { source } = await keep("projects");
    expect(source.copied.files + source.unchanged.files).toBe(40);
    expect(source.unchanged.files).toBeGreaterThanOrEqual(4);
    expect(contentsOf("kept/claude-code")).toEqual(contentsOf("projects"));
    expect(readdirSync("kept/.kept/unfinished")).toEqual([]);
    expect((await keep("projects")).source).toMatchObject({ copied: { files: 0 }, unchanged: { files: 40 } });
  }, 30_000);

  it("says what could not be copied, copies the rest, and ends with 2", async () => {
    await writeProject();
    await writeFile("projects/-srv-shop/s2.jsonl", record(5));
    await chmod(home, 0o777);
    await chmod("projects/-srv-shop/s2.jsonl", 0o000);
    const { code, source } = await withoutPrivileges(() => keep("projects"));
    if (source.failed.length === 0) return expect(process.geteuid).toBeUndefined();
    expect(code).toBe(2);
    expect(source).toMatchObject({
      copied: { files: 4 },
      failed: [
        { file: "-srv-shop/s2.jsonl", reason: "-srv-shop/s2.jsonl cannot be read: permission denied." },
      ],
    });
  });

  it("follows no link out of what is copied, nor out of the copies", async () => {
    await writeProject();
    await mkdir("elsewhere");
    await writeFile("elsewhere/s9.jsonl", record(9));
    await symlink(path.join(home, "elsewhere/s9.jsonl"), "projects/-srv-shop/s9.jsonl");
    await symlink(path.join(home, "elsewhere"), "projects/-work-cart");
    await mkdir("kept");
    await symlink(path.join(home, "elsewhere"), "kept/claude-code");
    const { code, source } = await keep("projects");
    expect(code).toBe(2);
    expect(source).toMatchObject({ copied: { files: 0 } });
    expect(source.failed.map(({ reason }) => reason)).toEqual(
      source.failed.map(() => expect.stringMatching(/^claude-code leads out of the folder through a link/)),
    );
    expect(source.failed).toHaveLength(4);
    expect(readdirSync("elsewhere")).toEqual(["s9.jsonl"]);
  });

  it("writes nothing into what is copied", async () => {
    await writeProject();
    const before = contentsOf("projects");
    for (const to of ["projects/kept", "projects", ".", "projects/-srv-shop/deep/kept"]) {
      const { code, stderr } = await run("keep", "projects", "--to", to);
      expect([to, code, stderr]).toEqual([to, 2, expect.stringContaining("lie in each other")]);
    }
    await symlink(path.join(home, "projects"), "link");
    expect((await run("keep", "projects", "--to", "link/kept")).stderr).toContain("lie in each other");
    await keep("projects");
    expect(contentsOf("projects")).toEqual(before);
    expect(readdirSync("projects")).toEqual(["-srv-shop"]);
  });

  it("copies a project alone, or a file, and does not take the others for deleted", async () => {
    await writeProject();
    await mkdir("projects/-work-cart");
    await writeFile("projects/-work-cart/s3.jsonl", record(3));
    expect((await keep("projects")).source).toMatchObject({ copied: { files: 5 } });
    await rm("projects/-work-cart/s3.jsonl");
    expect((await keep("projects/-srv-shop")).source).toMatchObject({ unchanged: { files: 4 }, kept: [] });
    const { source } = await keep(SESSION);
    expect(source).toMatchObject({ kind: "claude-code", kept: [], failed: [] });
    expect(await readFile(path.join(source.to, "s1.jsonl"), "utf8")).toBe(record(1) + record(2));
  });

  it("keeps apart several folders of one kind, each in its own place at each copying", async () => {
    await writeProject("a/projects");
    await writeProject("b/projects");
    const first = await keep("a/projects", "b/projects");
    expect(first.sources.map(({ to }) => path.basename(to))).toEqual(["claude-code", "claude-code-2"]);
    const second = await keep("b/projects");
    expect(second.source).toMatchObject({ to: path.join(home, "kept/claude-code-2"), copied: { files: 0 } });
    expect(await listed("kept")).toHaveLength(2);
  });

  it("copies data directories and traces, and no other JSON among these", async () => {
    await writeSessions("data", [{ tenantId: "t1", sessionId: "s1", userId: "ada", createdAt: 1 }]);
    await writeFile("data/tenants/t1/sessions/s1/secret.json", "{}");
    await mkdir("otlp/deep", { recursive: true });
    await writeFile("otlp/deep/spans.jsonl", lines({ resourceSpans: [] }));
    await writeFile("otlp/package.json", '{"token":"secret"}');
    const { sources } = await keep();
    expect(sources.map(({ kind, copied }) => [kind, copied.files])).toEqual([
      ["data", 1],
      ["otlp", 1],
    ]);
    expect(Object.keys(contentsOf("kept/data"))).toEqual(["tenants/t1/sessions/s1/session.jsonl"]);
    expect(Object.keys(contentsOf("kept/otlp"))).toEqual(["deep/spans.jsonl"]);
  });

  it("says what to do where there is nothing to keep, or no place for it", async () => {
    await writeProject();
    await writeFile("file", "");
    const said = async (...args: readonly string[]) => {
      const { code, stderr } = await run("keep", ...args);
      return [code, stderr.split("\n")[0]];
    };
    expect(await said("projects")).toEqual([
      2,
      expect.stringMatching(
        /^error: required option '--to <folder>' not specified\. "agent-inspector keep --help" /,
      ),
    ]);
    expect(await said("--to", "kept")).toEqual([1, "error: No histories exist at the usual paths."]);
    expect(await said("projects", "--to", "file")).toEqual([
      2,
      expect.stringMatching(/^error: The copies cannot be written \(E\w+: .*file\)\.$/),
    ]);
  });
});
