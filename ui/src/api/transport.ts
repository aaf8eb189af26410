/** Sends a request, as `fetch` does. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>;

let transport: Transport = (address, init) => fetch(address, init);

/** Whatever is asked for from now on is asked by it: a page that is a file has nobody to ask, and holds the service itself. */
export function askBy(other: Transport): void {
  transport = other;
}

export const send: Transport = (address, init) => transport(address, init);
