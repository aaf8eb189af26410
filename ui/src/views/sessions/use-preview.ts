import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";

/** How long the pointer or the selection rests on a row before it is previewed. */
const REST_MS = 400;
/** How long the way from a row to its preview may take. */
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

/** Whether there is anything to say of a session that its row does not say. */
export function hasPreview({ prompt, lastAnswer, waitingFor }: InspectorSessionItem): boolean {
  return Boolean(prompt || lastAnswer || waitingFor);
}

/**
 * Which session is previewed: the one that a pointer which can hover, or the selection by keyboard, rests on.
 *
 * @param isOff where there is no room
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
    /** For rows that move: what is planned is shown where its row is then. */
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
      // It does not lie over the rows that one goes on to; the way to it may lead over them.
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
