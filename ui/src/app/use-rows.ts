import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { PAGE_ROWS as PAGE } from "../engine/sessions/list-protocol.js";

interface VirtualRows<T> {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly version: string | number;
  readonly count: number;
  /** An estimate if rows are measured. */
  readonly height: number;
  readonly overscan: number;
  readonly gap?: number;
  readonly scrollPaddingStart?: number;
  readonly scrollPaddingEnd?: number;
  /** The first page, if it came with the version. */
  readonly first?: readonly T[];
  load(from: number, to: number): Promise<readonly T[]>;
}

export function useVirtualRows<T>(list: VirtualRows<T>) {
  const { scroller, version, count, height, first: firstRows, load, ...options } = list;
  const virtual: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    ...options,
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
  });
  const { rowAt, currentRowAt, show } = useRows(version, count, load, firstRows);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = (items.at(-1)?.index ?? 0) + 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is other rows on the same lines
  useEffect(() => show(first, last), [show, first, last, version]);
  return { virtual, items, rowAt, currentRowAt };
}

/** After a change of the version, old rows stay until the new ones arrive, so that nothing flickers. */
function useRows<T>(
  version: string | number,
  count: number,
  load: (from: number, to: number) => Promise<readonly T[]>,
  first?: readonly T[],
) {
  const pages = useRef(new Map<number, { version: string | number; rows: readonly T[] }>());
  const requested = useRef(new Map<number, string | number>());
  const [, redraw] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  const newest = useRef(version);
  newest.current = version;
  const firstRows = useRef(first);
  firstRows.current = first;
  if (first !== undefined && requested.current.size === 0) {
    requested.current.set(0, version);
    pages.current.set(0, { version, rows: first });
  }

  const show = useCallback((from: number, to: number) => {
    for (let page = Math.floor(Math.max(0, from) / PAGE); page * PAGE < to; page++) {
      const wanted = newest.current;
      if (requested.current.get(page) === wanted) continue;
      requested.current.set(page, wanted);
      if (page === 0 && firstRows.current !== undefined) {
        pages.current.set(page, { version: wanted, rows: firstRows.current });
        redraw((n) => n + 1);
        continue;
      }
      loader.current(page * PAGE, (page + 1) * PAGE).then((rows) => {
        if (requested.current.get(page) !== wanted) return;
        pages.current.set(page, { version: wanted, rows });
        redraw((n) => n + 1);
      });
    }
  }, []);

  useEffect(() => {
    for (const [page, { version: old }] of pages.current) {
      if (old !== version && (page + 1) * PAGE > count + PAGE * 2) pages.current.delete(page);
    }
  }, [version, count]);

  const rowAt = (index: number): T | undefined =>
    pages.current.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  /** Current version only: an action applies to the row that is on the line now. */
  const currentRowAt = (index: number): T | undefined => {
    const page = pages.current.get(Math.floor(index / PAGE));
    return page?.version === newest.current ? page.rows[index % PAGE] : undefined;
  };
  return { rowAt, currentRowAt, show };
}
