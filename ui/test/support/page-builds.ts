import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "../../../test/support/build.js";
import { temporaryFolder } from "../../../test/support/data-directory.js";

/** Another build: the same code, in assets with other names. Removed after the test. */
export async function otherBuild(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(path.join(PROJECT_ROOT, "dist/ui"), folder, { recursive: true });
  const assets = path.join(folder, "assets");
  const names: string[] = [];
  for (const name of await readdir(assets)) {
    if (name.endsWith(".gz")) await rm(path.join(assets, name));
    else names.push(name);
  }
  const renamed = (text: string) => names.reduce((all, name) => all.replaceAll(name, otherName(name)), text);
  const page = path.join(folder, "index.html");
  await writeFile(page, renamed(await readFile(page, "utf8")));
  for (const name of names) {
    const file = path.join(assets, name);
    await writeFile(file, renamed(await readFile(file, "utf8")));
    await rename(file, path.join(assets, otherName(name)));
  }
  return folder;
}

/** @example otherName("page-1.js") // "page-1-2.js" */
function otherName(name: string): string {
  return name.replace(/(\.\w+)$/, "-2$1");
}
