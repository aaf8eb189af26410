import { SourceChangedError } from "../errors.js";

/** Does something again where the source changed meanwhile: the second time it finds what is there now, or that nothing is. */
export async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceChangedError) return work();
    throw error;
  }
}
