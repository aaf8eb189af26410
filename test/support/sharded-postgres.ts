import { readFile } from "node:fs/promises";
import path from "node:path";
import { migratePostgres } from "../../src/postgres.js";
import { PROJECT_ROOT } from "./build.js";
import { type OwnServer, startOwnServer } from "./postgres-server.js";
import { snippetIn } from "./snippets.js";

export interface AgentsServer {
  readonly server: OwnServer;
  readonly url: string;
}

/** Several servers with the tables distributed over them, by the SQL of `docs/scaling.md`. */
export interface ShardedServers {
  /** Applications connect to this one. */
  readonly front: AgentsServer;
  readonly shards: readonly AgentsServer[];
  stop(): Promise<void>;
}

/** The SQL of `docs/scaling.md` with the addresses of these servers. */
export async function scalingSql(name: string, shards: readonly AgentsServer[]): Promise<string> {
  const document = await readFile(path.join(PROJECT_ROOT, "docs/scaling.md"), "utf8");
  return snippetIn(document, name).replaceAll(/host 'db(\d)\.internal', port '5432'/g, (_, shard) => {
    const { hostname, port } = new URL(shards[Number(shard)]!.url);
    return `host '${hostname}', port '${port}'`;
  });
}

export async function startAgentsServer(
  start: () => Promise<OwnServer> = () => startOwnServer(["-c", "fsync=off"]),
): Promise<AgentsServer> {
  const server = await start();
  await server.run("CREATE ROLE inspector LOGIN PASSWORD 'secret'");
  await server.run("CREATE DATABASE agents OWNER inspector TEMPLATE template0 ENCODING 'UTF8'");
  const url = agentsAt(server);
  await migratePostgres({ connectionString: url });
  return { server, url };
}

export function agentsAt({ url }: OwnServer): string {
  const named = { username: "inspector", password: "secret", pathname: "/agents" };
  return Object.assign(new URL(url), named).href;
}

/** @param fill writes to the single database before its distribution */
export async function startShardedServers(
  fill: (url: string) => Promise<void> = async () => {},
): Promise<ShardedServers> {
  const [front, ...shards] = await Promise.all([0, 1, 2, 3].map(() => startAgentsServer()));
  await fill(front!.url);
  const asOwner = Object.assign(new URL(front!.server.url), { pathname: "/agents" }).href;
  await front!.server.run(await scalingSql("servers.sql", shards), asOwner);
  await front!.server.run(await scalingSql("distribute.sql", shards), front!.url);
  return {
    front: front!,
    shards,
    stop: async () => {
      for (const { server } of [front!, ...shards]) await server.stop();
    },
  };
}
