import { looksLikeCard } from '@sangam/contract/card-like.ts';
import { type Tx, sql } from '../db/database.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { isBankOf } from './bank-codes.ts';

/** What a receiving account must be able to stand up to, before and after a change. */
export interface AccountFacts {
  readonly supplierId: bigint;
  readonly accountNumber: string;
  readonly ifsc: string | null;
  readonly vpa: string | null;
  readonly country: string;
  readonly currency: string;
  readonly monitorId: bigint | null;
}

export interface ResourceTerms {
  readonly productId: number;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly weight: number;
}

interface ProductRow {
  readonly id: number;
  readonly direction: 'in' | 'out';
  readonly currency: string;
  readonly channel: string;
}

function invalid(field: string, reason: string): Refusal {
  return refuse(
    'invalidInput',
    { fields: `${field} (${reason})` },
    { fields: [{ path: field, message: reason }], reason },
  );
}

/** A number that could be a card's is taken only on the word that it is an account's: no card data is ever accepted. */
export function cardProblem(accountNumber: string, confirmNotCard: boolean | undefined): Refusal | undefined {
  return looksLikeCard(accountNumber) && confirmNotCard !== true
    ? invalid('accountNumber', 'looksLikeCard')
    : undefined;
}

/** The currency the chosen products share; they must exist, be for collecting, and agree. */
export async function currencyOf(tx: Tx, productIds: readonly number[]): Promise<string | Refusal> {
  const products = await readProducts(tx, productIds);
  if (new Set(productIds).size !== productIds.length) return invalid('products', 'twice');
  if (products.length !== productIds.length) return invalid('products', 'unknown');
  const currencies = new Set(products.map(({ currency }) => currency));
  return currencies.size === 1 ? products[0]!.currency : invalid('products', 'severalCurrencies');
}

/** The first thing wrong with an account as it would be, for the products it would serve. */
export async function accountProblem(
  tx: Tx,
  account: AccountFacts,
  productIds: readonly number[],
  countries: readonly string[],
): Promise<Refusal | undefined> {
  const { ifsc, vpa, country } = account;
  if (!countries.includes(country)) return invalid('country', 'CardCountry');
  if (ifsc !== null && !isBankOf(ifsc)) return invalid('ifsc', 'unknownBank');
  for (const product of await readProducts(tx, productIds)) {
    if (product.direction !== 'in') return invalid('products', 'payout');
    if (product.currency !== account.currency) return invalid('products', 'severalCurrencies');
    // A chain address is no account number.
    if (product.channel === 'usdt') return invalid('products', 'usdt');
    if ((product.channel === 'upi' || product.channel === 'wallet') && vpa === null)
      return invalid('vpa', 'needed');
    if (product.channel === 'bank' && country === 'IN' && ifsc === null) return invalid('ifsc', 'needed');
  }
  return monitorProblem(tx, account);
}

/** A monitor serves the accounts of the supplier it belongs to. */
async function monitorProblem(tx: Tx, { monitorId, supplierId }: AccountFacts): Promise<Refusal | undefined> {
  if (monitorId === null) return undefined;
  const rows = await tx.query(
    sql`select 1 from monitors where id = ${monitorId} and supplier_id = ${supplierId}`,
  );
  return rows.length === 1 ? undefined : invalid('monitorId', 'unknown');
}

function readProducts(tx: Tx, productIds: readonly number[]): Promise<ProductRow[]> {
  return tx.query<ProductRow>(sql`
    select id, direction, currency, channel from products where id = any(${productIds}::bigint[]) order by id`);
}

/** Binds products to an account: new ones closed, known ones with new limits and as open as they were. */
export async function writeResources(
  tx: Tx,
  accountId: bigint,
  products: readonly ResourceTerms[],
): Promise<void> {
  if (products.length === 0) return;
  await tx.query(sql`
    insert into resources (account_id, product_id, state, min_amount, max_amount, weight)
    select ${accountId}, product_id, 1, min_amount, max_amount, weight from unnest(
      ${products.map((each) => each.productId)}::int[], ${products.map((each) => each.minAmount)}::bigint[],
      ${products.map((each) => each.maxAmount)}::bigint[], ${products.map((each) => each.weight)}::int[])
      as v (product_id, min_amount, max_amount, weight)
    on conflict (account_id, product_id) do update
      set min_amount = excluded.min_amount, max_amount = excluded.max_amount, weight = excluded.weight`);
}
