import { nextAxis, usePreferences } from "../../app/preferences.js";
import { STRINGS } from "../../strings/strings.js";

/** Whether the time axis follows the rows on the screen. */
export function AxisSwitch() {
  const { axis } = usePreferences();
  const { followRows, followRowsHint } = STRINGS.trace;
  return (
    <button type="button" title={followRowsHint} aria-pressed={axis === "rows"} onClick={nextAxis}>
      {followRows}
    </button>
  );
}
