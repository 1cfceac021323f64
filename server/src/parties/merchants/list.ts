import type { z } from 'zod';
import type { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import type { SignType } from '@sangam/contract/signature.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { ordersToday } from '../../collection/today.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import { kycState } from '../../terms/kyc/approved.ts';
import { ownerBalances } from '../../ledger/balances.ts';
import type { Platform } from '../../platform/platform.ts';
import { ownerTerms } from '../../terms/products/owner-terms.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';

type Input = z.output<typeof getMerchantList.input>;
type Output = z.input<typeof getMerchantList.output>;

interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly account: string;
  readonly enabled: boolean;
  readonly signType: SignType;
  readonly cancelByMd5: boolean;
  readonly callbackTransport: 'json' | 'form' | 'query' | null;
  readonly frozen: boolean;
  readonly settlementDays: number;
  readonly callbacksPaused: boolean;
  readonly callbackWaits: number[] | null;
  readonly legalHold: boolean;
  readonly previousUntil: Date | null;
  readonly kyc: 'none' | 'pending' | 'approved' | 'rejected' | 'expired';
  readonly createdAt: Date;
}

/** Merchants, newest first. The data of each is read for the whole page at once. */
export async function listMerchants(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  const { db, clock } = platform;
  const now = clock.now();
  const name = input.name?.toLowerCase();
  const page = await readPage<Row>(platform, input, {
    columns: sql`m.id, m.name, u.account, m.enabled, m.sign_type as "signType", m.cancel_by_md5 as "cancelByMd5",
      m.callback_transport as "callbackTransport", m.frozen, m.legal_hold as "legalHold", m.settlement_days as "settlementDays",
      m.callbacks_paused as "callbacksPaused", m.callback_waits as "callbackWaits",
      case when m.previous_valid_until > ${now} then m.previous_valid_until end as "previousUntil", ${kycState('merchant', sql`m.id`, now)} as kyc, m.created_at as "createdAt"`,
    from: sql`
      from merchants m join users u on u.id = m.user_id
      where u.deleted_at is null ${scopeOf(viewer, { merchant: sql`m.id` })}
      ${name ? sql`and (strpos(lower(m.name), ${name}) > 0 or strpos(lower(u.account), ${name}) > 0)` : empty}
      ${input.id === undefined ? empty : sql`and m.id = ${BigInt(input.id)}`}
      ${input.enabled === undefined ? empty : sql`and m.enabled = ${input.enabled !== 0}`}`,
    key: sql`m.id`,
  });
  if (isRefusal(page)) return page;
  const ids = page.list.map((row) => row.id);
  const [terms, balances, today] = await Promise.all([
    ownerTerms(db, 'merchant', ids),
    ownerBalances(db, 'merchant', ids),
    ordersToday(db, 'merchant', ids, now),
  ]);
  return {
    ...page,
    list: page.list.map((row) => ({
      id: String(row.id),
      name: row.name,
      account: row.account,
      enabled: row.enabled,
      signType: row.signType,
      cancelByMd5: row.cancelByMd5,
      callbackTransport: row.callbackTransport,
      frozen: row.frozen,
      settlementDays: row.settlementDays,
      callbacksPaused: row.callbacksPaused,
      callbackWaits: row.callbackWaits,
      legalHold: row.legalHold,
      previousSecretUntil: row.previousUntil && formatTime(row.previousUntil),
      kyc: row.kyc,
      createTime: formatTime(row.createdAt),
      todayOrders: today(row.id).orders,
      todayPaid: today(row.id).paid,
      products: terms(row.id),
      balances: balances(row.id),
    })),
  };
}
