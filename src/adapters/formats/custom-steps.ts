import { readingSteps } from "../transcripts/source/reading-tasks.js";
import { loadFormat } from "./load-format.js";

// Threads import this module with the address of the format's own module.
const { format } = await (
  await loadFormat(new URL(new URL(import.meta.url).searchParams.get("module")!))
).load();

export const steps = readingSteps(format);
