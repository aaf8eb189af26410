import { type CompareRoute, changeQuery, formatAddress } from "../../model/address/address.js";

export function addingAddress(route: CompareRoute): string {
  return formatAddress({ ...route, query: changeQuery({}, { add: "1" }) });
}
