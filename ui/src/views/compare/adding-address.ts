import { type CompareRoute, changeQuery, formatAddress } from "../../model/address.js";

/** Returns the address of a comparison that sessions are to be added to. */
export function addingAddress(route: CompareRoute): string {
  return formatAddress({ ...route, query: changeQuery({}, { add: "1" }) });
}
