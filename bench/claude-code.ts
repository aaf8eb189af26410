import path from "node:path";
import { nameOfCopy, readSeed, type SeedHistory, writeCopy } from "./claude-code-copies.js";
import { CommandLine } from "./command-line.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { written } from "./generate.js";
import { Client, latencyWhile, ServerProcess, sessionsListed, windowMs } from "./measure.js";
import { CO_HOSTED_P99, STALL } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

/** About the size of real sessions; shorter histories are repeated up to it. */
const SESSION_BYTES = 300e3;

/** About the size of the session for windows. */
const WINDOWED_BYTES = 3e6;

/** About the size of each of very many sessions. */
const MIDDLE_BYTES = 100e3;

const SMALL_BYTES = 10e3;

/** A cold list: on the command line and in an application, beside the naive way. */
export async function claudeCodeList(folder: string, { projectsBytes, runs }: Sizes): Promise<Figure[]> {
  const projects = path.join(folder, "projects");
  const expected = await writeProjects(projects, path.join(folder, "one-copy"), projectsBytes);
  const client = new Client();
  const naive = await ServerProcess.start("naive-server", "claude-code", projects);
  await client.takeOne(`${naive.base}/sessions`);
  const samples = await repeated(runs, async () => {
    const slow = await client.takeOne(`${naive.base}/sessions`);
    const alone = await CommandLine.start(projects);
    const cold = await client.takeOne(`${alone.base}/__inspector/sessions`);
    const memory = alone.peakMemoryMB;
    checkSums(sumsOf(await sessionsListed(alone.base)), expected);
    await alone.stop();
    const host = await ServerProcess.start("service", "claude-code", projects);
    await client.takeOne(`${host.base}/co-hosted`);
    await host.longestStallMs(true);
    const taking = client.takeOne(`${host.base}/__inspector/sessions`);
    const p99 = await latencyWhile(`${host.base}/co-hosted`, taking);
    const stall = await host.longestStallMs(true);
    const hosted = await taking;
    await host.stop();
    return { cold: cold.ms / slow.ms, hosted: hosted.ms / slow.ms, memory, stall, p99 };
  });
  await naive.stop();
  client.stop();
  const name = "Claude Code list, cold";
  return [
    figure(`${name}: command line ÷ naive way`, "ratio", samples.cold, within(0.7, 0.4)),
    figure(`${name}: peak memory of the command line`, "MB", samples.memory, within(200, 140)),
    figure(`${name}: in an application ÷ naive way`, "ratio", samples.hosted),
    figure(`${name}: longest stall of the application`, "ms", samples.stall, STALL),
    figure(`${name}: co-hosted route, p99 meanwhile`, "ms", samples.p99, CO_HOSTED_P99),
  ];
}

export async function claudeCodeWindow(folder: string, { projectSessions, runs }: Sizes): Promise<Figure[]> {
  const sessionId = await writeProject(path.join(folder, "busy"), projectSessions);
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "claude-code", folder);
    await fetch(`${service.base}/co-hosted`);
    await service.longestStallMs(true);
    const window = await windowMs(
      client,
      `${service.base}/__inspector/sessions/${sessionId}/trace?tenantId=busy`,
    );
    const stall = await service.longestStallMs(true);
    await service.stop();
    return { window, stall };
  });
  client.stop();
  const name = "Claude Code session in a large project";
  return [
    figure(`${name}: a window of 500, repeated`, "ms", samples.window, within(6, 3)),
    figure(`${name}: longest stall`, "ms", samples.stall, STALL),
  ];
}

interface Sums {
  readonly sessions: number;
  readonly turns: number;
  readonly tokens: number;
}

/**
 * Copies every history of the seed up to a size.
 * @param oneCopy a folder for a single copy, whose sums determine those of all
 * @returns expected sums of the list: a copy that looks like a fork of another adds less
 */
export async function writeProjects(projects: string, oneCopy: string, bytes: number): Promise<Sums> {
  const seed = readSeed();
  const seedBytes = seed.reduce((sum, history) => sum + history.bytes, 0);
  const passes = passesFor(SESSION_BYTES, seedBytes / seed.length);
  const copies = Math.ceil(bytes / (seedBytes * passes));
  const writeCopies = async (history: SeedHistory) => {
    await writeCopy(path.join(oneCopy, history.project), history, { copy: 0, passes: 1 });
    for (let copy = 0; copy < copies; copy++) {
      await writeCopy(path.join(projects, history.project), history, { copy, passes });
    }
  };
  await Promise.all(seed.map(writeCopies));
  await written();
  const service = await ServerProcess.start("service", "claude-code", oneCopy);
  const one = sumsOf(await sessionsListed(service.base));
  await service.stop();
  const times = copies * passes;
  return { sessions: one.sessions * copies, turns: one.turns * times, tokens: one.tokens * times };
}

export async function writeManySessions(folder: string, sessions: number, isCopied: boolean): Promise<void> {
  const seed = nearestTo(MIDDLE_BYTES, mainHistories());
  const passes = passesFor(MIDDLE_BYTES, seed.bytes);
  for (let copy = 0; copy < sessions; copy++)
    await writeCopy(path.join(folder, "many"), seed, { copy, passes, isCopied });
  await written();
}

/** Many small sessions and a long one. @returns the id of the long one */
async function writeProject(project: string, sessions: number): Promise<string> {
  const seed = mainHistories();
  const long = nearestTo(WINDOWED_BYTES, seed);
  const small = nearestTo(SMALL_BYTES, seed);
  const options = { copy: sessions, passes: passesFor(WINDOWED_BYTES, long.bytes) };
  await writeCopy(project, long, options);
  for (let copy = 0; copy < sessions; copy++) await writeCopy(project, small, { copy, passes: 1 });
  await written();
  return nameOfCopy(long.name, options);
}

function mainHistories(): SeedHistory[] {
  return readSeed().filter(({ name }) => !name.startsWith("agent-"));
}

function nearestTo(bytes: number, seed: readonly SeedHistory[]): SeedHistory {
  return seed.reduce((best, one) =>
    Math.abs(one.bytes - bytes) < Math.abs(best.bytes - bytes) ? one : best,
  );
}

function passesFor(wanted: number, bytes: number): number {
  return Math.max(1, Math.round(wanted / bytes));
}

function sumsOf(sessions: readonly { readonly turns: number; readonly tokens: number }[]): Sums {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    sessions: sessions.length,
    turns: sum(sessions.map(({ turns }) => turns)),
    tokens: sum(sessions.map(({ tokens }) => tokens)),
  };
}

function checkSums(listed: Sums, expected: Sums): void {
  const [is, should] = [JSON.stringify(listed), JSON.stringify(expected)];
  if (is !== should) throw new Error(`The list adds up to ${is} instead of ${should}`);
}
