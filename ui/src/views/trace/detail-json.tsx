import { useEffect, useRef } from "react";
import type { SpanDetail } from "../../engine/trace-protocol.js";
import { STRINGS } from "../../strings.js";
import { JsonTree } from "../parts/json-tree.js";
import styles from "./detail-pane.module.css";

interface DetailJsonProps {
  readonly detail: SpanDetail;
  readonly open: boolean;
  onToggle(): void;
}

/** The envelopes of an event as a tree, under a bar that folds them. */
export function DetailJson({ detail: { start, end }, open, onToggle }: DetailJsonProps) {
  const section = useRef<HTMLElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    // Below a long readable view the reader would not see that something has opened.
    if (open && !wasOpen.current) section.current?.scrollIntoView({ block: "start" });
    wasOpen.current = open;
  }, [open]);
  return (
    <section ref={section} className={styles.json} data-open={open} aria-label={STRINGS.detail.raw}>
      <h3>
        <button type="button" aria-expanded={open} onClick={onToggle}>
          <span aria-hidden="true">{open ? "▾" : "▸"}</span> {STRINGS.detail.raw}
          <kbd>r</kbd>
        </button>
      </h3>
      {open && <JsonTree value={end === undefined ? start : { start, end }} />}
    </section>
  );
}
