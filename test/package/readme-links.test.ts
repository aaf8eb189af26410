import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { absoluteLinks } from "../../scripts/absolute-links.mjs";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";

const README = readFileSync(path.join(PROJECT_ROOT, "README.md"), "utf8");
const REPOSITORY = "https://github.com/ada/inspector";
const OPTIONS = { repository: REPOSITORY, ref: "v1.2.3", root: PROJECT_ROOT };

/** A browser follows `href` and loads `src`. */
function targetsOf(markdown: string): readonly (readonly [attribute: string, target: string])[] {
  const html = micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });
  return [...html.matchAll(/(href|src)="([^"]*)"/g)].map(([, attribute = "", target = ""]) => [
    attribute,
    target,
  ]);
}

describe("the README on a package page", () => {
  it("has absolute links and pictures alone, each to a file of the repository", () => {
    const before = targetsOf(README);
    const after = targetsOf(absoluteLinks(README, OPTIONS));
    expect(after).toHaveLength(before.length);
    for (const [i, [attribute, target]] of after.entries()) {
      const [, relative = ""] = before[i]!;
      if (/^(https?:|#)/.test(relative)) {
        expect(target).toBe(relative);
        continue;
      }
      const address = /^https:\/\/github\.com\/ada\/inspector\/(blob|tree|raw)\/v1\.2\.3\/([^#]*)/;
      const [, kind = "", file = ""] = address.exec(target) ?? [];
      const entry = statSync(path.join(PROJECT_ROOT, file));
      const expected = attribute === "src" ? "raw" : entry.isDirectory() ? "tree" : "blob";
      expect([target, kind]).toEqual([target, expected]);
      expect(target.split("#")[1]).toBe(relative.split("#")[1]);
    }
    expect(after.filter(([attribute]) => attribute === "src").length).toBeGreaterThan(0);
  });

  it.each([
    ["[a](docs/ui.md)", "[a](R/blob/v1.2.3/docs/ui.md)"],
    ["[`a`](./docs/ui.md#keys 'Keys')", "[`a`](R/blob/v1.2.3/docs/ui.md#keys 'Keys')"],
    ["[a](docs/adr/)", "[a](R/tree/v1.2.3/docs/adr)"],
    ["![a](docs/images/trace.png)", "![a](R/raw/v1.2.3/docs/images/trace.png)"],
    [
      "[![a](docs/images/trace.png)](docs/ui.md)",
      "[![a](R/raw/v1.2.3/docs/images/trace.png)](R/blob/v1.2.3/docs/ui.md)",
    ],
    ["[a][b]\n\n[b]: docs/ui.md", "[a][b]\n\n[b]: R/blob/v1.2.3/docs/ui.md"],
    [
      '<img width="1" src="docs/images/trace.png">',
      '<img width="1" src="R/raw/v1.2.3/docs/images/trace.png">',
    ],
    ['<a href="LICENSE">', '<a href="R/blob/v1.2.3/LICENSE">'],
  ])("makes %s absolute", (markdown, expected) => {
    expect(absoluteLinks(markdown, OPTIONS)).toBe(expected.replaceAll("R/", `${REPOSITORY}/`));
  });

  it.each([
    "[a](https://example.org/docs/ui.md)",
    "[a](//example.org/x)",
    "[a](mailto:ada@example.org)",
    "[a](#try-it)",
    "`[a](docs/nothing.md)`",
    "``a ` [a](docs/nothing.md)``",
    "```md\n[a](docs/nothing.md)\n```",
    "a `tick\n\nand another` one",
  ])("leaves %s as it is", (markdown) => {
    expect(absoluteLinks(markdown, OPTIONS)).toBe(markdown);
  });

  it.each(["docs/nothing.md", "../outside.md"])("refuses a link to %s, which does not exist", (target) => {
    expect(() => absoluteLinks(`[a](${target})`, OPTIONS)).toThrow(`README.md links to "${target}"`);
  });

  it("is written by the command of the release workflow, in the folder that is published", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "scripts"));
    await cp(
      path.join(PROJECT_ROOT, "scripts/absolute-links.mjs"),
      path.join(folder, "scripts/absolute-links.mjs"),
    );
    await writeFile(path.join(folder, "README.md"), "[a](scripts/absolute-links.mjs)");
    const { jobs } = parse(
      readFileSync(path.join(PROJECT_ROOT, ".github/workflows/release.yml"), "utf8"),
    ) as {
      readonly jobs: { readonly publish: { readonly steps: readonly { readonly run?: string }[] } };
    };
    const command = jobs.publish.steps.find(({ run }) => run?.includes("absolute-links"))?.run ?? "";
    const env = {
      PATH: process.env.PATH ?? "",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "ada/inspector",
      GITHUB_REF_NAME: "v1.2.3",
    };
    execFileSync("sh", ["-ec", command], { cwd: folder, env });
    expect(await readFile(path.join(folder, "README.md"), "utf8")).toBe(
      `[a](${REPOSITORY}/blob/v1.2.3/scripts/absolute-links.mjs)`,
    );
    const { status, stderr } = spawnSync(process.execPath, ["scripts/absolute-links.mjs"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("Give the address of the repository and a tag"),
    ]);
  });
});
