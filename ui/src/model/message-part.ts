/** A piece of a message, whichever vendor's format it came in. */
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
