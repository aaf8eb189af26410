export default function AgentsView(_: { readonly route: unknown; readonly news: unknown }) {
  return null;
}
