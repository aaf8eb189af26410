import { jsonIn } from "../../../src/domain/json/json.js";
import { readViews, type SavedView } from "../model/sessions/saved-view.js";

/** The page's server may put views into it. */
export const OFFERED_VIEWS: readonly SavedView[] = readViews(
  jsonIn(document.querySelector<HTMLMetaElement>('meta[name="inspector-views"]')?.content ?? ""),
);
