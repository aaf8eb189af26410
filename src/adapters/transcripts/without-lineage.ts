import type { TranscriptFormat } from "./format.js";

/** Of a format whose sessions never begin with records of others. */
export const WITHOUT_LINEAGE: Pick<TranscriptFormat, "relatives" | "lineage"> = {
  *relatives() {
    yield;
    return [];
  },
  *lineage() {
    yield;
    return { name: "", isReplay: () => false };
  },
};
