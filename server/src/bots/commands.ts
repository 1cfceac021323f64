import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { type Currency, amountText } from '@sangam/contract/money.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { listOrders, summariseOrders } from '../collection/list.ts';
import { getTotalBalance } from '../ledger/balances.ts';
import { listPayouts, summarisePayouts } from '../payout/list.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { TEXTS } from '../platform/texts.ts';
import type { Viewer } from '../platform/viewer.ts';
import { viewerOfGroup } from './party.ts';
import type { BotGroup } from './store.ts';
import { botText } from './texts.ts';

const LAST = 5;

/** The answer to a command in a group. Undefined when the text is no command of ours. */
export async function answerCommand(
  platform: Platform,
  group: BotGroup,
  text: string,
): Promise<string | undefined> {
  const match = /^\/([a-z]+)(?:@\w+)?(?:\s+(\S{1,64}))?\s*$/i.exec(text.trim());
  if (!match) return undefined;
  const { locale } = group;
  const [, command, argument] = match;
  const viewer = await viewerOfGroup(platform.db, group);
  if (!viewer) return command === 'help' ? botText(locale, 'noParty') : undefined;
  switch (command!.toLowerCase()) {
    case 'help':
    case 'start':
      return botText(locale, 'help');
    case 'balance':
      return balances(platform, viewer);
    case 'today':
      return today(platform, viewer);
    case 'payouts':
      return lastPayouts(platform, viewer);
    case 'order':
      return argument === undefined ? botText(locale, 'help') : findOrder(platform, viewer, argument);
    default:
      return undefined;
  }
}

const money = (minor: number, currency: Currency) => `${amountText(minor, currency)} ${currency}`;

async function balances(platform: Platform, viewer: Viewer): Promise<string> {
  const { list } = await getTotalBalance(platform, viewer);
  const texts: Readonly<Record<string, string>> = TEXTS[viewer.locale].botBuckets;
  const lines = list.map(
    ({ bucket, currency, balance }) => `${texts[bucket] ?? bucket}: ${money(balance, currency)}`,
  );
  return lines.length > 0 ? lines.join('\n') : botText(viewer.locale, 'nothing');
}

async function today(platform: Platform, viewer: Viewer): Promise<string> {
  const day = businessDay(platform.clock.now());
  // Counted like the statistics: without orders marked 'test'.
  const of = { startTime: day, endTime: day, counted: 'created' as const };
  const [orders, payouts] = await Promise.all([
    summariseOrders(platform, viewer, of),
    summarisePayouts(platform, viewer, of),
  ]);
  const { collectionStatus, payoutStatus } = TEXTS[viewer.locale];
  const lines = (
    list: readonly { orderStatusId: number; currency: Currency; count: number; amount: number }[],
    names: Readonly<Record<string, string>>,
  ) =>
    list.map(
      ({ orderStatusId, currency, count, amount }) =>
        `${names[String(orderStatusId)] ?? orderStatusId}: ${count} · ${money(amount, currency)}`,
    );
  return [
    botText(viewer.locale, 'today', { day }),
    ...lines(orders.list, collectionStatus),
    botText(viewer.locale, 'payouts'),
    ...lines(payouts.list, payoutStatus),
  ].join('\n');
}

async function lastPayouts(platform: Platform, viewer: Viewer): Promise<string> {
  const found = await listPayouts(platform, viewer, { pageSize: LAST });
  if (isRefusal(found) || found.list.length === 0) return botText(viewer.locale, 'nothing');
  return found.list.map((order) => payoutLines(order as PayoutOrderRow, viewer)).join('\n\n');
}

/**
 * Finds an order by our code, the merchant's number or the UTR, in either direction. It shows only what the party sees in its lists, masked
 * in the same way.
 */
async function findOrder(platform: Platform, viewer: Viewer, text: string): Promise<string> {
  for (const filter of [{ orderCode: text }, { merchantOrderId: text }, { utr: text }]) {
    if ('orderCode' in filter && !/^\d{1,19}$/.test(text)) continue;
    const [order] = rowsOf(await listOrders(platform, viewer, { ...filter, pageSize: 1 }));
    if (order) return orderLines(order as CollectionOrderRow, viewer);
    const [payout] = rowsOf(await listPayouts(platform, viewer, { ...filter, pageSize: 1 }));
    if (payout) return payoutLines(payout as PayoutOrderRow, viewer);
  }
  return botText(viewer.locale, 'notFound', { text });
}

function rowsOf<Row>(page: { readonly list: readonly Row[] } | Refusal): readonly Row[] {
  return isRefusal(page) ? [] : page.list;
}

function orderLines(order: CollectionOrderRow, viewer: Viewer): string {
  const { collectionStatus } = TEXTS[viewer.locale];
  const paid = order.currentReceivedMoney;
  return [
    `${order.orderCode} · ${order.mchOrderNo}`,
    `${collectionStatus[order.orderStatusId]} · ${money(order.amount, order.currency)}`,
    ...(paid === null ? [] : [botText(viewer.locale, 'received', { amount: money(paid, order.currency) })]),
    ...(order.utr === null ? [] : [`UTR ${order.utr}`]),
    order.createTime,
  ].join('\n');
}

function payoutLines(order: PayoutOrderRow, viewer: Viewer): string {
  const { payoutStatus } = TEXTS[viewer.locale];
  const payee = [order.userName, order.cardNumber ?? order.vpa ?? order.usdtAddress ?? order.phone];
  return [
    `${order.orderCode} · ${order.mchOrderNo}`,
    `${payoutStatus[order.orderStatusId]} · ${money(order.amount, order.currency)}`,
    payee.filter((part) => part !== null).join(' · '),
    ...(order.utr === null ? [] : [`UTR ${order.utr}`]),
    order.createTime,
  ].join('\n');
}
