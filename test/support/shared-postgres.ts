import { startServer } from "./postgres-server.js";

/** Starts the server that all tests of a run share, before the first of them: it is the one that `DATABASE_URL` names. */
export default async function sharedPostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DATABASE_URL !== undefined) return undefined;
  const server = await startServer();
  process.env.DATABASE_URL = server.url;
  return async () => {
    delete process.env.DATABASE_URL;
    await server.stop();
  };
}
