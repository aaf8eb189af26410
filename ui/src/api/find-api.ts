/**
 * Only the API itself can confirm its address, so all candidates are requested in turn.
 * @param configured addresses relative to the page, separated by spaces
 * @returns the first address that answers as the API does, else the last; without a slash at its end
 */
export async function findApi(configured: string, page: string): Promise<string> {
  const places = configured.split(" ").filter(Boolean);
  const addresses = places.map((place) => new URL(place, page).href.replace(/\/+$/, ""));
  const last = addresses.pop() ?? page;
  for (const address of addresses) if (await isApi(address)) return address;
  return last;
}

async function isApi(address: string): Promise<boolean> {
  try {
    const { ok, headers } = await fetch(`${address}/health`, { cache: "no-store" });
    // An application may answer any address with its own page.
    return ok && (headers.get("Content-Type") ?? "").includes("json");
  } catch {
    return false;
  }
}
