import { useEffect } from "react";

/** Ctrl K (or the Mac's command key) from anywhere, also while one types. */
export function useCommandKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [open]);
}
