import type { getPayoutBatchOptions, previewPayoutBatch } from '@sangam/contract/endpoints/payout-batch.ts';
import { MOST_BATCH_ORDERS } from '@sangam/contract/payout-batches.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { maskAccountNumber, maskName, maskVpa } from '../../platform/masking.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { countWaiting, waitingPayouts } from '../in-batch.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { isStaff, type Viewer } from '../../platform/viewer.ts';
import { dayLimits } from './limits.ts';
import { isFor, isReady, payingAccounts, type Selection, selectPayouts } from './select.ts';
import { modeOf } from './templates/render.ts';
import { currentTemplates } from './templates/template-store.ts';

/** What a batch would hold if it were made now. */
export async function previewBatch(
  platform: Platform,
  viewer: Viewer,
  input: Selection & { readonly orderCount: number },
): Promise<z.input<typeof previewPayoutBatch.output> | Refusal> {
  if (input.orderCount > MOST_BATCH_ORDERS) return refuse('tooManyOrders');
  const found = await platform.db.tx((tx) => fittingNow(platform, tx, viewer, input));
  if (isRefusal(found)) return found;
  const { account, orders, hasNoRoom } = found;
  const sumOf = (list: typeof orders) => Number(list.reduce((sum, { order }) => sum + order.amount, 0n));
  return {
    count: orders.length,
    sum: sumOf(orders),
    currency: account.currency,
    hasNoRoom,
    modes: [...Map.groupBy(orders, ({ mode }) => mode)].map(([mode, list]) => ({
      mode,
      count: list.length,
      sum: sumOf(list),
    })),
    list: orders.map(({ order, mode }) => ({
      orderCode: String(order.id),
      amount: Number(order.amount),
      mode,
      payeeName: seesWhole(viewer, 'payee') ? order.payeeName : maskName(order.payeeName),
      payeeAccount: maskedPayee(order),
      payeeIfsc: order.payeeIfsc,
      createTime: formatTime(order.createdAt),
    })),
  };
}

/** The same choice as `createBatch` makes, but payouts are neither locked nor taken. */
async function fittingNow(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  input: Selection & { readonly orderCount: number },
) {
  const selected = await selectPayouts(platform, tx, viewer, input);
  if (isRefusal(selected)) return selected;
  const { account, template, fits } = selected;
  const { fits: hasRoom, take } = await dayLimits(platform, tx, account);
  const waiting = await waitingPayouts(tx, sql`${fits} and ${hasRoom}`, input.orderCount);
  const orders = waiting.flatMap((order) => {
    const mode = modeOf(template.format, account, order);
    return mode === undefined || !take(order) ? [] : [{ order, mode }];
  });
  const hasNoRoom = orders.length === 0 && (await countWaiting(tx, fits)).count > 0;
  return { account, orders, hasNoRoom };
}

/** The payee's account or VPA, masked. */
export function maskedPayee(payee: {
  readonly payeeAccount: string | null;
  readonly payeeVpa: string | null;
}) {
  if (payee.payeeAccount !== null) return maskAccountNumber(payee.payeeAccount);
  return payee.payeeVpa === null ? null : maskVpa(payee.payeeVpa);
}

/** The accounts and templates the viewer can make a batch with. Accounts that no template fits are left out. */
export async function batchOptions(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getPayoutBatchOptions.output>> {
  const [accounts, known] = await Promise.all([
    payingAccounts(platform, platform.db, viewer),
    currentTemplates(platform.db),
  ]);
  const templates = known.filter(({ enabled }) => enabled);
  const shown = (accountNumber: string) =>
    isStaff(viewer) ? maskAccountNumber(accountNumber) : accountNumber;
  return {
    accounts: accounts
      .filter((account) => templates.some(({ format }) => isFor(format, account)))
      .map((account) => ({
        id: String(account.id),
        name: `${account.bank} ${shown(account.accountNumber)}`,
        supplierName: account.supplierName,
        bank: account.bank,
        ifsc: account.ifsc,
        currency: account.currency,
        products: [...account.products],
      })),
    templates: templates.map(({ id, name, version, format }) => ({
      id: String(id),
      name,
      version,
      bank: format.bank,
      products: format.products,
      readsResult: format.result !== null,
      ready: isReady(format),
    })),
  };
}
