// Lists the sessions of a folder with the build, as a process of its own does: `createXDataSource module root [cacheDir]`. With
// `again`, it does so for ever, in a cache folder that it empties each time, and prints a line for each list.
import { clearCache } from "../../dist/src/adapters/files/cache/cache-folder.js";

const [name, module, root, cacheDir, again] = process.argv.slice(2);
const { [name]: create } = await import(`../../dist/src/${module}.js`);

do {
  if (again !== undefined) for (const _ of clearCache(cacheDir));
  const source = create(root, { threads: false, cacheDir });
  const sessions = await source.listSessions();
  await source.close();
  process.stdout.write(again === undefined ? JSON.stringify(sessions) : "listed\n");
} while (again !== undefined);
