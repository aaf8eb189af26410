// Lists the sessions of a folder with the build, as a process of its own does: `claude-code|filesystem root [cacheDir]`. With
// `again`, it does so for ever, in a cache folder that it empties each time, and prints a line for each list.
import { clearCache } from "../../dist/src/adapters/jsonl/cache-folder.js";

const [kind, root, cacheDir, again] = process.argv.slice(2);
const create =
  kind === "claude-code"
    ? (await import("../../dist/src/claude-code.js")).createClaudeCodeDataSource
    : (await import("../../dist/src/advanced.js")).createFilesystemInspectorDataSource;

do {
  if (again !== undefined) for (const _ of clearCache(cacheDir));
  const source = create(root, { threads: false, cacheDir });
  const sessions = await source.listSessions();
  await source.close();
  process.stdout.write(again === undefined ? JSON.stringify(sessions) : "listed\n");
} while (again !== undefined);
