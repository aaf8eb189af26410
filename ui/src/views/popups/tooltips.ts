import styles from "./tooltips.module.css";

/** Attribute with the tooltip text of an element, `data-tip`. */
const TIP = "data-tip";
const ID = "tooltip";
/** Delay before a tooltip opens, so that a passing pointer opens nothing. Moving from tooltip to tooltip has no delay. */
const WAIT_MS = 400;
/** So long the pointer may take from an element to its tip, which can be pointed at itself. */
const LEAVE_MS = 150;
const GAP = 6;
const MARGIN = 8;

/**
 * Shows the tips of the page: one element for all, above everything, by the pointer and by the keyboard's focus alike. A tip describes its
 * element (`aria-describedby`), stays while one points at it, and goes by Escape, a press or scrolling (WCAG 1.4.13). Nothing is rendered
 * for it, so that a table of thousands of cells with tips costs an attribute each.
 */
export function showTips(root: Document): void {
  const tip = root.createElement("div");
  tip.id = ID;
  tip.className = styles.tip!;
  tip.role = "tooltip";
  tip.popover = "manual";
  let shown: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The described element may have been removed, or have another text by now.
  const changes = new MutationObserver(() => shown !== undefined && show(shown));

  const hide = () => {
    clearTimeout(timer);
    if (shown === undefined) return;
    changes.disconnect();
    describe(shown, false);
    shown = undefined;
    tip.remove();
  };
  const show = (element: Element) => {
    const text = element.getAttribute(TIP);
    if (!text || !element.isConnected) return hide();
    if (shown === element && tip.textContent === text) return;
    hide();
    shown = element;
    describe(element, true);
    tip.textContent = text;
    // In a landmark, and in what alone can be read while it is modal.
    (element.closest("dialog") ?? root.querySelector("header") ?? root.body).append(tip);
    tip.showPopover();
    place(tip, element);
    changes.observe(root.getElementById("app") ?? root.body, {
      subtree: true,
      childList: true,
      attributeFilter: [TIP],
    });
  };
  const after = (ms: number, act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };

  root.addEventListener("pointerover", ({ target, pointerType }) => {
    if (!(target instanceof Element)) return;
    if (target === tip) return clearTimeout(timer);
    const element = target.closest(`[${TIP}]`);
    if (element === shown) clearTimeout(timer);
    else if (element === null) after(LEAVE_MS, hide);
    // A finger presses what can be pressed, and asks what the rest means.
    else if (pointerType !== "touch") after(shown === undefined ? WAIT_MS : LEAVE_MS, () => show(element));
    else if (target.closest("a, button, input") === null) after(0, () => show(element));
  });
  root.documentElement.addEventListener("pointerleave", () => after(LEAVE_MS, hide));
  root.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
    const element = target.closest(`[${TIP}]`) ?? target.querySelector(`:scope > [${TIP}]`);
    // Afterwards: the focus may have come by a panel of the top layer, which lets nothing else into it meanwhile.
    after(0, () => (element === null ? hide() : show(element)));
  });
  root.addEventListener("focusout", hide);
  root.addEventListener("pointerdown", hide, true);
  root.addEventListener("scroll", hide, true);
  root.addEventListener("keydown", ({ key }) => key === "Escape" && hide(), true);
}

function describe(element: Element, isShown: boolean): void {
  const others = (element.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== ID);
  const ids = isShown ? [...others, ID] : others;
  if (ids.length === 0) element.removeAttribute("aria-describedby");
  else element.setAttribute("aria-describedby", ids.join(" "));
}

/** Places it below the element, or above if there is no room, and never outside of the window. */
function place(tip: HTMLElement, element: Element): void {
  const at = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.min(at.left, clientWidth - width - MARGIN);
  const isBelow = at.bottom + GAP + height + MARGIN <= clientHeight || at.top < height + GAP;
  tip.style.left = `${Math.max(MARGIN, left)}px`;
  tip.style.top = `${isBelow ? at.bottom + GAP : at.top - GAP - height}px`;
}
