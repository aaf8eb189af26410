import { createContext, useContext, useEffect, useState } from "react";
import type { AddressQuery } from "../../model/address.js";

/** Open parts of a conversation: all or none of the foldable parts, or the default. */
export type OpenMode = "all" | "none" | "usual";

interface Unfolding {
  readonly mode: OpenMode;
  /** Parts opened or closed by hand, by the keys of the entries. Invisible entries are not mounted, and cannot store this state. */
  readonly byHand: Map<string, boolean>;
}

/** Entries read it when they come into view: to open all costs the same however many there are. */
export const UnfoldingContext = createContext<Unfolding>({ mode: "usual", byHand: new Map() });

/** Returns the open mode that an address requests. */
export function openMode({ open }: AddressQuery): OpenMode {
  return open === "all" || open === "none" ? open : "usual";
}

/**
 * Returns the open state of a part of an entry.
 *
 * @param isOpen state if the reader has not opened or closed anything
 * @param isSought true if the address leads to it, which opens it
 */
export function useUnfolded(
  key: string,
  isOpen: boolean,
  isSought: boolean,
): readonly [open: boolean, setOpen: (open: boolean) => void] {
  const { mode, byHand } = useContext(UnfoldingContext);
  const usual = mode === "usual" ? isOpen : mode === "all";
  const [open, setOpen] = useState(isSought || (byHand.get(key) ?? usual));
  const set = (to: boolean) => {
    byHand.set(key, to);
    setOpen(to);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens when it begins to be sought, and may be closed then
  useEffect(() => {
    if (isSought) set(true);
  }, [isSought]);
  return [open, set];
}

/** Returns true if long texts of an entry are complete at first. */
export function useWholeTexts(isSought: boolean): boolean {
  return useContext(UnfoldingContext).mode === "all" || isSought;
}
