import { setTimeout as sleep } from 'node:timers/promises';
import { PAYOUT_STATUS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import type { ConsoleClient } from '../console/console-client.ts';
import { act, showOrder } from '../console/act.ts';
import { GATEWAY_ENDS } from '../gateway/ends.ts';
import type { SimulatedGateway } from '../gateway/gateway.ts';
import type { PayoutLife } from './payout-life.ts';

/** The platform asks the gateway every 15 seconds; about a send without an answer it asks only after 20 seconds more. */
const LONGEST_MS = 120_000;
const { completed, processingError, rejected, toBeConfirmed, inProgress } = PAYOUT_STATUS;

/** The payee's account of a gateway payout. Its last digits decide how the payout ends. */
export function gatewayPayee({ plan }: PayoutLife): string {
  return `5010${String(10_000_000 + plan.index)}${GATEWAY_ENDS[plan.gatewayEnd]}`;
}

/** Waits for a payout that the platform sends by itself. The desk refunds what the gateway refused or never took. */
export async function watchGatewayPayout(
  payout: PayoutLife,
  gateway: SimulatedGateway,
  desk: ConsoleClient,
): Promise<void> {
  const orderCode = payout.orderCode!;
  switch (payout.plan.gatewayEnd) {
    case 'stuck':
      return until(desk, orderCode, inProgress);
    case 'failed':
    case 'refused':
    case 'errorBefore':
      await until(
        desk,
        orderCode,
        payout.plan.gatewayEnd === 'errorBefore' ? toBeConfirmed : processingError,
      );
      return act(desk, {
        of: 'payoutOrder',
        orderCode,
        path: '/v1.0/order/reject',
        input: { orderCode, rejectReason: 'Simulated: the gateway did not pay' },
        done: ({ orderStatusId }) => orderStatusId === rejected,
      });
    case 'success':
    case 'reversed':
    case 'errorAfter':
    case 'silentAfter':
    case 'tornAfter': {
      await until(desk, orderCode, completed);
      const taken = gateway.payouts.filter(({ referenceId }) => referenceId === orderCode);
      if (taken.length !== 1) throw new Error(`the gateway paid it ${taken.length} times`);
      payout.paid = { amount: taken[0]!.amount, utr: taken[0]!.utr };
    }
  }
}

async function until(desk: ConsoleClient, orderCode: string, status: PayoutStatus): Promise<void> {
  let last: number | undefined;
  for (const end = Date.now() + LONGEST_MS; Date.now() < end; await sleep(1_000)) {
    last = (await showOrder(desk, 'payoutOrder', orderCode))?.orderStatusId;
    if (last === status) return;
  }
  throw new Error(`by the gateway it came to ${last}, not to ${status}`);
}
