import type { OpenSessionOptions, SessionRecorder } from "../../application/session-recorder.js";
import { derivedId } from "../../domain/derived-id.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../../domain/session.js";
import type { TraceEvent } from "../../domain/trace-envelope.js";
import { DemoClock } from "./demo-clock.js";
import { Timeline } from "./timeline.js";

/** A session of the demo: who it is about, how long ago it ended, and what happens in it. */
export interface Story
  extends Required<Pick<OpenSessionOptions, "tenantId" | "userId" | "agentId" | "title">> {
  /** Default is one derived from tenant and title. */
  readonly sessionId?: string;
  readonly endedAgoMs: number;
  tell(scene: Scene): void;
}

/** A session while its story is being told. */
export class Scene {
  readonly sessionId: string;
  readonly timeline = new Timeline();
  readonly #story: Story;
  #spent: TokenUsage = NO_USAGE;
  #ids = 0;
  #runBegan = false;

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

  /** An event of a sub-agent's life; the first one begins the run. */
  orchestrate(at: number, event: TraceEvent): void {
    const runId = `run:${this.sessionId}`;
    if (!this.#runBegan) {
      this.#runBegan = true;
      const initialTask = { id: `task:${this.sessionId}:root`, kind: this.#story.agentId };
      this.timeline.cue(at, ({ session }) =>
        session.recordOrchestration({ type: "run_started", runId, initialTask }),
      );
    }
    this.timeline.cue(at, ({ session }) => session.recordOrchestration({ runId, ...event }));
  }

  /** Records the story, so that it ended as long before `now` as it says. */
  async play(recorderFor: (clock: DemoClock) => SessionRecorder, now: number): Promise<void> {
    const clock = new DemoClock(`${this.#story.tenantId} ${this.sessionId}`);
    const recorder = recorderFor(clock);
    const { tenantId, userId, agentId, title, endedAgoMs } = this.#story;
    const { sessionId } = this;
    await this.timeline.play(clock, now - endedAgoMs, () =>
      recorder.open({ tenantId, sessionId, userId, agentId, title }),
    );
  }
}
