import type { RecordedSession, RecordedTrace } from "../application/recording/session-recorder.js";
import type { DemoClock } from "./demo-clock.js";

/** What a cue records on. */
export interface Stage {
  readonly session: RecordedSession;
  /** The trace of that name, started when it is first asked for. */
  trace(name: string): RecordedTrace;
}

type Perform = (stage: Stage) => Promise<void>;

/**
 * What happens in a session, and when. Cues are added agent by agent and recorded instant by instant, as a real application
 * with agents at work at the same time would record it.
 */
export class Timeline {
  readonly #cues: { readonly at: number; readonly perform: Perform }[] = [];

  /** @param at milliseconds since the session began */
  cue(at: number, perform: Perform): void {
    this.#cues.push({ at, perform });
  }

  /** Records all cues, the last of them at `endsAt`. */
  async play(clock: DemoClock, endsAt: number, open: () => Promise<RecordedSession>): Promise<void> {
    const cues = this.#cues.toSorted((a, b) => a.at - b.at);
    const begunAt = endsAt - (cues.at(-1)?.at ?? 0);
    clock.instant = begunAt;
    const stage = stageOf(await open());
    const written: Promise<void>[] = [];
    for (const { at, perform } of cues) {
      clock.instant = begunAt + at;
      written.push(perform(stage));
    }
    await Promise.all(written);
  }
}

function stageOf(session: RecordedSession): Stage {
  const traces = new Map<string, RecordedTrace>();
  return {
    session,
    trace(name) {
      const trace = traces.get(name) ?? session.startTrace();
      traces.set(name, trace);
      return trace;
    },
  };
}
