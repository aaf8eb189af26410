import "./styles/tokens.css";
import "./styles/base.css";
import { engine } from "./app/engine.js";
import { listQuery } from "./engine/list-query.js";
import { parseAddress } from "./model/address.js";

// The engine reads what the address names while the rest of the page is still on its way.
const route = parseAddress(location.hash);
if (route.view === "session") void engine.call("openSession", route);
if (route.view === "sessions") void engine.call("askList", listQuery(route.query));

// One after the other: each is a task of its own, and none of them keeps the page from painting for long.
const page = import("./app/app.js");
const { createRoot } = await import("react-dom/client");
createRoot(document.getElementById("app")!).render((await page).page());
