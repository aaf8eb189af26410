const GAP = 4;
const MARGIN = 8;
/** With less room below, a panel opens above. */
const LEAST_BELOW = 220;

/** Below the opener, or above with more room, at the edge with more room. Stays in the window, and scrolls. */
export function placePopover(panel: HTMLElement, opener: HTMLElement): void {
  const { left, right, top, bottom } = opener.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - bottom - GAP - MARGIN;
  const above = top - GAP - MARGIN;
  const isAbove = below < LEAST_BELOW && above > below;
  const isRight = left + right > clientWidth;
  const { style } = panel;
  style.inset = "auto";
  style.maxHeight = `${isAbove ? above : below}px`;
  if (isAbove) style.bottom = `${clientHeight - top + GAP}px`;
  else style.top = `${bottom + GAP}px`;
  const edge = Math.max(MARGIN, isRight ? clientWidth - right : left);
  style[isRight ? "right" : "left"] = `${edge}px`;
  style.maxWidth = `${clientWidth - edge - MARGIN}px`;
}
