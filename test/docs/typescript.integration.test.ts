import { expect, it } from "vitest";
import {
  allDocuments,
  compileStrictly,
  folderWithPackages,
  pasteSnippets,
} from "../support/typed-snippets.js";

// Before a release, the README's snippets run against installed packages, with two compilers and other module settings.
it("every snippet of the README and the documents compiles as strict TypeScript as it is", async () => {
  const folder = await folderWithPackages();
  expect(await pasteSnippets(folder, await allDocuments())).toBeGreaterThan(25);
  expect(await compileStrictly(folder, "nodenext")).toEqual([]);
});
