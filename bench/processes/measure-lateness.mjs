import { monitorEventLoopDelay } from "node:perf_hooks";

/** Answers each message of the parent with the longest delay of the event loop; "reset" restarts the measurement. */
export function measureLateness() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on("message", (message) => {
    const maxDelayMs = delay.max / 1e6;
    if (message === "reset") delay.reset();
    process.send({ maxDelayMs });
  });
}
