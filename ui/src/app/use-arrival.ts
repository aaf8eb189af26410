import { useEffect, useRef } from "react";
import type { Route } from "../model/address.js";

/**
 * Takes the focus where the content went: to the content of a view that is opened, and to what is left of a view from which the part
 * with the focus was taken away. It stays with somebody who types.
 */
export function useArrival(route: Route): void {
  const { query: _, ...view } = { query: {}, ...route };
  const place = JSON.stringify(view);
  const shown = useRef(place);
  const held = useRef<Element>(undefined);
  useEffect(() => {
    const hold = (event: FocusEvent) => {
      held.current = event.target as Element;
    };
    addEventListener("focusin", hold);
    return () => removeEventListener("focusin", hold);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the address may take something away
  useEffect(() => {
    const content = document.getElementById("content");
    const isLost = held.current?.isConnected === false;
    const isElsewhere = shown.current !== place;
    shown.current = place;
    if (isElsewhere && document.activeElement?.matches("input") !== true) content?.focus();
    else if (isLost && document.activeElement === document.body) {
      (content?.querySelector<HTMLElement>('[role="treegrid"], [role="grid"]') ?? content)?.focus();
    }
  }, [route, place]);
}
