import type { RecorderClock } from "../application/recording/recording.js";
import type { SessionRecorder } from "../application/recording/session-recorder.js";
import { Scene } from "./scene.js";
import { STORIES } from "./stories.js";

/**
 * Writes the sample: some two dozen sessions that ended in the days before `now`, the same in every demo but for their
 * instants.
 *
 * @param recorderFor a recorder that takes its instants and ids from the given clock
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
