import { writeSessions } from "./data.js";
import { type Bounds, type Figure, figure, repeated, within } from "./figures.js";
import { type GeneratedList, generateMessages, generateTrace, takeReadyBody, written } from "./generate.js";
import {
  Client,
  latencyWhile,
  requestsPerSecond,
  ServerProcess,
  sessionsListed,
  TAKEN_FOR_P99,
  windowMs,
} from "./measure.js";
import { type Shape, TURNS } from "./shapes.js";
import type { Sizes } from "./sizes.js";

/** In milliseconds: delay of a host's event loop, and 99th percentile of its route meanwhile. */
export const STALL = within(12, 6);
export const CO_HOSTED_P99 = within(12, 8);

export async function bigTrace(folder: string, shape: Shape, { bigTrace, runs }: Sizes): Promise<Figure[]> {
  const list = await generateTrace(folder, shape, bigTrace);
  const bounds = { first: within(5, 3), memory: within(72, 40) };
  return bigList(`big trace (${shape.name})`, list, bounds, runs);
}

export async function bigMessages(folder: string, sizes: Sizes): Promise<Figure[]> {
  const list = await generateMessages(folder, sizes.bigMessages, sizes.messageBytes);
  return bigList("big messages", list, { first: within(6, 3), memory: within(64, 32) }, sizes.runs);
}

/** One big list, cold and warm, beside a server that streams the ready bytes. */
async function bigList(
  name: string,
  list: GeneratedList,
  bounds: { readonly first: Bounds; readonly memory: Bounds },
  runs: number,
): Promise<Figure[]> {
  const client = new Client();
  const fixed = await ServerProcess.start("static-server");
  const fixedUrl = `${fixed.base}/${encodeURIComponent(await takeReadyBody(list))}`;
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "data-directory", list.dataDir);
    const url = `${service.base}/__inspector${list.at}`;
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await fixed.longestStallMs(true);
    const ready = await client.takeOne(fixedUrl);
    const fixedStall = await fixed.longestStallMs();
    await service.longestStallMs(true);
    const first = await client.takeOne(url);
    const firstStall = await service.longestStallMs(true);
    const again = await client.takeOne(url);
    const againStall = await service.longestStallMs(true);
    if (first.bytes !== ready.bytes || again.bytes !== ready.bytes) {
      throw new Error(`${name}: ${first.bytes} bytes came instead of ${ready.bytes}`);
    }
    const readyAgain = await client.takeOne(fixedUrl);
    const memory = service.peakMemoryMB - idle;
    const p99 = await latencyWhile(`${service.base}/co-hosted`, client.takeInTurn(url, TAKEN_FOR_P99));
    await service.stop();
    const fixedP99 = await latencyWhile(
      `${fixed.base}/co-hosted`,
      client.takeInTurn(fixedUrl, TAKEN_FOR_P99),
    );
    return {
      ...{ first: first.ms / ready.ms, again: again.ms / readyAgain.ms, memory },
      ...{ firstStall, againStall, fixedStall, p99, fixedP99 },
    };
  });
  await fixed.stop();
  client.stop();
  return [
    figure(`${name}: first time ÷ static server`, "ratio", samples.first, bounds.first),
    figure(`${name}: again ÷ static server`, "ratio", samples.again, within(2.5, 1.2)),
    figure(`${name}: memory growth`, "MB", samples.memory, bounds.memory),
    figure(`${name}: longest stall, first time`, "ms", samples.firstStall, STALL),
    figure(`${name}: longest stall, again`, "ms", samples.againStall, STALL),
    figure(`${name}: longest stall of the static server`, "ms", samples.fixedStall),
    figure(`${name}: co-hosted route, p99 meanwhile`, "ms", samples.p99, CO_HOSTED_P99),
    figure(`${name}: the same beside the static server`, "ms", samples.fixedP99),
  ];
}

/** A million envelopes: memory, and windows after the first reading. */
export async function hugeTrace(folder: string, sizes: Sizes): Promise<Figure[]> {
  const { dataDir, at } = await generateTrace(folder, TURNS, sizes.hugeTrace);
  const client = new Client();
  const samples = await repeated(sizes.runs, async () => {
    const service = await ServerProcess.start("service", "data-directory", dataDir);
    const url = `${service.base}/__inspector${at}`;
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await service.longestStallMs(true);
    await client.takeOne(url);
    const memory = service.peakMemoryMB - idle;
    const stall = await service.longestStallMs(true);
    const window = await windowMs(client, url);
    await service.stop();
    return { memory, stall, window };
  });
  client.stop();
  return [
    figure("huge trace: memory growth", "MB", samples.memory, within(128, 96)),
    figure("huge trace: longest stall", "ms", samples.stall, STALL),
    figure("huge trace: a window of 500, repeated", "ms", samples.window, within(15, 5)),
  ];
}

export async function sessionList(folder: string, shape: Shape, sizes: Sizes): Promise<Figure[]> {
  await writeSessions(folder, sizes.sessions, shape, sizes.session);
  await written();
  const client = new Client();
  const naive = await ServerProcess.start("naive-server", "data-directory", folder);
  await client.takeOne(`${naive.base}/sessions`);
  const samples = await repeated(sizes.runs, async () => {
    const slow = await client.takeOne(`${naive.base}/sessions`);
    const service = await ServerProcess.start("service", "data-directory", folder);
    await client.takeOne(`${service.base}/co-hosted`);
    const url = `${service.base}/__inspector/sessions`;
    await service.longestStallMs(true);
    const cold = await client.takeOne(url);
    const stall = await service.longestStallMs(true);
    await client.takeOne(url);
    const again = await client.takeOne(url);
    const { length } = await sessionsListed(service.base);
    if (length !== sizes.sessions) throw new Error(`${length} sessions are listed of ${sizes.sessions}`);
    await service.stop();
    return { cold: cold.ms / slow.ms, again: again.ms / slow.ms, stall };
  });
  await naive.stop();
  client.stop();
  const name = `session list (${shape.name})`;
  return [
    figure(`${name}: cold ÷ naive way`, "ratio", samples.cold, within(0.5, 0.2)),
    figure(`${name}: longest stall, cold`, "ms", samples.stall, STALL),
    figure(`${name}: again ÷ naive way`, "ratio", samples.again, within(1 / 40, 1 / 100)),
  ];
}

export async function smallTrace(folder: string, { session, runs }: Sizes): Promise<Figure[]> {
  const list = await generateTrace(folder, TURNS, session);
  const fixed = await ServerProcess.start("static-server");
  const fixedUrl = `${fixed.base}/${encodeURIComponent(await takeReadyBody(list))}`;
  const service = await ServerProcess.start("service", "data-directory", list.dataDir);
  const url = `${service.base}/__inspector${list.at}`;
  const etag = (await fetch(url)).headers.get("ETag") ?? "";
  const samples = await repeated(runs, async () => {
    const ready = await requestsPerSecond(fixedUrl);
    const full = await requestsPerSecond(url);
    const unchanged = await requestsPerSecond(url, { "If-None-Match": etag });
    return { full: full / ready, unchanged: unchanged / ready };
  });
  await service.stop();
  await fixed.stop();
  const atLeast = { must: { least: 0.4 }, aim: { least: 0.7 } };
  return [
    figure("small trace: requests/s ÷ static server", "ratio", samples.full, atLeast),
    figure("304: requests/s ÷ static server", "ratio", samples.unchanged, { must: { least: 1 } }),
  ];
}

export async function eightAtOnce(folder: string, { bigTrace, runs }: Sizes): Promise<Figure[]> {
  const { dataDir, at } = await generateTrace(folder, TURNS, bigTrace);
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "data-directory", dataDir);
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await client.take(`${service.base}/__inspector${at}`, 8);
    const memory = service.peakMemoryMB - idle;
    await service.stop();
    return { memory };
  });
  client.stop();
  return [figure("eight big traces at once: memory growth", "MB", samples.memory, within(256, 128))];
}
