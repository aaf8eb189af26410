import { createContext, useContext, useEffect, useState } from "react";
import type { AddressQuery } from "../../model/address/address.js";

/** All or none of the foldable parts, or the default. */
export type OpenMode = "all" | "none" | "usual";

interface Unfolding {
  readonly mode: OpenMode;
  /** By entry key. Invisible entries are not mounted, and cannot store this state. */
  readonly byHand: Map<string, boolean>;
}

/** Entries read it when they become visible, so that opening all has a constant cost. */
export const UnfoldingContext = createContext<Unfolding>({ mode: "usual", byHand: new Map() });

export function openMode({ open }: AddressQuery): OpenMode {
  return open === "all" || open === "none" ? open : "usual";
}

/**
 * @param isOpen state if the reader has not opened or closed anything
 * @param isSought the address leads to it, which opens it
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

export function useCompleteTexts(isSought: boolean): boolean {
  return useContext(UnfoldingContext).mode === "all" || isSought;
}
