import { type Currency, formatMinor } from '@sangam/contract/money.ts';
import type { Platform } from '../../platform/platform.ts';
import { noticeAddress } from './notice-address.ts';
import { callScript } from '../scripts/call-script.ts';
import { minorOf, PAID_OUT, STANDING, type Standing } from '../scripts/shapes.ts';
import type { CheckAnswer, PayoutChannel } from '../payout-channel.ts';

/**
 * Payouts by a pay script. A payout is refused only when the script answers 'refused' or fails before it has sent anything. Where no
 * thread was free for the script, the payout waits. After any other failure the outcome is unknown, and the payout is queried.
 */
export function scriptPayouts(platform: Platform): Pick<PayoutChannel, 'send' | 'check'> {
  return {
    async send({ accountId, currency, amount, orderCode, ...payee }, key, givenUp) {
      const called = await callScript(platform, {
        accountId: accountId!,
        function: 'payout',
        orderId: BigInt(orderCode),
        input: {
          orderCode: key,
          amount: formatMinor(amount, currency),
          notifyUrl: await noticeAddress(platform, accountId!),
          currency,
          payee: {
            name: payee.payeeName,
            account: payee.payeeAccount,
            ifsc: payee.payeeIfsc,
            vpa: payee.payeeVpa,
            phone: payee.payeePhone,
          },
        },
        output: PAID_OUT,
        ...(givenUp && { givenUp }),
      });
      if ('error' in called) {
        const outcome = called.isBusy ? 'held' : called.hasSent ? 'unknown' : 'refused';
        return { outcome, reason: called.error };
      }
      const { output } = called;
      if ('accepted' in output) return { outcome: 'accepted', reference: output.accepted };
      if ('refused' in output) return { outcome: 'refused', reason: output.refused };
      return { outcome: 'unknown', reason: output.unknown };
    },
    async check({ key, reference, accountId, currency }) {
      const called = await callScript(platform, {
        accountId: accountId!,
        function: 'query',
        orderId: BigInt(key.split('-')[0]!),
        input: { direction: 'out', orderCode: key, reference },
        output: STANDING,
      });
      return 'error' in called ? { state: 'unknown' } : checkAnswerOf(called.output, currency);
    },
  };
}

/** A script's result of a payout, in the form that all gateways use. */
export function checkAnswerOf({ state, utr, reason, amount }: Standing, currency: Currency): CheckAnswer {
  switch (state) {
    case 'paid':
      return {
        state: 'processed',
        utr: utr ?? null,
        // A text that is not an amount of the currency becomes -1: it differs from the requested amount.
        amount: amount === undefined ? undefined : (minorOf(amount, currency) ?? -1n),
      };
    case 'failed':
      return { state: 'failed', reason: reason || 'the gateway says that it failed' };
    case 'pending':
      return { state: 'processing' };
    case 'unknown':
      return { state: 'unknown' };
  }
}
