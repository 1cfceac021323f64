import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import type { GatewayAccess } from '../../accounts/paying-gateway.ts';
import type { PayoutChannel } from '../payout-channel.ts';
import type { Gateway } from './gateway.ts';

/** The built-in gateways, by provider. */
export type Gateways = Readonly<Record<Exclude<GatewayProvider, 'script'>, Gateway>>;

interface GatewayChannelOptions {
  readonly gateways: Gateways;
  readonly payers: NonNullable<PayoutChannel['payers']>;
  /** For accounts that use a pay script. */
  readonly script: Pick<PayoutChannel, 'send' | 'check'>;
  readonly accessOf: (accountId: bigint) => Promise<GatewayAccess | undefined>;
}

/** Sends each payout through the gateway of the paying account. */
export function gatewayChannel({ gateways, script, payers, accessOf }: GatewayChannelOptions): PayoutChannel {
  return {
    payers,
    async send(sent, key, givenUp) {
      const access = sent.accountId === null ? undefined : await accessOf(sent.accountId);
      if (!access) return { outcome: 'refused', reason: 'the gateway account has no credentials' };
      if (access.provider === 'script') return script.send(sent, key, givenUp);
      return gateways[access.provider].send(access, sent, key, givenUp);
    },
    async check(sent) {
      const access = sent.accountId === null ? undefined : await accessOf(sent.accountId);
      if (!access) return { state: 'unknown' };
      return access.provider === 'script'
        ? script.check(sent)
        : gateways[access.provider].check(access, sent);
    },
    async balanceOf(accountId) {
      const access = await accessOf(accountId);
      return !access || access.provider === 'script'
        ? undefined
        : gateways[access.provider].balance?.(access);
    },
  };
}
