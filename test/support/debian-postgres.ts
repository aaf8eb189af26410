import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { runs } from "./installed.js";
import { untilItAnswers } from "./pgbouncer.js";
import { type OwnServer, serverAt } from "./postgres-server.js";
import { ordinaryUser } from "./privileges.js";
import { freePort } from "./snippets.js";

/** Of Debian's package `postgresql-15`: the server of npm comes without `pg_basebackup`. */
const PROGRAMS = "/usr/lib/postgresql/15/bin";

export const hasDebianPostgres = runs(`${PROGRAMS}/pg_basebackup`);

const run = promisify(execFile);

export async function startDebianServer(): Promise<OwnServer> {
  const folder = await ownFolder();
  const password = randomBytes(12).toString("hex");
  const passwordFile = path.join(folder, "password");
  await writeFile(passwordFile, password, { mode: 0o644 });
  const data = path.join(folder, "data");
  const flags = [
    "--username=owner",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
  ];
  await run(`${PROGRAMS}/initdb`, [...flags, data], ordinaryUser());
  return serve(folder, password);
}

/** @param command creates the replica in the folder of `DATA` */
export async function startDebianReplica(command: string, password: string): Promise<OwnServer> {
  const folder = await ownFolder();
  const env = { PATH: `${PROGRAMS}:${process.env.PATH}`, DATA: path.join(folder, "data") };
  await run("/bin/sh", ["-ec", command], { ...ordinaryUser(), env });
  return serve(folder, password);
}

async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-debian-postgres-"));
  const { uid, gid } = ordinaryUser();
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  return folder;
}

async function serve(folder: string, password: string): Promise<OwnServer> {
  const port = await freePort();
  const url = `postgres://owner:${password}@127.0.0.1:${port}/postgres`;
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=200",
  ];
  const flags = ["-D", path.join(folder, "data"), ...settings.flatMap((setting) => ["-c", setting])];
  let child: ChildProcess;
  const start = async () => {
    child = spawn(`${PROGRAMS}/postgres`, flags, { stdio: "ignore", ...ordinaryUser() });
    await untilItAnswers(url);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill(signal);
    await ended;
  };
  const kill = () => end("SIGKILL");
  await start();
  const server = serverAt(url, async () => {
    await end("SIGQUIT");
    await rm(folder, { recursive: true, force: true });
  });
  return {
    ...server,
    start,
    kill,
    killAndRestart: async () => {
      await kill();
      await start();
    },
  };
}
