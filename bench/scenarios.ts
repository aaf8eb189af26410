import { type Figure, spreadOf } from "./figures.js";
import type { BenchData } from "./generate.js";
import { Client, latencyWhile, requestsPerSecond, ServerProcess } from "./measure.js";

/** How long one big list takes, the first time and again, beside a server that streams the ready bytes. */
export async function bigList(
  name: string,
  data: BenchData,
  at: string,
  body: string,
  runs: number,
): Promise<Figure[]> {
  const client = new Client();
  const fixed = await ServerProcess.start("static-server");
  const samples = { first: [], again: [], firstStall: [], againStall: [], p99: [], memory: [] } as Record<
    string,
    number[]
  >;
  for (let run = 0; run < runs; run++) {
    const service = await ServerProcess.start("service", "data-directory", data.dataDir);
    const url = `${service.base}/__inspector${at}`;
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    const ready = await client.takeOne(`${fixed.base}/${encodeURIComponent(body)}`);
    await service.longestStallMs(true);
    const first = await client.takeOne(url);
    samples.firstStall!.push(await service.longestStallMs(true));
    const again = await client.takeOne(url);
    samples.againStall!.push(await service.longestStallMs(true));
    if (first.bytes !== ready.bytes || again.bytes !== ready.bytes) {
      throw new Error(`${name}: ${first.bytes} bytes came instead of ${ready.bytes}`);
    }
    samples.first!.push(first.ms / ready.ms);
    samples.again!.push(again.ms / (await client.takeOne(`${fixed.base}/${encodeURIComponent(body)}`)).ms);
    samples.memory!.push(service.peakMemoryMB - idle);
    const fourTimes = Array.from({ length: 4 }, () => url).reduce<Promise<unknown>>(
      (before, each) => before.then(() => client.takeOne(each)),
      Promise.resolve(),
    );
    samples.p99!.push(await latencyWhile(`${service.base}/co-hosted`, fourTimes));
    await service.stop();
  }
  await fixed.stop();
  client.stop();
  const ratio = (label: string, values: number[], must: number, aim: number): Figure => ({
    name: `${name}: ${label}`,
    unit: "ratio",
    spread: spreadOf(values),
    must: { most: must },
    aim: { most: aim },
  });
  const limit = (label: string, unit: "ms" | "MB", values: number[], must: number, aim: number): Figure => ({
    ...ratio(label, values, must, aim),
    unit,
  });
  return [
    ratio("first time ÷ static server", samples.first!, 6, 3),
    ratio("again ÷ static server", samples.again!, 2.5, 1.2),
    limit("memory growth", "MB", samples.memory!, 64, 32),
    limit("longest stall, first time", "ms", samples.firstStall!, 25, 10),
    limit("longest stall, again", "ms", samples.againStall!, 25, 10),
    limit("co-hosted route, p99 meanwhile", "ms", samples.p99!, 20, 8),
  ];
}

/** A million envelopes in one session: memory, and windows once the keys are known. */
export async function hugeTrace(data: BenchData, runs: number): Promise<Figure[]> {
  const client = new Client();
  const memory: number[] = [];
  const stalls: number[] = [];
  const windows: number[] = [];
  for (let run = 0; run < Math.min(runs, 3); run++) {
    const service = await ServerProcess.start("service", "data-directory", data.dataDir);
    const url = `${service.base}/__inspector${data.hugeTrace}`;
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await service.longestStallMs(true);
    await client.takeOne(url);
    memory.push(service.peakMemoryMB - idle);
    stalls.push(await service.longestStallMs(true));
    let cursor = "";
    for (let page = 0; page < 20; page++) {
      const begun = performance.now();
      const response = await fetch(`${url}&limit=500${cursor}`);
      const body = (await response.text()).slice(-200);
      windows.push(performance.now() - begun);
      cursor = `&cursor=${/"nextCursor":"([^"]+)"/.exec(body)?.[1]}`;
    }
    await service.stop();
  }
  client.stop();
  return [
    {
      name: "huge trace: memory growth",
      unit: "MB",
      spread: spreadOf(memory),
      must: { most: 128 },
      aim: { most: 96 },
    },
    {
      name: "huge trace: longest stall",
      unit: "ms",
      spread: spreadOf(stalls),
      must: { most: 25 },
      aim: { most: 10 },
    },
    {
      name: "huge trace: a window of 500, repeated",
      unit: "ms",
      spread: spreadOf(windows),
      must: { most: 15 },
      aim: { most: 5 },
    },
  ];
}

/** The session list, cold and again, beside the naive way. */
export async function sessionList(data: BenchData, runs: number): Promise<Figure[]> {
  const client = new Client();
  const cold: number[] = [];
  const again: number[] = [];
  const stalls: number[] = [];
  const naive = await ServerProcess.start("naive-server", "data-directory", data.listDir);
  await client.takeOne(`${naive.base}/sessions`);
  for (let run = 0; run < runs; run++) {
    const slow = (await client.takeOne(`${naive.base}/sessions`)).ms;
    const service = await ServerProcess.start("service", "data-directory", data.listDir);
    await client.takeOne(`${service.base}/co-hosted`);
    const url = `${service.base}/__inspector/sessions`;
    await service.longestStallMs(true);
    cold.push((await client.takeOne(url)).ms / slow);
    stalls.push(await service.longestStallMs(true));
    await client.takeOne(url);
    again.push((await client.takeOne(url)).ms / slow);
    await service.stop();
  }
  await naive.stop();
  client.stop();
  return [
    {
      name: "session list: cold ÷ naive way",
      unit: "ratio",
      spread: spreadOf(cold),
      must: { most: 0.5 },
      aim: { most: 0.25 },
    },
    {
      name: "session list: longest stall, cold",
      unit: "ms",
      spread: spreadOf(stalls),
      must: { most: 25 },
      aim: { most: 10 },
    },
    {
      name: "session list: again ÷ naive way",
      unit: "ratio",
      spread: spreadOf(again),
      must: { most: 1 / 40 },
      aim: { most: 1 / 100 },
    },
  ];
}

/** Small answers, many of them. */
export async function smallTrace(data: BenchData, runs: number): Promise<Figure[]> {
  const fixed = await ServerProcess.start("static-server");
  const service = await ServerProcess.start("service", "data-directory", data.dataDir);
  const url = `${service.base}/__inspector${data.smallTrace}`;
  const etag = (await fetch(url)).headers.get("ETag") ?? "";
  const full: number[] = [];
  const unchanged: number[] = [];
  for (let run = 0; run < runs; run++) {
    const ready = await requestsPerSecond(`${fixed.base}/${encodeURIComponent(data.smallBody)}`);
    full.push((await requestsPerSecond(url)) / ready);
    unchanged.push((await requestsPerSecond(url, { "If-None-Match": etag })) / ready);
  }
  await service.stop();
  await fixed.stop();
  return [
    {
      name: "small trace: requests/s ÷ static server",
      unit: "ratio",
      spread: spreadOf(full),
      must: { least: 0.4 },
      aim: { least: 0.7 },
    },
    {
      name: "304: requests/s ÷ static server",
      unit: "ratio",
      spread: spreadOf(unchanged),
      must: { least: 1 },
    },
  ];
}

/** Eight clients that take the big trace at the same time. */
export async function eightAtOnce(data: BenchData, runs: number): Promise<Figure[]> {
  const client = new Client();
  const memory: number[] = [];
  for (let run = 0; run < runs; run++) {
    const service = await ServerProcess.start("service", "data-directory", data.dataDir);
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await client.take(`${service.base}/__inspector${data.bigTrace}`, 8);
    memory.push(service.peakMemoryMB - idle);
    await service.stop();
  }
  client.stop();
  return [
    {
      name: "eight big traces at once: memory growth",
      unit: "MB",
      spread: spreadOf(memory),
      must: { most: 256 },
      aim: { most: 128 },
    },
  ];
}
