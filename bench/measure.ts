import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { spreadOf } from "./figures.js";

/** Linux counts processor time in these. */
const TICKS_A_SECOND = 100;

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly base: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.base = `http://127.0.0.1:${port}`;
  }

  static async start(script: string, ...args: readonly string[]): Promise<ServerProcess> {
    const child = startProcess(script, args);
    const gone = once(child, "exit").then(([code]) => {
      throw new Error(`${script} ended with ${code} before it listened: see above`);
    });
    const [{ port }] = (await Promise.race([once(child, "message"), gone])) as [{ port: number }];
    gone.catch(() => undefined); // from here on its end is normal
    return new ServerProcess(child, port);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Threads included. */
  get cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  }

  get peakMemoryMB(): number {
    return peakMemoryMB(this.#child.pid);
  }

  get residentMemoryMB(): number {
    return memoryMB(this.#child.pid, "VmRSS");
  }

  /** Longest delay of the event loop since the last reset, in milliseconds. */
  async longestStallMs(reset = false): Promise<number> {
    this.#child.send(reset ? "reset" : "read");
    const [{ maxDelayMs }] = (await once(this.#child, "message")) as [{ maxDelayMs: number }];
    return maxDelayMs;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}

/** `VmHWM`, threads included. */
export function peakMemoryMB(pid: number | undefined): number {
  return memoryMB(pid, "VmHWM");
}

function memoryMB(pid: number | undefined, kind: "VmHWM" | "VmRSS"): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8")
    .split("\n")
    .find((line) => line.startsWith(kind));
  return Number(line?.split(/\s+/)[1]) / 1024;
}

export interface Taken {
  readonly ms: number;
  readonly bytes: number;
  readonly status: number;
}

/** Another process receives responses, so that this disturbs no measurement here. */
export class Client {
  readonly #child = startProcess("client", []);

  async take(url: string, atOnce = 1): Promise<Taken[]> {
    this.#child.send({ url, atOnce });
    const [answer] = (await once(this.#child, "message")) as [Taken[] | { error: string }];
    if ("error" in answer) throw new Error(answer.error);
    const failed = answer.find(({ status }) => status !== 200);
    if (failed !== undefined) throw new Error(`${url} answered ${failed.status}`);
    return answer;
  }

  async takeOne(url: string): Promise<Taken> {
    return (await this.take(url))[0]!;
  }

  async takeInTurn(url: string, times: number): Promise<void> {
    for (let i = 0; i < times; i++) await this.takeOne(url);
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** One response is too short: with few requests to the other route, the 99th percentile would be its slowest answer. */
export const TAKEN_FOR_P99 = 4;

/** 99th percentile in milliseconds, with a request every 10 ms. */
export async function latencyWhile(url: string, work: Promise<unknown>): Promise<number> {
  const latencies: Promise<number>[] = [];
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    latencies.push(latencyOf(url));
    await wait(10);
  }
  await done;
  const sorted = (await Promise.all(latencies)).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}

function latencyOf(url: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume().on("end", () => resolve(performance.now() - begun));
    }).on("error", reject);
  });
}

const WINDOWS = 20;

/**
 * Median time of warm windows of 500 records in sequence, in milliseconds; restarts at the end. A client process receives them: `fetch`
 * needs longer for the bytes than a service.
 */
export async function windowMs(client: Client, url: string): Promise<number> {
  const urls: string[] = [];
  for (let cursor: string | null = ""; cursor !== null && urls.length < WINDOWS; ) {
    const window: string = `${url}&limit=500${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const response = await fetch(window);
    if (!response.ok) throw new Error(`${window} answered ${response.status}`);
    cursor = ((await response.json()) as { nextCursor: string | null }).nextCursor;
    urls.push(window);
  }
  const durations: number[] = [];
  for (let i = 0; i < WINDOWS; i++) durations.push((await client.takeOne(urls[i % urls.length]!)).ms);
  return spreadOf(durations).median;
}

export async function sessionsListed(base: string): Promise<{ turns: number; tokens: number }[]> {
  const response = await fetch(`${base}/__inspector/sessions`);
  return ((await response.json()) as { sessions: { turns: number; tokens: number }[] }).sessions;
}

/** Over ten connections. */
export async function requestsPerSecond(
  url: string,
  headers: Record<string, string> = {},
  seconds = 2,
): Promise<number> {
  // Loaded on demand: few measurements need it.
  const { default: autocannon } = await import("autocannon");
  const { requests, errors } = await autocannon({ url, headers, connections: 10, duration: seconds });
  if (errors > 0) throw new Error(`${errors} requests to ${url} failed`);
  return requests.average;
}

function startProcess(name: string, args: readonly string[]): ChildProcess {
  const script = path.join(import.meta.dirname, "processes", `${name}.mjs`);
  return fork(script, args, { execArgv: [] });
}
