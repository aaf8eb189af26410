import type { OpenSessionOptions, SessionRecorder } from "../application/recording/session-recorder.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../domain/session/session.js";
import { derivedId, fingerprint } from "../domain/text/fingerprints.js";
import type { TraceEvent } from "../domain/trace/trace-envelope.js";
import { HOUR } from "./ago.js";
import { DemoClock } from "./demo-clock.js";
import { Timeline } from "./timeline.js";

/** A session of the demo: who it is about, how long ago it ended, and what happens in it. */
export interface Story
  extends Required<Pick<OpenSessionOptions, "tenantId" | "userId" | "agentId" | "title">> {
  /** Default is one derived from tenant and title. */
  readonly sessionId?: string;
  readonly endedAgoMs: number;
  /** Records what happens in the session. */
  record(scene: Scene): void;
}

/** A session of the demo while it is being recorded. */
export class Scene {
  readonly sessionId: string;
  readonly timeline = new Timeline();
  readonly #story: Story;
  #spent: TokenUsage = NO_USAGE;
  #ids = 0;
  #runId: string | undefined;

  constructor(story: Story) {
    this.#story = story;
    this.sessionId = story.sessionId ?? derivedId(`${story.tenantId} ${story.title}`);
  }

  /** An id that is the same in every demo. */
  id(prefix: string): string {
    return `${prefix}_${derivedId(`${this.sessionId} ${this.#ids++}`)
      .replaceAll("-", "")
      .slice(0, 20)}`;
  }

  /** Tokens that a model read and wrote, the agents' own or a sub-agent's. */
  spend(usage: TokenUsage): void {
    this.#spent = addUsage(this.#spent, usage);
  }

  /** The tokens since the last time this was asked. */
  takeSpent(): TokenUsage {
    const spent = this.#spent;
    this.#spent = NO_USAGE;
    return spent;
  }

  /** An event of a sub-agent's life; the first one of a turn begins a run. */
  orchestrate(at: number, event: TraceEvent): void {
    if (this.#runId === undefined) {
      this.#runId = this.id("run");
      const initialTask = { id: this.id("task"), kind: this.#story.agentId };
      this.#recordOrchestration(at, { type: "run_started", initialTask });
    }
    this.#recordOrchestration(at, event);
  }

  /** Ends the run, where one began. */
  endRun(at: number): void {
    if (this.#runId !== undefined)
      this.#recordOrchestration(at, { type: "run_completed", status: "completed" });
    this.#runId = undefined;
  }

  #recordOrchestration(at: number, event: TraceEvent): void {
    const full = { runId: this.#runId, ...event };
    this.timeline.cue(at, ({ session }) => session.recordOrchestration(full));
  }

  /** Records the story, so that it ended `endedAgoMs` before `now`. */
  async play(recorderFor: (clock: DemoClock) => SessionRecorder, now: number): Promise<void> {
    const clock = new DemoClock(`${this.#story.tenantId} ${this.sessionId}`);
    const recorder = recorderFor(clock);
    const { tenantId, userId, agentId, title, endedAgoMs } = this.#story;
    const { sessionId } = this;
    await this.timeline.play(clock, now - endedAgoMs - this.#oddMs(), () =>
      recorder.open({ tenantId, sessionId, userId, agentId, title }),
    );
  }

  /** Nothing ends on the minute. */
  #oddMs(): number {
    return this.#story.endedAgoMs < HOUR / 2 ? 0 : Number.parseInt(fingerprint(this.sessionId), 16) % HOUR;
  }
}
