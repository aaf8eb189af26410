import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";

/** A server in a process of its own. */
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
    gone.catch(() => undefined); // from here on it ends when it is told to
    return new ServerProcess(child, port);
  }

  /** The most memory that the process ever had resident (`VmHWM`), in MB. */
  get peakMemoryMB(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** The longest time that the event loop was late since the last reset, in milliseconds. */
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

export interface Taken {
  readonly ms: number;
  readonly bytes: number;
  readonly status: number;
}

/** Takes responses in a process of its own, so that taking them disturbs no measurement here. */
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

  stop(): void {
    this.#child.disconnect();
  }
}

/** Asks a route every 10 ms while something else goes on; the 99th percentile of its latencies, in milliseconds. */
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

/** Requests a second that a server answers, over ten connections. */
export async function requestsPerSecond(
  url: string,
  headers: Record<string, string> = {},
  seconds = 2,
): Promise<number> {
  const { requests, errors } = await autocannon({ url, headers, connections: 10, duration: seconds });
  if (errors > 0) throw new Error(`${errors} requests to ${url} failed`);
  return requests.average;
}

function startProcess(name: string, args: readonly string[]): ChildProcess {
  const script = path.join(import.meta.dirname, "processes", `${name}.mjs`);
  return fork(script, args, { execArgv: [] });
}
