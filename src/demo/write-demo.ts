import type { SessionStore } from "../application/ports/session-store.js";
import type { RecorderClock } from "../application/recording/recording.js";
import { SessionRecorder } from "../application/recording/session-recorder.js";
import { type LiveSession, startLiveSession } from "./live-session.js";
import { Scene, type Story } from "./scene.js";
import { flakyTest, migration, review } from "./stories/coding.js";
import { EVERYDAY_STORIES } from "./stories/everyday.js";
import { FAILURE_STORIES } from "./stories/failures.js";
import { FOREIGN_TEXT_STORIES } from "./stories/foreign-text.js";
import { RESEARCH_STORIES } from "./stories/research.js";
import { diskFull, pictures, SUPPORT_STORIES } from "./stories/support.js";

const STORIES: readonly Story[] = [
  flakyTest,
  migration,
  review,
  diskFull,
  pictures,
  ...SUPPORT_STORIES,
  ...FOREIGN_TEXT_STORIES,
  ...RESEARCH_STORIES,
  ...FAILURE_STORIES,
  ...EVERYDAY_STORIES,
];

export async function startDemo(store: SessionStore): Promise<LiveSession> {
  await writeDemo((clock) => new SessionRecorder(store, { clock }), Date.now());
  return startLiveSession(new SessionRecorder(store));
}

/**
 * Apart from its instants, the sample is always the same.
 * @param now milliseconds since the epoch
 */
export async function writeDemo(
  recorderFor: (clock: RecorderClock) => SessionRecorder,
  now: number,
): Promise<void> {
  for (const story of STORIES) {
    const scene = new Scene(story);
    story.record(scene);
    await scene.play(recorderFor, now);
  }
}
