import { expect, it } from "vitest";
import { compileSnippets } from "../support/typed-snippets.js";

// The other settings for modules are tried before a release.
it("every snippet of the README and the documents compiles as strict TypeScript as it is", async () => {
  const { snippets, errors } = await compileSnippets("nodenext");
  expect(snippets).toBeGreaterThan(30);
  expect(errors).toEqual([]);
});
