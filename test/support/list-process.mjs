// Lists a folder's sessions with the build: `createXDataSource module root [cacheDir]`. With `again`, it repeats forever with an empty
// cache folder, and prints a line for each list.
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
