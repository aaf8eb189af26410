import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { SourceReport } from "../src/domain/session/source-report.js";
import { writeProjects } from "./claude-code.js";
import { CommandLine, MAIN } from "./command-line.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { Client } from "./measure.js";
import type { Sizes } from "./sizes.js";

/** Prompts in the history beside the projects; each second one is of a missing session. */
const PROMPTS = 20_000;

/** The fate of histories: on the command line, cold and warm, and from its server, warm. */
export async function sources(folder: string, { projectsBytes, runs }: Sizes): Promise<Figure[]> {
  const home = path.join(folder, ".claude");
  const projects = path.join(home, "projects");
  await mkdir(projects, { recursive: true });
  const { sessions } = await writeProjects(projects, path.join(folder, "one-copy"), projectsBytes);
  await writeFile(path.join(home, "history.jsonl"), historyLines());
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const user = await mkdtemp(path.join(folder, "user-"));
    const cold = await timed(() => askSources(projects, user, sessions));
    const again = await timed(() => askSources(projects, user, sessions));
    const server = await CommandLine.start(projects, user);
    await client.takeOne(`${server.base}/__inspector/sources`);
    const served = await client.takeOne(`${server.base}/__inspector/sources`);
    await server.stop();
    await rm(user, { recursive: true });
    return { cold, again, served: served.ms };
  });
  client.stop();
  const name = `Sources of ${Math.round(projectsBytes / 1e6)} MB of Claude Code`;
  return [
    figure(`${name}: command line, first time`, "ms", samples.cold),
    figure(`${name}: command line, second time`, "ms", samples.again, within(500)),
    figure(`${name}: server, second time`, "ms", samples.served, within(500)),
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The report must count every session, and the missing ones. */
async function askSources(projects: string, home: string, sessions: number): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "sources", projects, "--json"], {
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: path.join(home, ".cache") },
  });
  const [source] = (JSON.parse(stdout) as { readonly sources: readonly SourceReport[] }).sources;
  if (source?.isComplete !== true || source.sessions !== sessions || source.goneCount !== PROMPTS / 2)
    throw new Error(`The sources are not what they should be: ${stdout.slice(0, 500)}`);
}

function historyLines(): string {
  const lines = Array.from({ length: PROMPTS }, (_, i) =>
    JSON.stringify({
      display: `Count the apples in basket ${i}, ${"and the pears ".repeat(20)}`,
      pastedContents: {},
      timestamp: 1_760_000_000_000 + i * 60_000,
      project: "/home/ada/shop",
      sessionId: `gone-${i >> 1}`,
    }),
  );
  return `${lines.join("\n")}\n`;
}
