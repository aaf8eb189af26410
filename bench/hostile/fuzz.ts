/**
 * `npm run bench:damaged`: thousands of histories of every format with one damaged file each, behind a real server. No answer may be a
 * 500 or invalid JSON, no valid line may be lost, and memory has to stay constant. `--files N` for each format (default 20,000), `--seed
 * N` begins elsewhere.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ServerProcess } from "../measure.js";
import { seeded } from "../random.js";
import { FORMATS, type HostileFormat } from "./formats.js";
import { below, MUTATIONS } from "./mutations.js";

const MOST_MS = 5_000;
const MOST_MB = 256;

/** Damaged histories in the folder at the same time. */
const AT_ONCE = 200;

const { values } = parseArgs({
  options: { files: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
});
const count = Number(values.files);
const random = seeded(Number(values.seed));

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

for (const format of FORMATS) {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-hostile-"));
  try {
    await tryFormat(format, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryFormat(format: HostileFormat, folder: string): Promise<void> {
  const originals = path.join(folder, "originals");
  const histories = await format.write(originals);
  const root = path.join(folder, "root");
  await mkdir(root);
  const service = await ServerProcess.start("service", format.source, root);
  const begun = performance.now();
  const faults = new Map<string, number>();
  let slowest = 0;
  let requests = 0;

  const fault = (kind: string, detail: string) => {
    const existing = faults.get(kind) ?? 0;
    faults.set(kind, existing + 1);
    if (existing < 5) console.log(`  ${kind}: ${detail}`);
    process.exitCode = 1;
  };
  const ask = async (at: string, what: string): Promise<Answer | undefined> => {
    const startedAt = performance.now();
    const response = await fetch(`${service.base}/__inspector${at}`);
    const bytes = await response.arrayBuffer();
    const ms = performance.now() - startedAt;
    slowest = Math.max(slowest, ms);
    requests++;
    if (ms > MOST_MS) fault("slow", `${what}: ${Math.round(ms)} ms`);
    if (response.status >= 500) fault(`status ${response.status}`, what);
    try {
      const body: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      return { status: response.status, body };
    } catch (error) {
      fault("no JSON", `${what}: ${error}`);
      return undefined;
    }
  };

  for (let done = 0; done < count; done += AT_ONCE) {
    const damaged = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, i) => {
      const history = histories[below(histories.length, random)]!;
      return { history, tenantId: `t${done + i}`, mutation: MUTATIONS[below(MUTATIONS.length, random)]! };
    });
    for (const { history, tenantId, mutation } of damaged) {
      const to = path.join(root, format.placeOf(tenantId, history));
      await cp(path.join(originals, history.folder), to, { recursive: true });
      const files = (await readdir(to, { recursive: true })).filter((file) => /\.jsonl?$/.test(file)).sort();
      const file = path.join(to, files[below(files.length, random)]!);
      await writeFile(file, mutation.apply(await readFile(file), random));
    }
    await ask("/sessions", "the list");
    for (const { history, tenantId, mutation } of damaged) {
      const answers: Record<string, unknown> = {};
      for (const list of ["trace", "messages", "orchestration"]) {
        const at = `/sessions/${encodeURIComponent(history.sessionId)}/${list}?tenantId=${tenantId}`;
        const answer = await ask(at, `${list} of ${tenantId}, ${history.folder}, ${mutation.name}`);
        if (answer?.status === 200) answers[list] = answer.body;
      }
      const place = path.join(root, format.placeOf(tenantId, history));
      for (const lost of await format.lostLines(place, answers)) {
        fault("lost", `${lost} of ${tenantId}, ${history.folder}, ${mutation.name}`);
      }
    }
    for (const entry of await readdir(path.join(root, format.tenants))) {
      await rm(path.join(root, format.tenants, entry), { recursive: true });
    }
  }

  const memory = service.residentMemoryMB;
  if (memory > MOST_MB) fault("memory", `${Math.round(memory)} MB at the end`);
  await service.stop();
  const sums = [...faults].map(([kind, times]) => `${kind} ${times}`).join(", ") || "no fault";
  console.log(
    `${format.name}: ${count} damaged histories, ${requests} answers in ${Math.round((performance.now() - begun) / 1000)} s, ` +
      `slowest ${Math.round(slowest)} ms, ${Math.round(memory)} MB at the end: ${sums}`,
  );
}
