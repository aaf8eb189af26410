import { expect, it } from "vitest";
import {
  allDocuments,
  compileStrictly,
  folderWithPackages,
  pasteSnippets,
} from "../support/typed-snippets.js";

// As installed packages, by two compilers and with other settings for modules, those of the README are tried before a release.
it("every snippet of the README and the documents compiles as strict TypeScript as it is", async () => {
  const folder = await folderWithPackages();
  expect(await pasteSnippets(folder, await allDocuments())).toBeGreaterThan(25);
  expect(await compileStrictly(folder, "nodenext")).toEqual([]);
});
