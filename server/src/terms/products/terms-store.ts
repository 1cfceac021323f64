import type { Currency } from '@sangam/contract/money.ts';
import { type Sql, type Tx, join, sql } from '../../platform/db/database.ts';

export type OwnerKind = 'merchant' | 'supplier' | 'agent';

/** The owner and the product of terms. */
export interface TermsKey {
  readonly ownerKind: OwnerKind;
  readonly ownerId: bigint;
  readonly productId: number;
}

export interface TermsValues {
  readonly enabled: boolean;
  readonly ratePpm: number;
  readonly fixedFee: bigint;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly dailyCountLimit: number | null;
  readonly dailyAmountLimit: bigint | null;
  readonly weight: number;
}

/** Terms that wait for their time. */
export interface ScheduledTerms extends TermsValues {
  readonly id: bigint;
  readonly effectiveAt: Date;
}

const VALUES = sql`enabled, rate_ppm as "ratePpm", fixed_fee as "fixedFee", min_amount as "minAmount", max_amount as "maxAmount",
  daily_count_limit as "dailyCountLimit", daily_amount_limit as "dailyAmountLimit", weight`;
const COLUMNS = sql`owner_kind, owner_id, product_id, enabled, rate_ppm, fixed_fee, min_amount, max_amount,
  daily_count_limit, daily_amount_limit, weight`;

/** Locks the owner, so that its terms are set one after another. An agent is a supplier. */
export async function lockOwner(
  tx: Tx,
  { ownerKind, ownerId }: Pick<TermsKey, 'ownerKind' | 'ownerId'>,
): Promise<boolean> {
  const table = ownerKind === 'merchant' ? sql`merchants` : sql`suppliers`;
  const rows = await tx.query(sql`select 1 from ${table} where id = ${ownerId} for no key update`);
  return rows.length === 1;
}

/** The currency of a product; undefined where there is no such product. */
export async function currencyOf(tx: Tx, productId: number): Promise<Currency | undefined> {
  const [row] = await tx.query<{ currency: Currency }>(
    sql`select currency from products where id = ${productId}`,
  );
  return row?.currency;
}

export async function termsInForce(tx: Tx, key: TermsKey): Promise<TermsValues | undefined> {
  const rows = await tx.query<TermsValues>(sql`select ${VALUES} from user_products where ${isOf(key)}`);
  return rows[0];
}

/** An agent that is switched off has no commission, so its switch is part of its rate. */
export type Rate = Pick<TermsValues, 'ratePpm' | 'fixedFee'> & { readonly isAgentOff: boolean };

/** The rates in force, and those that are scheduled. */
export function ratesSet(tx: Tx, key: TermsKey): Promise<Rate[]> {
  const rates = sql`
    select rate_ppm as "ratePpm", fixed_fee as "fixedFee", owner_kind = 'agent' and not enabled as "isAgentOff"`;
  return tx.query(sql`
    ${rates} from user_products where ${isOf(key)}
    union ${rates} from user_product_terms where ${isOf(key)} and applied_at is null`);
}

/** Scheduled terms, in the order in which they come into force. */
export function termsScheduled(tx: Tx, key: TermsKey): Promise<ScheduledTerms[]> {
  return tx.query(sql`
    select id, ${VALUES}, effective_at as "effectiveAt" from user_product_terms where ${isOf(key)} and applied_at is null
    order by effective_at, id`);
}

/** Enabled terms of merchant `fromId` for products for which merchant `ownerId` has no terms, neither in force nor scheduled. */
export function termsToCopy(
  tx: Tx,
  ownerId: bigint,
  fromId: bigint,
): Promise<(TermsValues & { readonly productId: number; readonly currency: Currency })[]> {
  return tx.query(sql`
    select product_id as "productId", (select currency from products p where p.id = u.product_id) as currency, ${VALUES}
    from user_products u
    where u.owner_kind = 'merchant' and u.owner_id = ${fromId} and u.enabled
      and not exists (select from user_products o
        where o.owner_kind = 'merchant' and o.owner_id = ${ownerId} and o.product_id = u.product_id)
      and not exists (select from user_product_terms w
        where w.owner_kind = 'merchant' and w.owner_id = ${ownerId} and w.product_id = u.product_id and w.applied_at is null)
    order by u.product_id`);
}

/**
 * Makes the terms in force before anything was set here (a seed's) the first entry of the history, so that the orders made
 * under them keep them.
 */
export async function keepFirstTerms(tx: Tx, key: TermsKey, id: bigint, now: Date): Promise<void> {
  await tx.query(sql`
    insert into user_product_terms (id, ${COLUMNS}, effective_at, applied_at, created_at)
    select ${id}, ${COLUMNS}, 'epoch', ${now}, ${now} from user_products
    where ${isOf(key)} and not exists (select from user_product_terms where ${isOf(key)})`);
}

export interface NewTerms {
  readonly id: bigint;
  readonly key: TermsKey;
  readonly values: TermsValues;
  readonly effectiveAt: Date;
  readonly setBy: bigint;
  readonly now: Date;
}

export async function insertTerms(
  tx: Tx,
  { id, key, values, effectiveAt, setBy, now }: NewTerms,
): Promise<void> {
  await tx.query(sql`
    insert into user_product_terms (id, ${COLUMNS}, effective_at, set_by, created_at)
    values (${id}, ${key.ownerKind}, ${key.ownerId}, ${key.productId}, ${values.enabled}, ${values.ratePpm}, ${values.fixedFee},
      ${values.minAmount}, ${values.maxAmount}, ${values.dailyCountLimit}, ${values.dailyAmountLimit}, ${values.weight}, ${effectiveAt}, ${setBy}, ${now})`);
}

/** Switches the product off in the terms that wait for a later time too. */
export async function switchOffScheduled(tx: Tx, key: TermsKey, after: Date): Promise<void> {
  await tx.query(sql`
    update user_product_terms set enabled = false
    where ${isOf(key)} and applied_at is null and effective_at > ${after} and enabled`);
}

/** Locks terms whose time has come, oldest first. Terms that another node has locked are left to it. */
export function lockDueTerms(tx: Tx, now: Date, limit: number): Promise<TermsKey[]> {
  return tx.query<TermsKey>(sql`
    select owner_kind as "ownerKind", owner_id as "ownerId", product_id as "productId" from user_product_terms
    where applied_at is null and effective_at <= ${now} order by effective_at, id limit ${limit} for update skip locked`);
}

/**
 * Puts in force, for each key, the latest terms whose time has come. Two nodes that do it at once, in any order, end with the
 * same row.
 */
export async function applyTerms(tx: Tx, keys: readonly TermsKey[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  const wanted = join(
    keys.map((key) => sql`(${key.ownerKind}::text, ${key.ownerId}::bigint, ${key.productId}::int)`),
  );
  await tx.query(sql`
    insert into user_products (${COLUMNS})
    select distinct on (owner_kind, owner_id, product_id) ${COLUMNS} from user_product_terms
    where (owner_kind, owner_id, product_id) in (${wanted}) and effective_at <= ${now}
    order by owner_kind, owner_id, product_id, effective_at desc, id desc
    on conflict (owner_kind, owner_id, product_id) do update set enabled = excluded.enabled, rate_ppm = excluded.rate_ppm,
      fixed_fee = excluded.fixed_fee, min_amount = excluded.min_amount, max_amount = excluded.max_amount,
      daily_count_limit = excluded.daily_count_limit, daily_amount_limit = excluded.daily_amount_limit, weight = excluded.weight`);
  await tx.query(sql`
    update user_product_terms set applied_at = ${now}
    where (owner_kind, owner_id, product_id) in (${wanted}) and effective_at <= ${now} and applied_at is null`);
}

/** Whose terms these are, and for which product. */
export async function keyOfTerms(tx: Tx, id: bigint): Promise<TermsKey | undefined> {
  const [key] = await tx.query<TermsKey>(sql`
    select owner_kind as "ownerKind", owner_id as "ownerId", product_id as "productId" from user_product_terms where id = ${id}`);
  return key;
}

/** Deletes scheduled terms. False where a node has just put them in force: it locks no owner. */
export async function deleteTerms(tx: Tx, id: bigint): Promise<boolean> {
  const deleted = await tx.query(
    sql`delete from user_product_terms where id = ${id} and applied_at is null returning id`,
  );
  return deleted.length > 0;
}

function isOf({ ownerKind, ownerId, productId }: TermsKey): Sql {
  return sql`owner_kind = ${ownerKind} and owner_id = ${ownerId} and product_id = ${productId}`;
}
