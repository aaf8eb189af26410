export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "call"; readonly callId: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: "result";
      readonly callId: string;
      readonly text: string;
      readonly images: readonly string[];
      readonly isError: boolean;
    }
  | { readonly type: "image"; readonly source: string }
  | { readonly type: "other"; readonly value: unknown };

export function partText(part: MessagePart): string {
  switch (part.type) {
    case "text":
    case "thinking":
    case "result":
      return part.text;
    case "call":
      return typeof part.input === "string" ? part.input : (JSON.stringify(part.input, null, 2) ?? "");
    case "image":
      return "";
    case "other":
      return JSON.stringify(part.value, null, 2) ?? "";
    default:
      part satisfies never;
      return "";
  }
}
