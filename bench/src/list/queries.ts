import { formatTime } from '@sangam/contract/time.ts';
import { DAY } from '@sangam/server/platform/clock.ts';
import { type Database, raw, sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';

/** Queries for lists of orders. Their values come from existing orders, so that frequent values are asked for often. */

export type Query = Readonly<Record<string, string>>;
export type Random = () => number;
export type Direction = 'collections' | 'payouts';

export const PATHS: Readonly<Record<Direction, string>> = {
  collections: '/v1.0/order/getList',
  payouts: '/v1.0/payoutOrder/getList',
};

/** Calls for counts and sums by status under the filters of a list. */
export const TOTALS_PATHS: Readonly<Record<Direction, string>> = {
  collections: '/v1.0/order/getStatusSummary',
  payouts: '/v1.0/payoutOrder/getStatusSummary',
};

const FACTORS: Readonly<Record<string, number>> = { USDT: 1_000_000, INR: 100, KES: 100 };
const DAYS = 31;
const SAMPLES = 300;

interface Sample {
  readonly id: bigint;
  readonly [column: string]: Cell;
}
type Cell = string | number | bigint | boolean | Date | null | undefined;
type Value = (order: Sample, random: Random) => Cell;

const decimal = (minor: Cell, currency: Cell) =>
  (Number(minor) / FACTORS[String(currency)]! + 0.0001).toFixed(4);
const column =
  (name: string): Value =>
  (order) =>
    order[name];
/** One word of a text, or its beginning. A search needs at least three letters. */
const part =
  (name: string): Value =>
  (order, random) => {
    const words = String(order[name] ?? '')
      .split(' ')
      .filter((word) => word.length >= 3);
    const word = words[Math.floor(random() * words.length)];
    return word?.slice(0, 3 + Math.floor(random() * word.length));
  };
const flag: Value = (_, random) => (random() < 0.5 ? 'true' : 'false');
const digit: Value = (_, random) => (random() < 0.5 ? '1' : '0');
const time = (order: Sample) => formatTime(order['created_at'] as Date);

const SHARED: Readonly<Record<string, Value>> = {
  merchantId: column('merchant_id'),
  supplierId: column('supplier_id'),
  productId: column('product_id'),
  merchantOrderId: column('mch_order_no'),
  orderCode: column('id'),
  ipAddress: column('client_ip'),
  startTime: time,
  endTime: time,
  orderStatusId: (order, random) => (random() < 0.5 ? order['status'] : Math.floor(random() * 6)),
  isProxy: flag,
  orderMark: (_, random) => Math.floor(random() * 5),
  utr: column('utr'),
  amount: (order) => decimal(order['amount'], order['currency']),
  reversed: flag,
};

export const FILTERS: Readonly<Record<Direction, Readonly<Record<string, Value>>>> = {
  collections: {
    ...SHARED,
    supplementStatus: digit,
    supplementType: digit,
    currentReceivedMoney: (order) => order['received'] && decimal(order['received'], order['currency']),
    description: (order, random) =>
      part(random() < 0.5 && order['body'] !== null ? 'body' : 'subject')(order, random),
    cardNumber: column('account_number'),
    ifscCode: column('ifsc'),
    usdtAddress: (order) => (order['currency'] === 'USDT' ? order['account_number'] : undefined),
    usdtCount: (order) => (order['currency'] === 'USDT' ? order['payable'] : undefined),
    identifyCode: column('identify_code'),
    validateUserName: column('user_name'),
    userName: part('user_name'),
  },
  payouts: {
    ...SHARED,
    cardNumber: column('payee_account'),
    ifscCode: column('payee_ifsc'),
    usdtAddress: column('payee_address'),
    usdtCount: (order) => (order['currency'] === 'USDT' ? order['amount'] : undefined),
    validateUserName: column('payee_name'),
    userName: part('payee_name'),
    unproven: flag,
    processState: digit,
    batchId: column('upload_id'),
  },
};

/** Orders of the days that a list shows, with some of each rare kind. */
export async function readSamples(db: Database, direction: Direction): Promise<Sample[]> {
  const now = Date.now();
  const span = DAYS * DAY;
  const table = raw(direction === 'collections' ? 'collection_orders' : 'payout_orders');
  const account = raw(direction === 'collections' ? ', a.account_number, a.ifsc' : '');
  const from = Array.from({ length: SAMPLES }, (_, n) =>
    firstIdAt(new Date(now - ((n + 0.5) / SAMPLES) * span)),
  );
  const pick = (condition: string) => sql`
    select o.* ${account} from unnest(${from}::bigint[]) v (id)
    cross join lateral (select * from ${table} where id >= v.id ${raw(condition)} order by id limit 1) o
    left join accounts a on a.id = o.account_id`;
  const usual = await db.query<Sample>(pick(''));
  return [...usual, ...(await db.query<Sample>(pick("and currency = 'USDT'"))).slice(0, SAMPLES / 10)];
}

/** A value of the filter that some order has. */
export function valueOf(
  direction: Direction,
  filter: string,
  samples: readonly Sample[],
  random: Random,
): string {
  for (let tries = 0; tries < 10_000; tries += 1) {
    const value = FILTERS[direction][filter]!(samples[Math.floor(random() * samples.length)]!, random);
    if (value !== undefined && value !== null && value !== '') return String(value);
  }
  throw new Error(`no order of the ${direction} has a ${filter}`);
}

/** A later page: by its number, within the limit for page numbers, or from the last order of another page. */
export function laterPage(samples: readonly Sample[], random: Random): Query {
  return random() < 0.5
    ? { pageIndex: String(2 + Math.floor(random() * 499)) }
    : { cursor: String(samples[Math.floor(random() * samples.length)]!.id) };
}
