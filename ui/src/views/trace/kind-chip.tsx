import { formatCount } from "../../model/formats.js";
import type { TraceFilters } from "../../model/trace-filters.js";
import { STRINGS } from "../../strings/strings.js";

/** The kinds that have a chip, those that are filtered for most often first. */
export const CHIPS = ["llm", "tool", "text", "agent", "compaction", "input", "error", "unknown"] as const;

type Chip = (typeof CHIPS)[number];

interface KindChipProps {
  readonly kind: Chip;
  readonly count: number;
  readonly filters: TraceFilters;
  onFilter(changes: Pick<TraceFilters, "kinds" | "hidden">): void;
}

const { trace, chips } = STRINGS;

/** Shows the steps of a kind alone, or hides them. */
export function KindChip({ kind, count, filters: { kinds, hidden }, onFilter }: KindChipProps) {
  const isHidden = hidden.includes(kind);
  const showAlone = () => {
    const isAlone = kinds.length === 1 && kinds[0] === kind && hidden.length === 0;
    onFilter({ kinds: isAlone ? [] : [kind], hidden: [] });
  };
  const hide = () => {
    const others = hidden.filter((other) => other !== kind);
    onFilter({
      kinds: kinds.filter((other) => other !== kind),
      hidden: isHidden ? others : [...hidden, kind],
    });
  };
  return (
    <button
      type="button"
      aria-pressed={kinds.includes(kind)}
      data-kind={kind}
      data-hidden={isHidden}
      title={trace.chipHint}
      onClick={({ altKey }) => (altKey ? hide() : showAlone())}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !event.altKey) return;
        event.preventDefault();
        hide();
      }}
    >
      {chips[kind]} <small>{formatCount(count)}</small>
      {isHidden && <span className="visually-hidden">{trace.hidden}</span>}
    </button>
  );
}
