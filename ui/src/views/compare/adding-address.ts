import { type CompareRoute, changeQuery, formatAddress } from "../../model/address.js";

/** The address of a comparison to which sessions are to be added. */
export function addingAddress(route: CompareRoute): string {
  return formatAddress({ ...route, query: changeQuery({}, { add: "1" }) });
}
