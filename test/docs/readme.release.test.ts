import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { folderWith } from "../support/snippets.js";

it("docs/data-sources.md runs the contract suite on a custom source", async () => {
  const document = await readFile(path.join(PROJECT_ROOT, "docs/data-sources.md"), "utf8");
  const folder = await folderWith(document, ["hono", "vitest"], ["own-source.test.mjs"]);
  const vitest = path.join(PROJECT_ROOT, "node_modules/vitest/vitest.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, "run", "--root", folder], {
    env: { ...process.env, VITEST: "", NODE_OPTIONS: "" },
  });
  expect(stdout).toMatch(/Tests .*passed/);
});
