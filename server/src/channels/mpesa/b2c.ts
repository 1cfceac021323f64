import type { CheckAnswer, PayoutChannel } from '../payout-channel.ts';
import type { Daraja, DarajaAccess } from './daraja.ts';

interface B2cOptions {
  readonly daraja: Daraja;
  readonly payers: NonNullable<PayoutChannel['payers']>;
  readonly accessOf: (accountId: bigint) => Promise<DarajaAccess | undefined>;
  /** The addresses of ours at which M-Pesa reports the result of a payout. */
  readonly urlsOf: (
    accountId: bigint,
    key: string,
  ) => Promise<{ readonly result: string; readonly timeout: string; readonly status: string }>;
  /** M-Pesa's last result of a payout; undefined when there is none yet. */
  readonly resultOf: (key: string) => Promise<CheckAnswer | undefined>;
}

/**
 * Payouts by M-Pesa B2C. Results come later, to an address of ours. A check reads the last result; while there is no final one
 * it asks M-Pesa to report again.
 */
export function mpesaPayouts({ daraja, payers, accessOf, urlsOf, resultOf }: B2cOptions): PayoutChannel {
  return {
    payers,
    async send({ accountId, amount, payeePhone }, key, givenUp) {
      const access = accountId === null ? undefined : await accessOf(accountId);
      if (!access || accountId === null || payeePhone === null)
        return { outcome: 'refused', reason: 'the M-Pesa account has no credentials' };
      const { result, timeout } = await urlsOf(accountId, key);
      const urls = { resultUrl: result, timeoutUrl: timeout };
      return daraja.pay(access, { key, phone: payeePhone, amount, ...urls, ...(givenUp && { givenUp }) });
    },
    async check({ key, accountId }) {
      const result = await resultOf(key);
      if (result && result.state !== 'processing') return result;
      const access = accountId === null ? undefined : await accessOf(accountId);
      if (!access || accountId === null) return { state: 'unknown' };
      const { status, timeout } = await urlsOf(accountId, key);
      await daraja.askStatus(access, { key, resultUrl: status, timeoutUrl: timeout });
      return result ?? { state: 'unknown' };
    },
  };
}
