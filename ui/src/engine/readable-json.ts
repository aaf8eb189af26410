/** A JSON text on lines of its own, where that changes nothing: a number that JavaScript would round keeps the text as it is. */
export function readableJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
}
