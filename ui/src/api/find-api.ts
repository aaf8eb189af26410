/**
 * Where the API is. A page that is deep in its application may be told several places; nobody but the API itself knows which it is, so each is
 * asked, one after the other.
 *
 * @param configured addresses relative to the page, with spaces between
 * @param page the page's own address
 * @returns the first that answers as the API does, else the last; without a slash at its end
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
    // An application may answer any address with a page of its own.
    return ok && (headers.get("Content-Type") ?? "").includes("json");
  } catch {
    return false;
  }
}
