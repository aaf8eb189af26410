import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";

/** Time that the pointer or the selection rests on a row before its preview opens. */
const REST_MS = 400;
/** Time allowed to move from a row to its preview. */
const GRACE_MS = 250;

export interface PreviewPosition {
  /** The part of the window that the row takes. */
  readonly row: { readonly top: number; readonly bottom: number };
  /** Away from the pointer. */
  readonly side: "left" | "right";
}

export interface Preview extends PreviewPosition {
  readonly session: InspectorSessionItem;
}

/** True if a session has facts for a preview that its row does not have. */
export function hasPreview({ prompt, lastAnswer, waitingFor }: InspectorSessionItem): boolean {
  return Boolean(prompt || lastAnswer || waitingFor);
}

/**
 * Returns the previewed session: the one under a resting pointer that can hover, or the keyboard selection.
 *
 * @param isOff true if there is no room
 */
export function usePreview(isOff: boolean) {
  const [preview, setPreview] = useState<Preview>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const over = useRef<Element | undefined>(undefined);
  const side = useRef<PreviewPosition["side"]>("right");
  const after = (ms: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, ms);
  };
  const hide = () => {
    clearTimeout(timer.current);
    over.current = undefined;
    setPreview(undefined);
  };
  /** @param find gives the row once it is time; it may have been scrolled away */
  const plan = (session: InspectorSessionItem, find: () => Element | null | undefined) =>
    after(REST_MS, () => {
      const row = find();
      if (!row?.isConnected) return;
      const { top, bottom } = row.getBoundingClientRect();
      setPreview({ session, row: { top, bottom }, side: side.current });
    });
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      clearTimeout(timer.current);
      setPreview(undefined);
    };
    addEventListener("keydown", press);
    return () => {
      removeEventListener("keydown", press);
      clearTimeout(timer.current);
    };
  }, []);
  return {
    preview: isOff ? undefined : preview,
    /** For rows that move: a planned preview opens at its row's later position. */
    onScroll: () => setPreview(undefined),
    /**
     * For rows that may be of other sessions now.
     *
     * @param find gives the row of a session
     */
    onRows: (find: (session: InspectorSessionItem) => Element | null | undefined) => {
      over.current = undefined;
      if (preview === undefined) return;
      const top = find(preview.session)?.getBoundingClientRect().top;
      if (top !== preview.row.top) setPreview(undefined);
    },
    /** For a session that a key has selected. */
    onSelect: (session: InspectorSessionItem, find: () => Element | null | undefined) => {
      hide();
      if (!isOff && hasPreview(session)) plan(session, find);
    },
    /** For a pointer that moves over a row; not for rows that move under a pointer. */
    onRow: (event: PointerEvent<HTMLElement>, session: InspectorSessionItem) => {
      const row = event.currentTarget;
      side.current = event.clientX < innerWidth / 2 ? "right" : "left";
      if (isOff || event.pointerType === "touch" || over.current === row) return;
      over.current = row;
      if (!hasPreview(session)) hide();
      else if (preview === undefined) plan(session, () => row);
      // It does not cover the next rows; the way to it may cross them.
      else {
        after(GRACE_MS, () => {
          setPreview(undefined);
          plan(session, () => row);
        });
      }
    },
    onLeave: () => {
      over.current = undefined;
      after(GRACE_MS, hide);
    },
    /** For a pointer on the preview itself, which stays. */
    onStay: () => clearTimeout(timer.current),
  };
}
