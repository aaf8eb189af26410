export default function ContextView(_: { readonly route: unknown; readonly news: unknown }) {
  return null;
}
