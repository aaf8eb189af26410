import { SEED } from "./claude-code-copies.js";
import { type Figure, figuresTable } from "./figures.js";
import { TAKEN_FOR_P99 } from "./measure.js";
import { measuredOn } from "./measured-on.js";
import type { Sizes } from "./sizes.js";

export function results(figures: readonly Figure[], sizes: Sizes): string {
  const {
    bigTrace,
    hugeTrace,
    sessions,
    session,
    projectsBytes,
    projectSessions,
    manySessions,
    runs,
    summaryTurns,
    comparedTurns,
    otlpTraces,
  } = sizes;
  return `# Results of \`npm run bench\`

${measuredOn()}.

The big trace is ${bigTrace.envelopes} envelopes (100 MB), the big messages are 100 MB, the huge trace is
${hugeTrace.envelopes} envelopes (700 MB), the list is ${sessions} sessions of ${session.envelopes} envelopes (250 MB),
the small trace is ${session.envelopes} envelopes. Each figure is the median of ${runs} runs, each with a process that was just started.

The big trace and the list are measured in three shapes, because how an application writes decides how much of a file tells of its end:

| Shape | |
|---|---|
| turns | one trace of turns of 20 envelopes that begin and end |
| agentrail | as Agentrail applications write: a trace for each run, of 19 to 41 envelopes and numbered from 0. Each begins with \`agent_start\`, which nothing ends, and has turns, messages and tool executions. An orchestration log lies beside it. The answer is numbered anew, with the orchestration events behind the envelopes |
| one long run | one trace that begins with \`agent_start\`; behind it no run and no turn begins or ends |

What is not said to be in a shape has the shape of turns.

The Claude Code list is ${projectsBytes / 1e9} GB of sessions with their sub-agents: copies of ${SEED.name}, each with ids of its own, so that none
looks like a fork of another. What it adds up to is compared with what one copy adds up to. "Command line" is the command on that
folder, from the request on; "in an application" is the source mounted beside a route of the host's own. The session in a
large project has 3 MB and lies beside ${projectSessions} small ones.

The searches go through the same copies by HTTP, page after page, beside GNU \`grep -rF\` on the same files, which were read before.
"After a restart" is the command line with the cache folder that an earlier one left; "cold" is one with an empty one, from the
request on. The many sessions of 100 kB are ${manySessions}, in one project.

Why a line is there is asked on the command line in the same copies, each time of a process that is started for it: every edit of the file with many
writers was made in as many sessions as there are copies, that of few was edited in one, that of none in none.

The session that is summed up has ${summaryTurns} turns of 20 model calls, each with the call of a tool, as Claude Code writes them; those that are
compared have ${comparedTurns}, and say other things from four fifths on. "Cold" is the first request to a process that was just started.

The own source has the five methods, each of which answers after 200 ms, and 500 sessions. All pages of the search are taken.

The OTLP files are one with ${otlpTraces} traces of one span each. "Cold" is the first page of the list of a process that was just started; the session is
asked for behind it, and all sessions behind that.

Spans are received in requests of 500, on one processor together with the host's own route. The receiver's longest stall and co-hosted route are measured
beside those of a route that only takes the bytes. The disk that hangs writes nothing while they are sent, and then all that was taken.

A run of windows is the median of 20 that follow one another, after the first was asked for once.

Times are ratios to a yardstick that was measured in the same run: a plain \`node:http\` server that streams the same bytes from a
ready file, or the naive way (one process reads every file, parses every line, sorts, \`c.json\`; it was asked once before). Memory growth
is the kernel's peak (VmHWM) less that at idle, peak memory is all of it; both include the process's threads. Stalls are
\`monitorEventLoopDelay\`'s maximum in the host's event loop. The co-hosted route is asked every 10 ms, while a big list is taken
${TAKEN_FOR_P99} times in turn, or the Claude Code list once.

${figuresTable(figures)}
`;
}
