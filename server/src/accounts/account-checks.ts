import {
  type AccountKind,
  type MpesaType,
  SERVED_CHANNELS,
  kindOf,
  numberProblem,
} from '@sangam/contract/account-kinds.ts';
import { looksLikeCard } from '@sangam/contract/card-like.ts';
import type { Channel, Direction } from '@sangam/contract/products.ts';
import { isTronAddress } from '../platform/tron-address.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import { ifscProblem } from './ifsc/ifsc.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

/** The facts of an account that are checked, before and after a change. */
export interface AccountFacts {
  readonly supplierId: bigint;
  readonly direction: Direction;
  readonly kind: AccountKind;
  readonly accountNumber: string;
  readonly mpesaType: MpesaType | null;
  readonly ifsc: string | null;
  readonly vpa: string | null;
  readonly country: string;
  readonly currency: string;
  readonly senderHeader: string | null;
  readonly monitorId: bigint | null;
}

/** What the user who enters an account confirms. */
export interface Vouched {
  readonly confirmNotCard?: boolean | undefined;
  readonly confirmNewBranch?: boolean | undefined;
}

export interface ResourceTerms {
  readonly productId: number;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly weight: number;
}

interface ProductRow {
  readonly id: number;
  readonly direction: Direction;
  readonly currency: string;
  readonly channel: Channel;
}

/** Refusal 400 that names one field and the reason: a word that the console translates, or symbols. */
export function invalid(field: string, reason: string): Refusal {
  return refuse(
    'invalidInput',
    { fields: `${field} (${reason})` },
    { fields: [{ path: field, message: reason }], reason },
  );
}

/** Kind, direction and currency of an account, from its products. The products must exist and agree on direction and currency. */
export async function natureOf(
  tx: Tx,
  productIds: readonly number[],
  has: { readonly ifsc: boolean; readonly vpa: boolean },
): Promise<Pick<AccountFacts, 'direction' | 'kind' | 'currency'> | Refusal> {
  const products = await readProducts(tx, productIds);
  if (new Set(productIds).size !== productIds.length) return invalid('products', 'twice');
  const [first] = products;
  if (!first || products.length !== productIds.length) return invalid('products', 'unknown');
  if (products.some(({ currency }) => currency !== first.currency))
    return invalid('products', 'severalCurrencies');
  const kind = kindOf(
    products.map(({ channel }) => channel),
    has,
  );
  return { direction: first.direction, kind, currency: first.currency };
}

/**
 * The first problem of an account as it would be, for the products it would serve. `before` is the present account: what does
 * not change in it was confirmed earlier.
 */
export async function accountProblem(
  tx: Tx,
  account: AccountFacts,
  productIds: readonly number[],
  allowed: {
    readonly countries: readonly string[];
    /** A monitor may serve accounts of several suppliers. */
    readonly sharedMonitor: boolean;
  },
  vouched: Vouched,
  before?: AccountFacts,
): Promise<Refusal | undefined> {
  const products = await readProducts(tx, productIds);
  if (products.length !== productIds.length) return invalid('products', 'unknown');
  for (const product of products) {
    if (product.direction !== account.direction) return invalid('products', 'severalDirections');
    if (product.currency !== account.currency) return invalid('products', 'severalCurrencies');
    if (!SERVED_CHANNELS[account.kind].includes(product.channel)) return invalid('products', 'otherKind');
    if (account.vpa === null && isPaidByVpa(account, product)) return invalid('vpa', 'needed');
  }
  return (
    identityProblem(account, vouched, before) ??
    (account.kind !== 'usdt' && !allowed.countries.includes(account.country)
      ? invalid('country', 'CardCountry')
      : undefined) ??
    (await monitorProblem(tx, account, allowed.sharedMonitor, before))
  );
}

/** Payers pay into UPI accounts and wallets by VPA; UPI payouts leave from a bank account or a VPA. */
function isPaidByVpa(account: AccountFacts, product: ProductRow): boolean {
  if (account.kind === 'upi' || account.kind === 'wallet') return true;
  return product.direction === 'in' && (product.channel === 'upi' || product.channel === 'wallet');
}

function identityProblem(
  account: AccountFacts,
  vouched: Vouched,
  before: AccountFacts | undefined,
): Refusal | undefined {
  const { kind, accountNumber, ifsc, mpesaType } = account;
  if (kind === 'mpesa' && mpesaType === null) return invalid('mpesaType', 'needed');
  const shape = numberProblem(kind, accountNumber, mpesaType);
  if (shape) return invalid('accountNumber', shape);
  if (kind === 'usdt' && !isTronAddress(accountNumber)) return invalid('accountNumber', 'checksum');
  const isOfBank = kind === 'bank' || kind === 'upi' || kind === 'card' || kind === 'wallet';
  if (!isOfBank) return undefined;
  // We never accept card data. A number that looks like a card's is taken only when somebody confirms that it is an account
  // number.
  if (looksLikeCard(accountNumber) && accountNumber !== before?.accountNumber && !vouched.confirmNotCard)
    return invalid('accountNumber', 'looksLikeCard');
  if (kind === 'bank' && account.country === 'IN' && ifsc === null) return invalid('ifsc', 'needed');
  const branch = ifsc === null || ifsc === before?.ifsc ? undefined : ifscProblem(ifsc);
  if (branch === 'unknownBank' || (branch && !vouched.confirmNewBranch)) return invalid('ifsc', branch);
  return account.senderHeader === null ? invalid('senderHeader', 'needed') : undefined;
}

/**
 * A monitor serves its own supplier's accounts; others' only while AllowOneMonitorAccountMoreUser is on. A monitor set earlier
 * may stay.
 */
async function monitorProblem(
  tx: Tx,
  { monitorId, supplierId }: AccountFacts,
  allowShared: boolean,
  before: AccountFacts | undefined,
): Promise<Refusal | undefined> {
  if (monitorId === null || monitorId === before?.monitorId) return undefined;
  const rows = await tx.query(
    sql`select 1 from monitors where id = ${monitorId} and (supplier_id = ${supplierId} or ${allowShared})`,
  );
  return rows.length === 1 ? undefined : invalid('monitorId', 'unknown');
}

function readProducts(tx: Tx, productIds: readonly number[]): Promise<ProductRow[]> {
  return tx.query<ProductRow>(sql`
    select id, direction, currency, channel from products where id = any(${productIds}::bigint[]) order by id`);
}

const TERMS = { productId: 'int', minAmount: 'bigint', maxAmount: 'bigint', weight: 'int' } as const;

/** Binds products to an account: new ones closed, known ones with new limits and open or closed as before. */
export async function writeResources(
  tx: Tx,
  accountId: bigint,
  products: readonly ResourceTerms[],
): Promise<void> {
  if (products.length === 0) return;
  await tx.query(sql`
    insert into resources (account_id, product_id, state, min_amount, max_amount, weight)
    select ${accountId}, product_id, 1, min_amount, max_amount, weight from ${unnestRows(TERMS, products)}
    on conflict (account_id, product_id) do update
      set min_amount = excluded.min_amount, max_amount = excluded.max_amount, weight = excluded.weight`);
}
