import { formatMinor } from '@sangam/contract/money.ts';
import type { Platform } from '../../platform/platform.ts';
import { noticeAddress } from './notice-address.ts';
import { callScript } from '../scripts/call-script.ts';
import { PAID_OUT, STANDING, type Standing } from '../scripts/shapes.ts';
import type { CheckAnswer, PayoutChannel } from '../payout-channel.ts';

/**
 * Payouts by a pay script. Only a script that answers, in so many words, that the gateway refused has it refused; or one
 * that failed before anything left us. Whatever else goes wrong leaves the outcome unknown, and the payout is asked about.
 */
export function scriptPayouts(platform: Platform): Pick<PayoutChannel, 'send' | 'check'> {
  return {
    async send({ accountId, currency, amount, orderCode, ...payee }, key) {
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
      });
      if ('error' in called) {
        const outcome = called.hasSent ? 'unknown' : 'refused';
        return { outcome, reason: called.error };
      }
      const { output } = called;
      if ('accepted' in output) return { outcome: 'accepted', reference: output.accepted };
      if ('refused' in output) return { outcome: 'refused', reason: output.refused };
      return { outcome: 'unknown', reason: output.unknown };
    },
    async check({ key, reference, accountId }) {
      const called = await callScript(platform, {
        accountId: accountId!,
        function: 'query',
        orderId: BigInt(key.split('-')[0]!),
        input: { direction: 'out', orderCode: key, reference },
        output: STANDING,
      });
      return 'error' in called ? { state: 'unknown' } : checkAnswerOf(called.output);
    },
  };
}

/** A script's word about a payout as every gateway's is told. */
export function checkAnswerOf({ state, utr, reason }: Standing): CheckAnswer {
  switch (state) {
    case 'paid':
      return { state: 'processed', utr: utr ?? null };
    case 'failed':
      return { state: 'failed', reason: reason || 'the gateway says that it failed' };
    case 'pending':
      return { state: 'processing' };
    case 'unknown':
      return { state: 'unknown' };
  }
}
