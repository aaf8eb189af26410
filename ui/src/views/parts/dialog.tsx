import { type ReactNode, useLayoutEffect, useRef } from "react";

interface DialogProps {
  readonly label: string;
  readonly children: ReactNode;
  onClose(): void;
}

/** Native modal: traps the focus, closes with Escape, and restores the focus. */
export function Dialog({ label, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before removal: a removed dialog returns no focus.
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, by the browser's own doing
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}
