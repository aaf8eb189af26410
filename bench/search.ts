import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { writeManySessions, writeProjects } from "./claude-code.js";
import { CommandLine } from "./command-line.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { Client, ServerProcess } from "./measure.js";
import { STALL } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

/** A word that no history has, and one that most have. */
const NOWHERE = "nowherewordxyzzy";
const COMMON = "the";

export async function search(folder: string, { projectsBytes, runs }: Sizes): Promise<Figure[]> {
  const projects = path.join(folder, "projects");
  await writeProjects(projects, path.join(folder, "one-copy"), projectsBytes);
  await grepMs(projects);
  const samples = await repeated(runs, async () => {
    const grep = await grepMs(projects);
    const alone = await CommandLine.start(projects);
    const begun = await searchAllMs(alone.base);
    const nowhere = await searchAllMs(alone.base);
    const first = await firstHitMs(alone.base);
    const memory = alone.peakMemoryMB;
    const counted = (await searchSessionsMs(alone.base)) / (await grepCountMs(projects));
    await alone.stop();
    const host = await ServerProcess.start("service", "claude-code", projects);
    await fetch(`${host.base}/co-hosted`);
    await host.longestStallMs(true);
    await searchAllMs(host.base);
    await firstHitMs(host.base);
    const stall = await host.longestStallMs(true);
    await searchSessionsMs(host.base);
    const countedStall = await host.longestStallMs(true);
    await host.stop();
    return { begun: begun / grep, nowhere: nowhere / grep, first, memory, stall, counted, countedStall };
  });
  return [
    figure("Search: a word that is nowhere, all of it ÷ grep -rF", "ratio", samples.nowhere, within(3, 1.5)),
    figure("Search: the same, just after the command has started", "ratio", samples.begun),
    figure("Search: first hit of a common word", "ms", samples.first, within(150, 60)),
    figure(
      "Search: a common word, sessions with counts, all of it ÷ grep -rc",
      "ratio",
      samples.counted,
      within(4, 2),
    ),
    figure("Search: the same, longest stall of the application", "ms", samples.countedStall, STALL),
    figure("Search: longest stall of the application", "ms", samples.stall, STALL),
    figure("Search: peak memory of the command line", "MB", samples.memory, within(200, 140)),
  ];
}

export async function listAtOnce(folder: string, sizes: Sizes): Promise<Figure[]> {
  const projects = path.join(folder, "projects");
  const many = path.join(folder, "many");
  const copied = path.join(folder, "copied");
  await writeProjects(projects, path.join(folder, "one-copy"), sizes.projectsBytes);
  await writeManySessions(many, sizes.manySessions, false);
  await writeManySessions(copied, sizes.manySessions, true);
  const client = new Client();
  const naive = await ServerProcess.start("naive-server", "claude-code", projects);
  await client.takeOne(`${naive.base}/sessions`);
  const listMs = async (base: string, query = "") =>
    (await client.takeOne(`${base}/__inspector/sessions${query}`)).ms;
  const coldPageMs = async (ofFolder: string) => {
    const cold = await CommandLine.start(ofFolder);
    const ms = await listMs(cold.base, "?limit=100");
    await cold.stop();
    return ms;
  };
  const samples = await repeated(sizes.runs, async () => {
    const slow = (await client.takeOne(`${naive.base}/sessions`)).ms;
    const page = await coldPageMs(projects);
    const ofMany = await coldPageMs(many);
    const ofCopied = await coldPageMs(copied);
    const home = mkdtempSync(path.join(folder, "home-"));
    const before = await CommandLine.start(projects, home);
    await listMs(before.base);
    await before.stop("SIGTERM");
    const again = await CommandLine.start(projects, home);
    const restarted = await listMs(again.base);
    await again.stop();
    rmSync(home, { recursive: true });
    return { page: page / slow, rows: page, ofMany, ofCopied, restarted: restarted / slow };
  });
  await naive.stop();
  client.stop();
  const firstRows = "First rows, cold";
  return [
    figure("Newest 100 sessions, cold ÷ naive way", "ratio", samples.page, within(1 / 10, 1 / 30)),
    figure("Whole list after a restart ÷ naive way", "ratio", samples.restarted, within(1 / 20, 1 / 50)),
    figure(`${firstRows}: projects`, "ms", samples.rows, within(1_000, 500)),
    figure(`${firstRows}: many sessions of 100 kB`, "ms", samples.ofMany, within(1_000, 500)),
    figure(`${firstRows}: the same in a folder that was copied`, "ms", samples.ofCopied, within(1_000, 500)),
  ];
}

/** In milliseconds. */
function grepMs(folder: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    execFile("grep", ["-rF", NOWHERE, folder], (error) => {
      // Exit code 1 is no match; higher codes are failures.
      if (error?.code === 1) resolve(performance.now() - begun);
      else reject(new Error("grep found the word that is nowhere, or failed.", { cause: error }));
    });
  });
}

/** In milliseconds; counts matching lines of each file, ignoring case. */
function grepCountMs(folder: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    execFile("grep", ["-rci", COMMON, folder], { maxBuffer: 64e6 }, (error) => {
      if (error === null) resolve(performance.now() - begun);
      else reject(new Error("grep found the common word nowhere, or failed.", { cause: error }));
    });
  });
}

async function searchSessionsMs(base: string): Promise<number> {
  const begun = performance.now();
  let hits = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "&limit=20" : `&limit=500&cursor=${encodeURIComponent(cursor)}`;
    const page = await searchPage(base, COMMON, query, "/search/sessions");
    hits += page.sessions?.length ?? 0;
    cursor = page.nextCursor;
  }
  if (hits === 0) throw new Error(`No session holds "${COMMON}".`);
  return performance.now() - begun;
}

async function firstHitMs(base: string): Promise<number> {
  const begun = performance.now();
  for (let query = "&limit=1"; ; ) {
    const { hits, nextCursor } = await searchPage(base, COMMON, query);
    if (hits.length > 0) return performance.now() - begun;
    if (nextCursor === null) throw new Error(`There is no hit of "${COMMON}".`);
    query = `&limit=1&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

async function searchAllMs(base: string): Promise<number> {
  const begun = performance.now();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await searchPage(base, NOWHERE, query);
    if (page.hits.length > 0) throw new Error("The word that is nowhere was found.");
    cursor = page.nextCursor;
  }
  return performance.now() - begun;
}

interface SearchPage {
  readonly hits: readonly unknown[];
  readonly sessions?: readonly unknown[];
  readonly nextCursor: string | null;
}

async function searchPage(base: string, word: string, query: string, path = "/search"): Promise<SearchPage> {
  const response = await fetch(`${base}/__inspector${path}?q=${word}${query}`);
  if (!response.ok) throw new Error(`A search answered ${response.status}.`);
  return (await response.json()) as SearchPage;
}
