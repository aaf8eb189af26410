/**
 * One message of the conversation with the model, in whatever format its vendor uses: the inspector reads none of its
 * fields and changes none. Most have a `role` and a `content`.
 */
export type Message = { readonly [field: string]: unknown };
