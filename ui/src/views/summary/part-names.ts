import type { PartNames } from "../../model/summary/summary-rows.js";
import { STRINGS } from "../../strings/strings.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";

export const PART_NAMES: PartNames = {
  system: strings.system,
  unaccounted: strings.unaccounted,
  unseen: strings.unseen,
  mainAgent: STRINGS.trace.mainAgent,
  unknownModel: STRINGS.header.unknownModel,
};
