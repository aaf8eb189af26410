// Lists the sessions of a folder with the build, in threads, as a process of its own: `format root`. It prints the good session, the
// warnings, how long that takes, how much processor time and memory, and how long the event loop stood still at most, in milliseconds and
// megabytes.
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { TranscriptDataSource } from "../../dist/src/adapters/transcripts/source/transcript-data-source.js";

const [format, root] = process.argv.slice(2);
const module = await import(`../../dist/src/adapters/formats/${format}/${format}-format.js`);
const [, tasks] = Object.entries(module).find(([name]) => name.endsWith("_TASKS"));
const delay = monitorEventLoopDelay({ resolution: 5 });
const source = new TranscriptDataSource(root, tasks, { cacheDir: undefined });
const begun = performance.now();
const before = process.cpuUsage();
delay.enable();
const { items, total, warnings = [] } = await source.findSessions({ limit: 100 });
delay.disable();
const ms = Math.round(performance.now() - begun);
const { user, system } = process.cpuUsage(before);
const cpuMs = Math.round((user + system) / 1e3);
const good = items.find(({ sessionId }) => sessionId === "good");
const reasons = warnings.map(({ file, reason }) => `${file} ${reason}`);
const stillMs = Math.round(delay.max / 1e6);
// `resourceUsage` also counts the parent process.
const mb = Math.round(Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1_024);
process.stdout.write(JSON.stringify({ ms, cpuMs, mb, stillMs, total, good, warnings: reasons.slice(0, 30) }));
process.exit();
