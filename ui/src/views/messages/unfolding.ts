import { createContext, useContext, useEffect, useState } from "react";
import type { AddressQuery } from "../../model/address.js";

/** What of a conversation is open: all or nothing of what unfolds, or what is open by itself. */
export type OpenMode = "all" | "none" | "usual";

interface Unfolding {
  readonly mode: OpenMode;
  /** What was opened or closed by hand, by the keys of the entries. Entries out of sight are not there to remember it. */
  readonly byHand: Map<string, boolean>;
}

/** Entries read it when they come into view: to open all costs the same however many there are. */
export const UnfoldingContext = createContext<Unfolding>({ mode: "usual", byHand: new Map() });

/** How an address has a conversation open. */
export function openMode({ open }: AddressQuery): OpenMode {
  return open === "all" || open === "none" ? open : "usual";
}

/**
 * Whether a part of an entry is open.
 *
 * @param isOpen where nobody opened or closed anything
 * @param isSought the address leads to it: it opens
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

/** Whether long texts of an entry are whole at first. */
export function useWholeTexts(isSought: boolean): boolean {
  return useContext(UnfoldingContext).mode === "all" || isSought;
}
