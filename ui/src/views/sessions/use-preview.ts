import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import type { Preview, PreviewPosition } from "../preview/session-preview.js";

/** Rest of the pointer or selection before a preview opens. */
const REST_MS = 400;
/** For the way from a row to its preview. */
const GRACE_MS = 250;

/** The preview has facts that the row lacks. */
export function hasPreview({ prompt, lastAnswer, waitingFor }: InspectorSessionItem): boolean {
  return Boolean(prompt || lastAnswer || waitingFor);
}

/**
 * The row under a resting pointer, or the keyboard selection.
 * @param isOff without room
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
  /** @param find returns the row later; it may have been scrolled away */
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
    /** Rows move: a planned preview opens at the later position. */
    onScroll: () => setPreview(undefined),
    /**
     * Rows may belong to other sessions now.
     * @param find returns the row of a session
     */
    onRows: (find: (session: InspectorSessionItem) => Element | null | undefined) => {
      over.current = undefined;
      if (preview === undefined) return;
      const top = find(preview.session)?.getBoundingClientRect().top;
      if (top !== preview.row.top) setPreview(undefined);
    },
    onSelect: (session: InspectorSessionItem, find: () => Element | null | undefined) => {
      hide();
      if (!isOff && hasPreview(session)) plan(session, find);
    },
    /** Pointer moves only; rows may also move under a pointer. */
    onRow: (event: PointerEvent<HTMLElement>, session: InspectorSessionItem) => {
      const row = event.currentTarget;
      side.current = event.clientX < innerWidth / 2 ? "right" : "left";
      if (isOff || event.pointerType === "touch" || over.current === row) return;
      over.current = row;
      if (!hasPreview(session)) hide();
      else if (preview === undefined) plan(session, () => row);
      // The way to the preview may cross other rows.
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
    /** The pointer on a preview retains it open. */
    onStay: () => clearTimeout(timer.current),
  };
}
