export default function MessagesView(_: { readonly route: unknown; readonly news: unknown }) {
  return null;
}
