/** Makers of payout gateways whose API is built in, and what each calls the parts of its credentials. */
export const GATEWAY_PROVIDERS = ['razorpayx', 'cashfree'] as const;
export type GatewayProvider = (typeof GATEWAY_PROVIDERS)[number];
