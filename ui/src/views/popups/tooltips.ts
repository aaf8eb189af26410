import styles from "./tooltips.module.css";

const TIP = "data-tip";
const ID = "tooltip";
/** A passing pointer opens nothing. Moving between tooltips has no delay. */
const WAIT_MS = 400;
/** For the way from an element to its tip, which accepts the pointer. */
const LEAVE_MS = 150;
const GAP = 6;
const MARGIN = 8;

/**
 * One element for all tips, by pointer and focus. A tip describes its element (`aria-describedby`), stays under the pointer, and closes
 * by Escape, a press or scrolling (WCAG 1.4.13). Thousands of cells cost only an attribute each.
 */
export function showTips(root: Document): void {
  const tip = root.createElement("div");
  tip.id = ID;
  tip.className = styles.tip!;
  tip.role = "tooltip";
  tip.popover = "manual";
  let current: Element | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The described element may be removed or changed.
  const changes = new MutationObserver(() => current !== undefined && show(current));

  const hide = () => {
    clearTimeout(timer);
    if (current === undefined) return;
    changes.disconnect();
    describe(current, false);
    current = undefined;
    tip.remove();
  };
  const show = (element: Element) => {
    const text = element.getAttribute(TIP);
    if (!text || !element.isConnected) return hide();
    if (current === element && tip.textContent === text) return;
    hide();
    current = element;
    describe(element, true);
    tip.textContent = text;
    // In a landmark; inside a modal dialog, which alone is readable.
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
    if (element === current) clearTimeout(timer);
    else if (element === null) after(LEAVE_MS, hide);
    // Touch presses controls, and opens tips of the rest.
    else if (pointerType !== "touch") after(current === undefined ? WAIT_MS : LEAVE_MS, () => show(element));
    else if (target.closest("a, button, input") === null) after(0, () => show(element));
  });
  root.documentElement.addEventListener("pointerleave", () => after(LEAVE_MS, hide));
  root.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
    const element = target.closest(`[${TIP}]`) ?? target.querySelector(`:scope > [${TIP}]`);
    // Later: the focus may come from a panel of the top layer, which blocks other panels meanwhile.
    after(0, () => (element === null ? hide() : show(element)));
  });
  root.addEventListener("focusout", hide);
  root.addEventListener("pointerdown", hide, true);
  root.addEventListener("scroll", hide, true);
  root.addEventListener("keydown", ({ key }) => key === "Escape" && hide(), true);
}

function describe(element: Element, isVisible: boolean): void {
  const others = (element.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== ID);
  const ids = isVisible ? [...others, ID] : others;
  if (ids.length === 0) element.removeAttribute("aria-describedby");
  else element.setAttribute("aria-describedby", ids.join(" "));
}

/** Below the element, or above without room, within the window. */
function place(tip: HTMLElement, element: Element): void {
  const at = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.min(at.left, clientWidth - width - MARGIN);
  const isBelow = at.bottom + GAP + height + MARGIN <= clientHeight || at.top < height + GAP;
  tip.style.left = `${Math.max(MARGIN, left)}px`;
  tip.style.top = `${isBelow ? at.bottom + GAP : at.top - GAP - height}px`;
}
