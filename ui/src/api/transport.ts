/** Sends a request, as `fetch` does. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>;

let transport: Transport = (address, init) => fetch(address, init);

/** Sends all later requests by another transport: a page that is a file has no server, and contains the service itself. */
export function askBy(other: Transport): void {
  transport = other;
}

export const send: Transport = (address, init) => transport(address, init);
