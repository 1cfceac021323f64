import { topUp } from '@sangam/contract/endpoints/fund.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { recall, remember } from './demo.ts';
import { callAs } from './session.ts';

/** Far more than all payouts of a run. */
const RUPEES = 50_00_000;

/**
 * Gives a merchant money for payouts: booked once in each world, by two people. What the demo's history leaves a merchant depends
 * on the hour of its creation (70,000 to 130,000 rupees).
 */
export async function bookMoneyFor(mchId: string): Promise<void> {
  if (recall<boolean>('funded')[mchId]) return;
  const reason = `Money for the payouts of ${mchId}`;
  const wish = {
    currency: 'INR',
    ownerKind: 'merchant',
    ownerId: mchId,
    amount: RUPEES * 100,
    reason,
  } as const;
  const { todoId } = await callAs('admin', topUp, { ...wish, requestKey: `funds/${mchId}` });
  await callAs('superadmin', decide, { id: todoId, approve: true });
  remember('funded', mchId, true);
}
