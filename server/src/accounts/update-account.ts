import type { z } from 'zod';
import { kenyanPhone } from '@sangam/contract/account-kinds.ts';
import type { BalanceMode } from '@sangam/contract/chain.ts';
import type { updateAccount as contract } from '@sangam/contract/endpoints/account.ts';
import { approvalNeeded, type Started } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { listedProblem } from '../screening/listed-problem.ts';
import { nameScreen } from '../screening/screen.ts';
import { type AccountFacts, accountProblem, writeResources } from './account-checks.ts';
import { askForBalanceMode, isWeaker } from './balance-mode.ts';
import { maySayBalanceMode, orNumberExists, RAILS } from './create-account.ts';
import { type OpenMinutes, type Whitelists, hoursOf, payerKey, shownHours } from './openness.ts';
import { KEEPERS, accountScope, maskedNumber, maskedVpa } from './resource.ts';
import { alsoEnteredBy, isProven } from './whose.ts';

type Input = z.output<typeof contract.input>;

interface AccountRow extends AccountFacts, OpenMinutes, Whitelists {
  readonly bank: string;
  readonly ownerName: string;
  readonly purpose: string;
  readonly balanceMode: BalanceMode;
  readonly dailyCountLimit: number | null;
  readonly dailyAmountLimit: bigint | null;
  readonly maxWaiting: number;
  /** A proof of its ownership is approved or under review. */
  readonly proven: boolean;
  readonly productIds: readonly number[];
}

/** The fields that the proof of ownership names. */
const IDENTITY = ['bank', 'ownerName', 'accountNumber', 'ifsc', 'vpa'] as const;

/**
 * Changes the given fields. A weaker balance mode waits for a second person (1205). The identity cannot change while a proof of
 * ownership is approved or under review: another account is a new account with its own proof.
 */
export async function updateAccount(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Record<string, never> | Refusal> {
  if (!KEEPERS.includes(viewer.role) || !maySayBalanceMode(viewer, input)) return refuse('forbidden');
  const { AllowOneMonitorAccountMoreUser: sharedMonitor } = await platform.settings.all();
  // Read before the transaction: inside it the read would need a second connection.
  await nameScreen(platform).ready();
  const outcome = await orNumberExists(() =>
    platform.db.tx(async (tx): Promise<Started | Refusal | null> => {
      const id = BigInt(input.id);
      const before = await lockAccount(tx, viewer, id);
      if (!before) return refuse('notFound');
      const wanted = changed(before, input);
      const isAsked = isWeaker(before.balanceMode, wanted.balanceMode);
      const after = isAsked ? { ...wanted, balanceMode: before.balanceMode } : wanted;
      const renamed = IDENTITY.filter((field) => before[field] !== after[field]);
      if (renamed.length > 0 && before.proven)
        return refuse(
          'conflict',
          {},
          { reason: 'ownershipProven', fields: renamed.map((path) => ({ path })) },
        );
      const products = input.products ?? [];
      const productIds = [...new Set([...before.productIds, ...products.map(({ productId }) => productId)])];
      // The country was allowed when the account was made, so it is not checked again.
      const problem = await accountProblem(
        tx,
        after,
        productIds,
        { countries: [after.country], sharedMonitor },
        input,
        before,
      );
      if (problem) return problem;
      if (renamed.length > 0) {
        const { ownerName: name, accountNumber, vpa, mpesaType } = after;
        const phone = mpesaType === 'phone' ? accountNumber : null;
        const party = { name, account: accountNumber, vpa, phone };
        const listed = await listedProblem(platform, party, 'account', `account:${id}`);
        if (listed) return listed;
      }
      await tx.query(sql`
        update accounts set bank = ${after.bank}, owner_name = ${after.ownerName}, account_number = ${after.accountNumber},
          ifsc = ${after.ifsc}, vpa = ${after.vpa}, sender_header = ${after.senderHeader}, purpose = ${after.purpose},
          balance_mode = ${after.balanceMode},
          monitor_id = ${after.monitorId}, daily_count_limit = ${after.dailyCountLimit},
          daily_amount_limit = ${after.dailyAmountLimit}, max_waiting = ${after.maxWaiting},
          opens_minute = ${after.opensMinute}, closes_minute = ${after.closesMinute},
          merchant_whitelist = ${after.merchantWhitelist}::bigint[], payer_whitelist = ${after.payerWhitelist}::text[]
        where id = ${id}`);
      if (renamed.length > 0)
        await tx.query(sql`
          update accounts set ${alsoEnteredBy(viewer)} where id = ${id}`);
      await writeResources(tx, id, products);
      await audit(platform, tx, {
        userId: viewer.userId,
        action: 'account.update',
        subject: `account:${id}`,
        before: shown(before),
        after: { ...shown(after), ...(products.length > 0 ? { products } : {}) },
        ip: viewer.ip,
      });
      return isAsked
        ? askForBalanceMode(platform, tx, viewer, {
            accountId: id,
            before: before.balanceMode,
            after: wanted.balanceMode,
          })
        : null;
    }),
  );
  if (isRefusal(outcome)) return outcome;
  return outcome ? approvalNeeded(outcome) : {};
}

async function lockAccount(tx: Tx, viewer: Viewer, id: bigint): Promise<AccountRow | undefined> {
  const rows = await tx.query<AccountRow>(sql`
    select a.supplier_id as "supplierId", a.bank, a.owner_name as "ownerName", a.account_number as "accountNumber",
      a.direction, a.kind, a.mpesa_type as "mpesaType", a.opens_minute as "opensMinute", a.closes_minute as "closesMinute",
      a.merchant_whitelist::text[] as "merchantWhitelist", a.payer_whitelist as "payerWhitelist", a.ifsc, a.vpa, a.country, a.currency, a.sender_header as "senderHeader", a.purpose, a.balance_mode as "balanceMode", a.monitor_id as "monitorId",
      a.daily_count_limit as "dailyCountLimit", a.daily_amount_limit as "dailyAmountLimit", a.max_waiting as "maxWaiting",
      ${isProven(sql`a.id`)} as proven,
      array(select product_id from resources r where r.account_id = a.id order by 1) as "productIds"
    from accounts a where a.id = ${id} ${accountScope(viewer)} for update of a`);
  return rows[0];
}

/** The row with the given values. Null removes a value, undefined keeps it. */
function changed(before: AccountRow, input: Input): AccountRow {
  const given = <Value>(value: Value | undefined, old: Value): Value => (value === undefined ? old : value);
  const bigintOf = (value: string | number | null | undefined) =>
    value === undefined || value === null ? value : BigInt(value);
  return {
    ...before,
    bank: RAILS[before.kind]?.bank ?? given(input.bank, before.bank),
    ownerName: given(input.ownerName, before.ownerName),
    accountNumber:
      before.mpesaType === 'phone'
        ? kenyanPhone(input.accountNumber ?? before.accountNumber)
        : given(input.accountNumber, before.accountNumber),
    ifsc: given(input.ifsc, before.ifsc),
    vpa: given(input.vpa, before.vpa),
    senderHeader: given(input.senderHeader, before.senderHeader),
    purpose: given(input.purpose, before.purpose),
    balanceMode: given(input.balanceMode, before.balanceMode),
    monitorId: given(bigintOf(input.monitorId), before.monitorId),
    dailyCountLimit: given(input.dailyCountLimit, before.dailyCountLimit),
    dailyAmountLimit: given(bigintOf(input.dailyAmountLimit), before.dailyAmountLimit),
    maxWaiting: given(input.maxWaiting, before.maxWaiting),
    ...(input.hours === undefined ? {} : hoursOf(input.hours)),
    merchantWhitelist: given(input.merchantWhitelist, before.merchantWhitelist),
    payerWhitelist: given(
      input.payerWhitelist?.map(payerKey) ?? (input.payerWhitelist as null | undefined),
      before.payerWhitelist,
    ),
  };
}

/** The row as the audit keeps it: masked, and without bigints. */
function shown(row: AccountRow): object {
  return {
    bank: row.bank,
    ownerName: row.ownerName,
    accountNumber: maskedNumber(row),
    ifsc: row.ifsc,
    vpa: maskedVpa(row),
    senderHeader: row.senderHeader,
    purpose: row.purpose,
    balanceMode: row.balanceMode,
    monitorId: row.monitorId === null ? null : String(row.monitorId),
    dailyCountLimit: row.dailyCountLimit,
    dailyAmountLimit: row.dailyAmountLimit === null ? null : Number(row.dailyAmountLimit),
    currency: row.currency,
    maxWaiting: row.maxWaiting,
    hours: shownHours(row),
    merchantWhitelist: row.merchantWhitelist,
    payerWhitelist: row.payerWhitelist,
  };
}
