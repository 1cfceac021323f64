/** Whose API a gateway account speaks: a maker's that is built in, or what a pay script of the operator's makes of it. */
export const GATEWAY_PROVIDERS = ['razorpayx', 'cashfree', 'script'] as const;
export type GatewayProvider = (typeof GATEWAY_PROVIDERS)[number];
