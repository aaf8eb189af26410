import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { formatsDocument } from "../../scripts/formats-document.mjs";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { PROJECT_ROOT } from "../support/build.js";

const DOCS = path.join(PROJECT_ROOT, "docs");

it("docs/formats.md is made of the registry: node scripts/formats-document.mjs makes it anew", async () => {
  expect(await readFile(path.join(DOCS, "formats.md"), "utf8")).toBe(formatsDocument(HISTORY_FORMATS));
});

it.each(HISTORY_FORMATS.map(({ name, document }) => [name, document] as const))(
  "the format %s has its document, %s",
  (_, document) => expect(existsSync(path.join(DOCS, document))).toBe(true),
);
