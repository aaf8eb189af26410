/**
 * The member of a line of spans that names the tenant which the receiver bound their sender to. It lies beside `resourceSpans`, where the
 * receiver alone writes: what a sender sent lies inside of that.
 */
export const BOUND_TENANT = "inspectorTenantId";
