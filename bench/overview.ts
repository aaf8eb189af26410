import { mkdtempSync, rmSync } from "node:fs";
import { appendFile, readdir } from "node:fs/promises";
import path from "node:path";
import type { Overview } from "../src/domain/overview/overview.js";
import { writeProjects } from "./claude-code.js";
import { CommandLine } from "./command-line.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { Client, ServerProcess } from "./measure.js";
import { STALL } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

const OVERVIEW = "/__inspector/overview?by=day&stack=project";

/** The overview with an empty cache folder, with a full one, and after one session grew. */
export async function overview(folder: string, { projectsBytes, runs }: Sizes): Promise<Figure[]> {
  const projects = path.join(folder, "projects");
  const { sessions } = await writeProjects(projects, path.join(folder, "one-copy"), projectsBytes);
  const growing = await oneHistoryIn(projects);
  const client = new Client();
  const naive = await ServerProcess.start("naive-server", "claude-code", projects);
  await client.takeOne(`${naive.base}/sessions`);
  const samples = await repeated(runs, async () => {
    const slow = (await client.takeOne(`${naive.base}/sessions`)).ms;
    const home = mkdtempSync(path.join(folder, "home-"));
    const first = await CommandLine.start(projects, home);
    const cold = await completeOverviewMs(first.base, sessions);
    await first.stop("SIGTERM");
    const second = await CommandLine.start(projects, home);
    const again = await completeOverviewMs(second.base, sessions);
    await appendFile(growing, "\n");
    const grown = await completeOverviewMs(second.base, sessions);
    await second.stop();
    rmSync(home, { recursive: true });
    const host = await ServerProcess.start("service", "claude-code", projects);
    await client.takeOne(`${host.base}/co-hosted`);
    await host.longestStallMs(true);
    await completeOverviewMs(host.base, sessions);
    const stall = await host.longestStallMs(true);
    await completeOverviewMs(host.base, sessions);
    const stallAgain = await host.longestStallMs(true);
    await host.stop();
    return { cold: cold / slow, again, grown, stall, stallAgain };
  });
  await naive.stop();
  client.stop();
  const name = `Overview of ${Math.round(projectsBytes / 1e6)} MB`;
  return [
    figure(`${name}: cold, all facts ÷ naive way`, "ratio", samples.cold, within(0.6, 0.35)),
    figure(`${name}: second start`, "ms", samples.again, within(150, 60)),
    figure(`${name}: again after one session grew`, "ms", samples.grown, within(60, 20)),
    figure(`${name}: longest stall, cold`, "ms", samples.stall, STALL),
    figure(`${name}: longest stall, again`, "ms", samples.stallAgain, STALL),
  ];
}

async function completeOverviewMs(base: string, sessions: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const response = await fetch(base + OVERVIEW);
    const { coverage } = (await response.json()) as Overview;
    if (coverage.unread > 0) continue;
    const ms = performance.now() - begun;
    if (coverage.sessions !== sessions || coverage.withoutFacts > 0)
      throw new Error(`The overview is not of all sessions: ${JSON.stringify(coverage)}`);
    return ms;
  }
}

async function oneHistoryIn(projects: string): Promise<string> {
  const names = await readdir(projects, { recursive: true });
  return path.join(projects, names.find((name) => name.endsWith(".jsonl"))!);
}
