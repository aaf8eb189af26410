import type { RecordedSession, RecordedTrace } from "../application/recording/recorded-session.js";
import type { RecorderClock } from "../application/recording/recording.js";
import type { OpenSessionOptions, SessionRecorder } from "../application/recording/session-recorder.js";
import { derivedId, fingerprint } from "../domain/text/fingerprints.js";
import type { TraceEvent } from "../domain/trace/trace-envelope.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../domain/usage/token-usage.js";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Story
  extends Required<Pick<OpenSessionOptions, "tenantId" | "userId" | "agentId" | "title">> {
  readonly sessionId?: string;
  readonly endedAgoMs: number;
  record(scene: Scene): void;
}

interface Stage {
  readonly session: RecordedSession;
  trace(name: string): RecordedTrace;
}

type Cue = (stage: Stage) => Promise<void>;

export class Scene {
  readonly sessionId: string;
  readonly #story: Story;
  readonly #cues: { readonly at: number; readonly cue: Cue }[] = [];
  #spent: TokenUsage = NO_USAGE;
  #ids = 0;
  #runId: string | undefined;

  constructor(story: Story) {
    this.#story = story;
    this.sessionId = story.sessionId ?? derivedId(`${story.tenantId} ${story.title}`);
  }

  /** The same in every demo. */
  id(prefix: string): string {
    const id = derivedId(`${this.sessionId} ${this.#ids++}`);
    return `${prefix}_${id.replaceAll("-", "").slice(0, 20)}`;
  }

  /** @param at milliseconds since the session began */
  cue(at: number, cue: Cue): void {
    this.#cues.push({ at, cue });
  }

  spend(usage: TokenUsage): void {
    this.#spent = addUsage(this.#spent, usage);
  }

  takeSpent(): TokenUsage {
    const spent = this.#spent;
    this.#spent = NO_USAGE;
    return spent;
  }

  orchestrate(at: number, event: TraceEvent): void {
    if (this.#runId === undefined) {
      this.#runId = this.id("run");
      const initialTask = { id: this.id("task"), kind: this.#story.agentId };
      this.#recordOrchestration(at, { type: "run_started", initialTask });
    }
    this.#recordOrchestration(at, event);
  }

  endRun(at: number): void {
    if (this.#runId !== undefined)
      this.#recordOrchestration(at, { type: "run_completed", status: "completed" });
    this.#runId = undefined;
  }

  #recordOrchestration(at: number, event: TraceEvent): void {
    const full = { runId: this.#runId, ...event };
    this.cue(at, ({ session }) => session.recordOrchestration(full));
  }

  async play(recorderFor: (clock: RecorderClock) => SessionRecorder, now: number): Promise<void> {
    const { tenantId, userId, agentId, title, endedAgoMs } = this.#story;
    const { sessionId } = this;
    const cues = this.#cues.toSorted((a, b) => a.at - b.at);
    const begunAt = now - endedAgoMs - this.#oddMs() - (cues.at(-1)?.at ?? 0);
    let instant = begunAt;
    let ids = 0;
    const newId = () => derivedId(`${tenantId} ${sessionId} ${ids++}`);
    const recorder = recorderFor({ now: () => instant, newId });
    const stage = stageOf(await recorder.open({ tenantId, sessionId, userId, agentId, title }));
    const written: Promise<void>[] = [];
    for (const { at, cue } of cues) {
      instant = begunAt + at;
      written.push(cue(stage));
    }
    await Promise.all(written);
  }

  #oddMs(): number {
    return this.#story.endedAgoMs < HOUR / 2 ? 0 : Number.parseInt(fingerprint(this.sessionId), 16) % HOUR;
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
