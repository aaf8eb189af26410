/**
 * Name of the tenant that the receiver binds a sender to. It lies beside `resourceSpans`, because a sender can only write inside of that.
 */
export const BOUND_TENANT = "inspectorTenantId";
