import type { SpanKind } from "../../../../src/domain/spans/span.js";
import styles from "./kind-icon.module.css";

const PATHS: { readonly [kind in SpanKind]: string } = {
  session: "M3 3.5h10v9H3zM3 6.5h10",
  run: "M5 3.5v9l7-4.5z",
  turn: "M3 3.5h10v7H8l-3 2.5v-2.5H3z",
  llm: "M8 2.5l1.5 4 4 1.5-4 1.5-1.5 4-1.5-4-4-1.5 4-1.5z",
  tool: "M10.5 2.8a3.2 3.2 0 0 0-3 4.4l-4.7 4.7 1.3 1.3 4.7-4.7a3.2 3.2 0 0 0 4.4-3l-2 1.2-1.8-1.8z",
  skill: "M8.5 2L4 9h3.5l-.5 5 5-7.5H8.5z",
  text: "M3 4.5h10M3 8h10M3 11.5h6",
  compaction: "M8 2v4M5.8 4.2L8 6.4l2.2-2.2M8 14v-4M5.8 11.8L8 9.6l2.2 2.2M3 8h10",
  input: "M8 2.5a5.5 5.5 0 1 0 .01 0M8 5v3.2l2 1.6",
  usage: "M3.5 13V8M8 13V3M12.5 13V6",
  agent: "M4 6.5h8v6.5H4zM8 6.5v-3M6.3 9.3v.6M9.7 9.3v.6M2.5 9v2M13.5 9v2",
  job: "M3 5.5h10v7H3zM6 5.5v-2h4v2",
  wait: "M4.5 2.5h7M4.5 13.5h7M5 2.5c0 3 6 8 6 11M11 2.5c0 3-6 8-6 11",
  error: "M8 2.5l6 10.5H2zM8 6.5v3M8 11.2v.1",
  span: "M2.5 8h11M2.5 5.5v5M13.5 5.5v5",
  evaluation: "M2.5 8.5l3.5 3.5 7.5-8",
  unknown: "M8 2.5l5.5 5.5L8 13.5 2.5 8z",
  group: "M3 3.5h10M3 6.5h10M3 9.5h10M3 12.5h10",
};

interface KindIconProps {
  readonly kind: SpanKind;
  /** For screen readers; `""` if the text beside it says so. */
  readonly label: string;
}

export function KindIcon({ kind, label }: KindIconProps) {
  return (
    <>
      <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
        <path d={PATHS[kind]} />
      </svg>
      {label !== "" && <span className="visually-hidden">{label}</span>}
    </>
  );
}
