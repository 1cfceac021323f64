import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import type { GatewayAccess } from '../../accounts/paying-gateway.ts';
import type { PayoutChannel } from '../payout-channel.ts';
import type { Gateway } from './gateway.ts';

export type Gateways = Readonly<Record<GatewayProvider, Gateway>>;

interface GatewayChannelOptions {
  readonly gateways: Gateways;
  readonly payers: NonNullable<PayoutChannel['payers']>;
  readonly accessOf: (accountId: bigint) => Promise<GatewayAccess | undefined>;
}

/** Payouts through whichever gateway the paying account is of. */
export function gatewayChannel({ gateways, payers, accessOf }: GatewayChannelOptions): PayoutChannel {
  return {
    payers,
    async send(sent, key) {
      const access = sent.accountId === null ? undefined : await accessOf(sent.accountId);
      if (!access) return { outcome: 'refused', reason: 'the gateway account has no credentials' };
      return gateways[access.provider].send(access, sent, key);
    },
    async check(sent) {
      const access = sent.accountId === null ? undefined : await accessOf(sent.accountId);
      return access ? gateways[access.provider].check(access, sent) : { state: 'unknown' };
    },
  };
}
