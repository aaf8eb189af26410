const GAP = 4;
const MARGIN = 8;
/** Minimum room below for a panel; with less, it opens above. */
const LEAST_BELOW = 220;

/**
 * Places a panel of the top layer at what opened it: below, or above where there is more room, and at the edge that has more room beside it.
 * It never lies outside of the window, and scrolls where it has more to show.
 */
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
