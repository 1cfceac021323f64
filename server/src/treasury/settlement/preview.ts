import type { previewSettlement } from '@sangam/contract/endpoints/settlement.ts';
import { businessDay } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { dayOfSlot } from './due-day.ts';
import { previewOf } from './store.ts';

const MOST_SHOWN = 200;

/** What a run would settle if it started now, of all merchants or one. The endpoint's roles decide who may call it. */
export async function preview(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof previewSettlement.input>,
): Promise<z.input<typeof previewSettlement.output>> {
  const throughDay = input.throughDay ?? businessDay(platform.clock.now());
  const merchantId = input.merchantId === undefined ? null : BigInt(input.merchantId);
  const { sums, largest } = await previewOf(platform.db, { throughDay, merchantId }, MOST_SHOWN);
  return {
    throughDay,
    count: sums.reduce((count, sum) => count + sum.count, 0),
    amounts: sums.map(({ currency, amount }) => ({ currency, amount: Number(amount) })),
    balances: largest.map((due) => ({
      merchantId: String(due.merchantId),
      merchantName: due.merchantName,
      currency: due.currency,
      dueDay: dayOfSlot(due.slot),
      amount: Number(due.balance),
    })),
  };
}
