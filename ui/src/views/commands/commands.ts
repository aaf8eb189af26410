import { currentRoute, goTo } from "../../app/address-store.js";
import { stepToHit } from "../../app/hit-steps.js";
import { backAddress } from "../../app/list-position.js";
import { ABSENT_KEYS, isServed } from "../../app/page-parts.js";
import { nextTheme, nextZone } from "../../app/preferences.js";
import { type SharedPart, visiblePart } from "../../app/share-request.js";
import {
  compareAddress,
  type OpenedRoute,
  OVERVIEW_ADDRESS,
  SESSION_TABS,
  SOURCES_ADDRESS,
  sessionAddress,
  whyAddress,
} from "../../model/address/address.js";
import { searchQuery } from "../../model/search/search.js";
import { FILTER_STRINGS } from "../../strings/filter-strings.js";
import { OVERVIEW_STRINGS } from "../../strings/overview-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { copyForAgent } from "../parts/copy-for-agent.js";

export interface Command {
  readonly label: string;
  readonly key?: string;
  readonly keywords?: string;
  run(): void;
}

export function commands(onKeys: () => void): Command[] {
  const route = currentRoute();
  const press = (key: string) => () => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  const { trace, search } = STRINGS;
  const { keywords } = STRINGS.commands;
  const ofSession: Command[] =
    route.view === "sources" || route.view === "overview" || route.view === "why"
      ? []
      : route.view !== "session"
        ? [
            ...(route.view === "compare" && route.others.length === 1
              ? [
                  {
                    label: STRINGS.commands.copyForAgent.comparison,
                    key: "y",
                    keywords: keywords.agent,
                    run: () => setTimeout(press("y")),
                  },
                ]
              : []),
            ...(route.view === "sessions"
              ? [{ label: FILTER_STRINGS.filter, key: "f", run: () => setTimeout(press("f")) }]
              : []),
            { label: STRINGS.list.nextGroup, key: "g", run: () => setTimeout(press("g")) },
          ]
        : [
            ...SESSION_TABS.map((tab, index) => ({
              label: STRINGS.tabs[tab],
              keywords: keywords[tab],
              key: String(index + 1),
              run: () => goTo(sessionAddress(route, tab, searchQuery(route.query))),
            })),
            {
              label: STRINGS.compareWith,
              key: "c",
              keywords: keywords.compare,
              run: () => goTo(compareAddress(route, undefined)),
            },
            {
              label: STRINGS.header.share,
              key: "S",
              keywords: keywords.share,
              run: () => setTimeout(press("S")),
            },
            ...agentCommands(route, press("y")),
            { label: trace.nextError, key: "e", run: () => setTimeout(press("e")) },
            { label: trace.foldAll, key: "H", run: () => setTimeout(press("H")) },
            { label: trace.unfoldAll, key: "L", run: () => setTimeout(press("L")) },
          ];
  const isSearching = route.view !== "unknown" && route.query.q !== undefined;
  const ofSearch: Command[] = isSearching
    ? [
        { label: search.next, key: "n", run: () => stepToHit(1) },
        { label: search.previous, key: "N", run: () => stepToHit(-1) },
      ]
    : [];
  const all: Command[] = [
    ...ofSession,
    ...ofSearch,
    {
      label: route.view === "session" ? search.inSession : STRINGS.list.search,
      key: "/",
      run: () => setTimeout(press("/")),
    },
    {
      label: route.view === "session" ? STRINGS.backToSessions : STRINGS.toSessions,
      key: "u",
      run: () => goTo(backAddress(route)),
    },
    {
      label: OVERVIEW_STRINGS.title,
      key: "0",
      keywords: keywords.overview,
      run: () => goTo(OVERVIEW_ADDRESS),
    },
    { label: STRINGS.commands.why, keywords: keywords.why, run: () => goTo(whyAddress({})) },
    { label: STRINGS.sources, key: "s", keywords: keywords.sources, run: () => goTo(SOURCES_ADDRESS) },
    { label: STRINGS.commands.theme, key: "t", keywords: keywords.theme, run: nextTheme },
    { label: STRINGS.commands.zone, key: "z", keywords: keywords.zone, run: nextZone },
    { label: STRINGS.commands.keys, key: "?", keywords: keywords.keys, run: onKeys },
  ];
  return all.filter(({ key }) => key === undefined || !ABSENT_KEYS.has(key));
}

function agentCommands(route: OpenedRoute, copyVisible: () => void): Command[] {
  if (!isServed) return [];
  const { session, errors, ...labels } = STRINGS.commands.copyForAgent;
  const { agent: keywords } = STRINGS.commands.keywords;
  const part = visiblePart(route);
  const isTurn = part === undefined && route.tab === "messages";
  const selected = isTurn ? "turn" : part?.startsWith("step:") ? "step" : part && "agent";
  const copy = (only: SharedPart | undefined) => async () => {
    await copyForAgent({ session: route, only });
  };
  return [
    {
      label: selected === undefined ? session : labels[selected],
      key: "y",
      keywords,
      run: () => setTimeout(copyVisible),
    },
    ...(selected === undefined ? [] : [{ label: session, keywords, run: copy(undefined) }]),
    { label: errors, keywords, run: copy("errors") },
  ];
}
