import { namesOf } from '@sangam/contract/references.ts';
import type { getLostPairs, getOrderMoney } from '@sangam/contract/endpoints/lost.ts';
import { CONFIDENCES, type Verdict } from '@sangam/contract/evidence.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { COLLECTION } from '../../platform/db/statuses.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { identifyCodesIn, sameName } from '../matching/decide.ts';
import { moneyFilters, type LostFilters } from './list.ts';
import {
  type Money,
  MONEY_COLUMNS,
  MONEY_FROM,
  type Order,
  ORDER_COLUMNS,
  ORDER_JOINS,
  showMoney,
  showOrder,
} from './rows.ts';

/** Only this many credits are compared, the newest. */
const MOST_MONEY = 200;
const MOST_PAIRS = 100;
/** Money that moved later than this after the order is not paired with it: the payer does not wait any more. */
const BEFORE = 7 * DAY;
/** Money may seem to move this long before the order: banks print minutes, and a device's clock may be a little wrong. */
const AFTER = 10 * MINUTE;

/**
 * Money and orders that seem to belong together, surest first, each with its reason. A person decides, so weaker evidence counts here than
 * in matching: a timed out order, or an amount that several orders have.
 */
export async function lostPairs(
  platform: Platform,
  viewer: Viewer,
  input: LostFilters,
): Promise<z.input<typeof getLostPairs.output>> {
  const money = await platform.db.query<Money>(sql`
    select ${MONEY_COLUMNS} ${MONEY_FROM} and m.account_id is not null ${moneyFilters(input, platform.clock.now())}
    order by m.id desc limit ${MOST_MONEY}`);
  const orders = await candidates(platform, money);
  const pairs = money.flatMap((credit) => {
    const fitting = orders
      .filter((order) => mayBelong(credit, order))
      .flatMap((order) => {
        const verdict = reasonFor(credit, order);
        return verdict ? [{ credit, order, verdict }] : [];
      });
    // Several orders have this amount, and none of them is likelier than the others.
    const alike = fitting.filter(({ verdict }) => verdict.reason === 'exactAmount').length;
    return alike > 1
      ? fitting.map((pair) =>
          pair.verdict.reason === 'exactAmount'
            ? { ...pair, verdict: { reason: 'severalOrders', confidence: 'low' } as const }
            : pair,
        )
      : fitting;
  });
  return {
    list: pairs
      .toSorted(
        (a, b) => CONFIDENCES.indexOf(a.verdict.confidence) - CONFIDENCES.indexOf(b.verdict.confidence),
      )
      .slice(0, MOST_PAIRS)
      .map(({ credit, order, verdict }) => ({
        money: showMoney(credit, viewer),
        order: showOrder(order, viewer),
        verdict: verdict.reason,
        confidence: verdict.confidence,
      })),
  };
}

const MOST_OF_ORDER = 5;

/** Open credits of the order's account that seem to be its payment, surest first. A supplement of the order can name one of them. */
export async function moneyOfOrder(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getOrderMoney.input>,
): Promise<z.input<typeof getOrderMoney.output> | Refusal> {
  const [order] = await platform.db.query<Order>(sql`
    select ${ORDER_COLUMNS} from collection_orders o ${ORDER_JOINS} where o.id = ${BigInt(input.orderCode)}`);
  if (!order) return refuse('notFound');
  const since = (order.allocatedAt ?? order.createdAt).getTime();
  const money =
    order.accountId === null
      ? []
      : await platform.db.query<Money>(sql`
          select ${MONEY_COLUMNS} ${MONEY_FROM} and m.account_id = ${order.accountId}
            and m.id >= ${firstIdAt(new Date(since - AFTER))} and m.id < ${firstIdAt(new Date(since + BEFORE))}
          order by m.id desc limit ${MOST_MONEY}`);
  const fitting = money.flatMap((credit) => {
    const found = mayBelong(credit, order) ? reasonFor(credit, order) : undefined;
    return found ? [{ credit, ...found }] : [];
  });
  return {
    payerUtr: order.payerUtr,
    list: fitting
      .toSorted((a, b) => CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence))
      .slice(0, MOST_OF_ORDER)
      .map(({ credit, reason, confidence }) => ({
        id: String(credit.id),
        amount: Number(credit.amount),
        currency: credit.currency,
        utr: credit.utr,
        movedTime: formatTime(credit.movedAt),
        verdict: reason,
        confidence,
      })),
  };
}

/** Unpaid orders on the accounts of these credits that share an amount, a UTR or a code with one of them. */
function candidates(platform: Platform, money: readonly Money[]): Promise<Order[]> | Order[] {
  if (money.length === 0) return [];
  const times = money.map(({ movedAt }) => movedAt.getTime());
  const accounts = money.map(({ accountId }) => accountId);
  const amounts = money.map(({ amount }) => amount);
  const utrs = money.flatMap(({ utr }) => (utr === null ? [] : namesOf(utr)));
  const codes = money.flatMap(({ text }) => identifyCodesIn(text));
  const bounds = sql`
    o.id >= ${firstIdAt(new Date(Math.min(...times) - BEFORE))} and o.id < ${firstIdAt(new Date(Math.max(...times) + AFTER))}
    and o.reversed_at is null
    and (o.payable = any(${amounts}) or o.amount = any(${amounts}) or o.payer_utr = any(${utrs}) or o.identify_code = any(${codes}))`;
  return platform.db.query<Order>(sql`
    select ${ORDER_COLUMNS} from (
      select o.* from waiting_orders w join collection_orders o on o.id = w.order_id
      where w.account_id = any(${accounts}) and o.status = ${COLLECTION.allocated} and ${bounds}
      union all
      select o.* from collection_orders o where o.stage = 2 and o.account_id = any(${accounts}) and ${bounds}
    ) o ${ORDER_JOINS}
    order by o.id desc limit 2000`);
}

function mayBelong(credit: Money, order: Order): boolean {
  const since = (order.allocatedAt ?? order.createdAt).getTime();
  const at = credit.movedAt.getTime();
  return (
    order.accountId === credit.accountId &&
    order.currency === credit.currency &&
    at >= since - AFTER &&
    at <= since + BEFORE
  );
}

function reasonFor(credit: Money, order: Order): Verdict | undefined {
  const exact = credit.amount === order.payable;
  const fits = exact || credit.amount === order.amount;
  const named =
    credit.utr !== null && order.payerUtr !== null && namesOf(credit.utr).includes(order.payerUtr);
  const coded = identifyCodesIn(credit.text).includes(order.identifyCode);
  if (named || coded)
    return fits
      ? { reason: named ? 'payerUtr' : 'identifyCode', confidence: 'certain' }
      : { reason: 'amountDiffers', confidence: 'medium' };
  if (!fits) return undefined;
  if (sameName(order.userName, credit.payer)) return { reason: 'amountAndName', confidence: 'high' };
  if (!exact) return { reason: 'askedAmount', confidence: 'low' };
  const late = order.expiresAt !== null && credit.movedAt > order.expiresAt;
  // Only the sum supports this pair: the payer typed another UTR, or the payment may belong to another order of this sum.
  const contradicted =
    (order.payerUtr !== null && credit.utr !== null) ||
    credit.reason === 'amountJustMatched' ||
    credit.reason === 'amountJustReported' ||
    credit.reason === 'wordingSettled' ||
    credit.reason === 'wentBack' ||
    credit.reason === 'amountOfEndedOrder';
  return { reason: 'exactAmount', confidence: contradicted ? 'low' : late ? 'medium' : 'high' };
}
