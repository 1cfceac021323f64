import type { Currency } from '@sangam/contract/money.ts';
import type { TemplateFormat } from '@sangam/contract/payout-templates.ts';
import type { Payer } from '../../accounts/payers.ts';
import { type Queryable, type Sql, sql } from '../../platform/db/database.ts';
import { kycApproved } from '../../terms/kyc/approved.ts';
import { countWaiting } from '../in-batch.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { currentTemplate } from './templates/template-store.ts';
import type { PayingAccount } from './templates/render.ts';

/** The choice of waiting payouts for a batch. Amounts in minor units of the account's currency. */
export interface Selection {
  readonly accountId: string;
  readonly templateId: string;
  readonly minAmount: number;
  readonly maxAmount: number;
}

/** A payout account that may pay now. */
export interface BatchAccount extends PayingAccount, Payer {
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly bank: string;
  readonly products: readonly number[];
}

/** A selection's account, template, and SQL condition (beginning with 'and') of the payouts (alias `o`) that fit. */
export interface Selected {
  readonly account: BatchAccount;
  readonly template: { readonly id: bigint; readonly version: number; readonly format: TemplateFormat };
  readonly fits: Sql;
}

/** Payout accounts the viewer may pay from: enabled for a product, not frozen, of an enabled supplier, and with KYC if it is required. */
export async function payingAccounts(
  platform: Platform,
  db: Queryable,
  viewer: Viewer,
  accountId?: string,
): Promise<BatchAccount[]> {
  const { KYC } = await platform.settings.all();
  const now = platform.clock.now();
  return db.query<BatchAccount>(sql`
    select a.id, a.supplier_id as "supplierId", s.name as "supplierName", a.bank, a.ifsc, a.owner_name as "ownerName",
      a.account_number as "accountNumber", a.currency::text as currency, array_agg(r.product_id order by r.product_id) as products,
      a.daily_count_limit as "dailyCountLimit", a.daily_amount_limit as "dailyAmountLimit", a.merchant_whitelist::text[] as "merchantWhitelist",
      min(r.min_amount) as "minAmount", max(r.max_amount) as "maxAmount"
    from accounts a join suppliers s on s.id = a.supplier_id join resources r on r.account_id = a.id and r.state = 0
    where a.direction = 'out' and not a.frozen and s.enabled and not s.frozen
      and (not ${KYC} or ${kycApproved('account', sql`a.id`, now)} and ${kycApproved('supplier', sql`a.supplier_id`, now)})
      ${accountId === undefined ? sql`` : sql`and a.id = ${BigInt(accountId)}`}
      ${scopeOf(viewer, { supplier: sql`a.supplier_id` })}
    group by a.id, s.id order by a.id desc limit 500`);
}

/** The account and template of a selection. 404 when the viewer has no such account, 409 when the template does not fit the account. */
export async function selectPayouts(
  platform: Platform,
  db: Queryable,
  viewer: Viewer,
  input: Selection,
): Promise<Selected | Refusal> {
  const [account] = await payingAccounts(platform, db, viewer, input.accountId);
  const template = await currentTemplate(db, BigInt(input.templateId));
  if (!account || !template?.enabled) return refuse('notFound');
  const { format } = template;
  if (!isReady(format)) return refuse('conflict', {}, { reason: 'templateParameterMissing' });
  if (!isOfBank(format, account.ifsc)) return refuse('conflict', {}, { reason: 'templateOfAnotherBank' });
  const products = account.products.filter((id) => format.products.includes(id));
  return { account, template, fits: fitting(account, products, input) };
}

/** Whether files of this format may pay from the account. */
export function isFor(
  format: Pick<TemplateFormat, 'bank' | 'products'>,
  { ifsc, products }: Pick<BatchAccount, 'ifsc' | 'products'>,
): boolean {
  return isOfBank(format, ifsc) && format.products.some((product) => products.includes(product));
}

function isOfBank({ bank }: Pick<TemplateFormat, 'bank'>, ifsc: string | null | undefined): boolean {
  return bank === '' || ifsc?.startsWith(bank) === true;
}

/** Whether every parameter that is agreed with the bank is filled in. */
export function isReady(format: TemplateFormat): boolean {
  return Object.values(format.parameters).every((value) => value !== '');
}

/** SQL: a payout fits the account's limits, the supplier's terms and the choice. */
function fitting(account: BatchAccount, products: readonly number[], input: Selection): Sql {
  return sql`
    and o.product_id = any(${products}::int[]) and o.currency = ${account.currency}
    and o.amount between ${input.minAmount} and ${input.maxAmount}
    and (${account.merchantWhitelist}::text[] is null or o.merchant_id::text = any(${account.merchantWhitelist}::text[]))
    and exists (select from resources r where r.account_id = ${account.id} and r.product_id = o.product_id and r.state = 0
      and o.amount between r.min_amount and r.max_amount)
    and exists (select from user_products u where u.owner_kind = 'supplier' and u.owner_id = ${account.supplierId}
      and u.product_id = o.product_id and u.enabled and o.amount between u.min_amount and u.max_amount)`;
}

/** Count and sum (minor units) of all waiting payouts that fit. */
export async function countFitting(
  platform: Platform,
  viewer: Viewer,
  input: Selection,
): Promise<{ count: number; sum: number; currency: Currency } | Refusal> {
  const selected = await selectPayouts(platform, platform.db, viewer, input);
  if (isRefusal(selected)) return selected;
  const { count, sum } = await countWaiting(platform.db, selected.fits);
  return { count, sum: Number(sum), currency: selected.account.currency };
}
