import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDERS = ["test", "ui/test", "src", "examples"];
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)\.js"/g;

/**
 * Direct and indirect imports count.
 * @param {string} root @param {string} module from the root, such as `test/support/shared-data.ts`
 * @returns {string[]} paths from the root
 */
export function testsThatImport(root, module) {
  /** @type {Map<string, string[]>} Importing files by file. */
  const importers = new Map();
  for (const file of FOLDERS.flatMap((folder) => sourcesIn(root, folder))) {
    for (const [, specifier] of readFileSync(path.join(root, file), "utf8").matchAll(IMPORT)) {
      const imported = `${path.join(path.dirname(file), specifier)}.ts`;
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const dependents = new Set([module]);
  for (const file of dependents) for (const importer of importers.get(file) ?? []) dependents.add(importer);
  return [...dependents].filter((file) => file.endsWith(".test.ts"));
}

/** @param {string} root @param {string} folder @returns {string[]} */
function sourcesIn(root, folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.join(folder, file));
}
