import { mkdir, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { workspaceFiles } from "../../src/adapters/workspace/workspace-files.js";
import { REPOSITORY_PROBLEMS } from "../../src/application/ports/workspace-files.js";
import { temporaryFolder } from "../support/data-directory.js";
import { createRepository, FILE, git, SECOND } from "./support/hostile-repository.js";

describe("objects of a repository that cost too much are not read", { timeout: 120_000 }, () => {
  it("a version of the file that unpacks to 300 MB", async () => {
    const folder = await createRepository(await temporaryFolder());
    await truncate(path.join(folder, FILE), 300_000_000);
    await git(folder, "commit", "--quiet", "--all", "--message", "zeros");
    await writeFile(path.join(folder, FILE), SECOND);
    const { problem, text } = await workspaceFiles(folder).read(FILE);
    expect([problem, text]).toEqual(["damaged", SECOND]);
    expect(REPOSITORY_PROBLEMS.damaged).toContain("larger than 256 MiB");
    const inCommit = workspaceFiles(folder).read(FILE, { commit: "HEAD" });
    await expect(inCommit).rejects.toThrow(`${FILE} cannot be read. ${REPOSITORY_PROBLEMS.damaged}`);
  });

  it("200,000 files of git", async () => {
    const folder = await createRepository(await temporaryFolder());
    const many = path.join(folder, ".git/objects/ff");
    await mkdir(many, { recursive: true });
    for (let i = 0; i < 200_000; i += 1_000)
      await Promise.all(Array.from({ length: 1_000 }, (_, j) => writeFile(path.join(many, `${i + j}`), "")));
    const { problem, text } = await workspaceFiles(folder).read(FILE);
    expect([problem, text]).toEqual(["crowded", SECOND]);
  });
});
