import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { checkCommits, subjectProblem } from "../scripts/check-commits.mjs";
import { temporaryFolder } from "./support/data-directory.js";

/** A repository with these commits, oldest first; `merge` merges a branch that has one commit. */
async function repositoryWith(subjects: readonly string[]) {
  const folder = await temporaryFolder();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  const commit = (subject: string) => {
    git("commit", "--quiet", "--allow-empty", "--no-gpg-sign", "-m", subject);
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet", "--initial-branch=main");
  const first = commit("The beginning.");
  for (const subject of subjects) commit(subject);
  return { folder, first, git, commit };
}

describe("the subjects of commits", () => {
  it.each([
    "search: skip sessions that cannot be read",
    "domain, application: move files",
    "test/http: embed a page",
    "docs: state what `a: b` means",
  ])("may be %s", (subject) => {
    expect(subjectProblem(subject)).toBeUndefined();
  });

  it.each([
    ["Skip sessions", "has no area"],
    ["Search: skip sessions", "lower case"],
    ["search:skip sessions", "has no area"],
    ["search: Skip sessions", "verb in lower case"],
    ["search: skipped sessions", "not imperative"],
    ["search: skipping sessions", "not imperative"],
    ["search: skip sessions.", "full stop"],
    ["search: ", "verb in lower case"],
    [`search: ${"x".repeat(65)}`, "has 73 characters"],
  ])("may not be %s", (subject, problem) => {
    expect(subjectProblem(subject)).toContain(problem);
  });

  it("are checked after the first commit, and merges are exempt", async () => {
    const { folder, first, git, commit } = await repositoryWith(["search: skip sessions", "WIP"]);
    git("checkout", "--quiet", "-b", "side");
    commit("ui: add a row");
    git("checkout", "--quiet", "main");
    git("merge", "--quiet", "--no-ff", "--no-gpg-sign", "-m", "Merge branch 'side'", "side");
    expect(checkCommits(folder, first)).toEqual({
      problems: [expect.stringMatching(/^[0-9a-f]+ "WIP" has no area/)],
    });
  });

  it("are skipped with a reason where the history is missing", async () => {
    const { folder } = await repositoryWith([]);
    expect(checkCommits(folder)).toEqual({ problems: [], skipped: expect.stringContaining("no commit") });
    expect(checkCommits(await temporaryFolder())).toEqual({
      problems: [],
      skipped: "there is no git repository",
    });
  });
});
