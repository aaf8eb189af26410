import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { PROJECT_ROOT } from "./build.js";
import { runs } from "./installed.js";
import { ordinaryUser } from "./privileges.js";
import type { AgentsServer } from "./sharded-postgres.js";
import { freePort, snippetIn } from "./snippets.js";

const PROGRAM = "/usr/sbin/pgbouncer";

export const hasPgBouncer = runs(PROGRAM);

export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPgBouncer({ url }: AgentsServer): Promise<PgBouncer> {
  const document = await readFile(path.join(PROJECT_ROOT, "docs/scaling.md"), "utf8");
  const [folder, port] = [await mkdtemp(path.join(tmpdir(), "agent-inspector-pgbouncer-")), await freePort()];
  const behind = new URL(url);
  const users = path.join(folder, "userlist.txt");
  const settings = snippetIn(document, "pgbouncer.ini")
    .replace("host=db.internal port=5432", `host=${behind.hostname} port=${behind.port}`)
    .replace("listen_addr = *", "listen_addr = 127.0.0.1")
    .replace("listen_port = 6432", `listen_port = ${port}`)
    .replace("/etc/pgbouncer/userlist.txt", users);
  await writeFile(path.join(folder, "pgbouncer.ini"), `${settings}unix_socket_dir =\n`);
  await writeFile(users, snippetIn(document, "userlist.txt"));
  await chmod(folder, 0o755);
  const child = spawn(PROGRAM, [path.join(folder, "pgbouncer.ini")], { stdio: "ignore", ...ordinaryUser() });
  const ended = once(child, "exit");
  const through = Object.assign(new URL(url), { port: String(port) }).href;
  await untilItAnswers(through);
  return {
    url: through,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export async function untilItAnswers(connectionString: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query("SELECT 1");
      return;
    } catch (error) {
      if (tries === 200) throw error;
      await delay(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
