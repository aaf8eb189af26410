import { currentRoute, goTo } from "../app/address-store.js";
import { exported } from "../app/surroundings.js";
import { sessionAddress } from "../model/address/address.js";
import { show } from "../views/page/app.js";

const [session, another] = exported!.sessions;
const route = currentRoute();
if (session !== undefined && another === undefined && route.view === "sessions") {
  goTo(sessionAddress(session), true);
}
document.documentElement.dataset.exported = "";
document.getElementById("opening")?.remove();
show(document.getElementById("app")!);
