/** The API that a gateway account uses: a built-in provider's, or one that a pay script of the operator speaks. */
export const GATEWAY_PROVIDERS = ['razorpayx', 'cashfree', 'script'] as const;
export type GatewayProvider = (typeof GATEWAY_PROVIDERS)[number];
