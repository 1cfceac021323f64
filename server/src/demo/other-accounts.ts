import type { Platform } from '../platform/platform.ts';
import { type Tx, join, sql } from '../platform/db/database.ts';
import { DEMO_MCH_ID, type DemoScript } from './demo-script.ts';
import { DEMO_WALLET } from './demo-signer.ts';

/** Accounts beside those of the demo's history: payout accounts, USDT, M-Pesa, a gateway. */
interface OtherAccount {
  readonly supplier: string;
  readonly direction: 'in' | 'out';
  readonly kind: 'bank' | 'gateway' | 'usdt' | 'mpesa';
  readonly currency: 'INR' | 'KES' | 'USDT';
  readonly country: string;
  readonly bank: string;
  readonly ownerName: string;
  readonly accountNumber: string;
  readonly mpesaType?: 'paybill' | 'till';
  /** A gateway that the demo's pay script calls. */
  readonly byScript?: true;
  readonly ifsc?: string;
  readonly vpa?: string;
  readonly senderHeader: string;
  readonly products: readonly number[];
  /** In minor units of its currency. */
  readonly maxAmount: bigint;
  readonly dailyAmountLimit: bigint;
  readonly hours?: readonly [opensMinute: number, closesMinute: number];
}

const payoutBank = (
  fields: Pick<OtherAccount, 'supplier' | 'bank' | 'ownerName' | 'accountNumber' | 'ifsc' | 'vpa'> & {
    readonly senderHeader: string;
  },
): OtherAccount => ({
  direction: 'out',
  kind: 'bank',
  currency: 'INR',
  country: 'IN',
  products: fields.vpa === undefined ? [2001] : [2001, 2012],
  maxAmount: 200_000_00n,
  dailyAmountLimit: 25_000_000_00n,
  ...fields,
});

const usdt = (
  supplier: string,
  direction: 'in' | 'out',
  ownerName: string,
  accountNumber: string,
): OtherAccount => ({
  supplier,
  direction,
  kind: 'usdt',
  currency: 'USDT',
  country: 'IN',
  bank: 'TRON',
  ownerName,
  accountNumber,
  senderHeader: 'TRON',
  products: [direction === 'in' ? 1045 : 2045],
  maxAmount: 20_000_000_000n,
  dailyAmountLimit: 250_000_000_000n,
});

const mpesa = (
  direction: 'in' | 'out',
  mpesaType: 'paybill' | 'till',
  accountNumber: string,
  ownerName: string,
): OtherAccount => ({
  supplier: 'supplier2',
  direction,
  kind: 'mpesa',
  currency: 'KES',
  country: 'KE',
  bank: 'M-Pesa',
  ownerName,
  accountNumber,
  mpesaType,
  senderHeader: 'MPESA',
  products: [direction === 'in' ? 1060 : 2060],
  maxAmount: 250_000_00n,
  dailyAmountLimit: 5_000_000_00n,
  // A paybill takes payments at any hour. A till has a person behind it.
  ...(mpesaType === 'till' ? { hours: [6 * 60, 23 * 60] as const } : {}),
});

const OTHER_ACCOUNTS: readonly OtherAccount[] = [
  payoutBank({
    supplier: 'supplier1',
    bank: 'HDFC',
    ownerName: 'Deccan Collections LLP',
    accountNumber: '50200041273829',
    ifsc: 'HDFC0000521',
    vpa: 'deccan.payouts@hdfcbank',
    senderHeader: 'HDFCBK',
  }),
  payoutBank({
    supplier: 'supplier1',
    bank: 'ICICI',
    ownerName: 'Deccan Collections LLP',
    accountNumber: '004805009771',
    ifsc: 'ICIC0000048',
    senderHeader: 'ICICIB',
  }),
  payoutBank({
    supplier: 'supplier2',
    bank: 'Axis',
    ownerName: 'Konkan Receivables',
    accountNumber: '921020046183281',
    ifsc: 'UTIB0001159',
    vpa: 'konkan.payouts@axisbank',
    senderHeader: 'AXISBK',
  }),
  {
    supplier: 'supplier1',
    direction: 'out',
    kind: 'gateway',
    currency: 'INR',
    country: 'IN',
    bank: 'RazorpayX',
    ownerName: 'Deccan Collections LLP',
    accountNumber: 'acc_K7h2QmDeccan01',
    senderHeader: 'RAZORPAYX',
    products: [2010],
    maxAmount: 500_000_00n,
    dailyAmountLimit: 50_000_000_00n,
  },
  {
    supplier: 'supplier1',
    direction: 'in',
    kind: 'gateway',
    currency: 'INR',
    country: 'IN',
    bank: 'Kosh Pay',
    ownerName: 'Deccan Collections LLP',
    accountNumber: DEMO_MCH_ID,
    byScript: true,
    senderHeader: 'KOSHPAY',
    products: [1030],
    maxAmount: 50_000_00n,
    dailyAmountLimit: 20_000_000_00n,
  },
  usdt('supplier1', 'in', 'Deccan Collections LLP', 'TV4cqV1yX3M3oot5o5vLgMEqvWgp6qkeMW'),
  usdt('supplier2', 'in', 'Konkan Receivables', 'TUV1sVqVyAffxhyoVZVJx4STPz46Lwvk9C'),
  usdt('supplier1', 'out', 'Deccan Collections LLP', DEMO_WALLET),
  mpesa('in', 'paybill', '522533', 'Konkan Receivables Kenya'),
  mpesa('in', 'till', '904411', 'Leela Sawant'),
  mpesa('out', 'paybill', '600997', 'Konkan Receivables Kenya'),
];

/** Creates these accounts for their suppliers, open for their products, gateways with sealed credentials. Answers their ids. */
export async function makeOtherAccounts(
  { vault }: Pick<Platform, 'vault'>,
  tx: Tx,
  supplierOf: (account: string) => bigint,
  createdAt: Date,
  credentials: Readonly<Record<'gateway' | 'mpesa' | 'script', object>>,
  { scriptId, liveAt }: DemoScript,
): Promise<readonly { readonly id: bigint }[]> {
  const credentialsOf = ({ kind, byScript }: OtherAccount) => {
    if (byScript) return credentials.script;
    return kind === 'gateway' || kind === 'mpesa' ? credentials[kind] : null;
  };
  const rows = await tx.query<{ id: bigint; accountNumber: string }>(sql`
    insert into accounts (supplier_id, direction, kind, currency, country, bank, owner_name, account_number, mpesa_type, ifsc, vpa,
      sender_header, purpose, daily_amount_limit, opens_minute, closes_minute, gateway_provider, pay_script_id, created_at)
    values ${join(
      OTHER_ACCOUNTS.map(
        (
          each,
        ) => sql`(${supplierOf(each.supplier)}::bigint, ${each.direction}, ${each.kind}, ${each.currency}, ${each.country},
          ${each.bank}, ${each.ownerName}, ${each.accountNumber}, ${each.mpesaType ?? null}, ${each.ifsc ?? null},
          ${each.vpa ?? null}, ${each.senderHeader},
          ${each.direction === 'in' ? 'Collection for authorised merchants' : 'Payouts of authorised merchants'},
          ${each.dailyAmountLimit}::bigint, ${each.hours?.[0] ?? null}::smallint, ${each.hours?.[1] ?? null}::smallint,
          ${each.byScript ? 'script' : 'razorpayx'}, ${each.byScript ? scriptId : null}::bigint, ${createdAt}::timestamptz)`,
      ),
    )}
    returning id, account_number as "accountNumber"`);
  const idOf = new Map(rows.map((row) => [row.accountNumber, row.id]));
  for (const each of OTHER_ACCOUNTS) {
    const [id, opening] = [idOf.get(each.accountNumber)!, credentialsOf(each)];
    if (opening)
      await tx.query(sql`
        update accounts set credentials = ${vault.seal(JSON.stringify(opening), ['accounts.credentials', id])},
          credentials_at = ${each.byScript ? liveAt : createdAt}
        where id = ${id}`);
  }
  await tx.query(
    sql`insert into account_load (account_id) select id from unnest(${[...idOf.values()]}::bigint[]) as v (id)`,
  );
  await tx.query(sql`
    insert into resources (account_id, product_id, state, min_amount, max_amount)
    values ${join(
      OTHER_ACCOUNTS.flatMap((each) =>
        each.products.map(
          (productId) =>
            sql`(${idOf.get(each.accountNumber)}::bigint, ${productId}::int, 0, ${each.maxAmount / 2_000n}::bigint, ${each.maxAmount}::bigint)`,
        ),
      ),
    )}`);
  return rows;
}
