/** Separate from the layout, whose code the page must not load. */
export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 54;

export interface LayoutRequest {
  readonly id: number;
  readonly nodes: readonly { readonly id: string; readonly parentId: string | undefined }[];
}

export interface LayoutAnswer {
  readonly id: number;
  readonly positions: readonly { readonly id: string; readonly x: number; readonly y: number }[];
}
