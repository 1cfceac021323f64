import type { z } from 'zod';
import type { getSupplierList } from '@sangam/contract/endpoints/party.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { accountCounts } from '../../accounts/counts.ts';
import { ordersToday } from '../../collection/today.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import { kycState } from '../../terms/kyc/approved.ts';
import { ownerBalances } from '../../ledger/balances.ts';
import type { Platform } from '../../platform/platform.ts';
import { ownerTerms } from '../../terms/products/owner-terms.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';

type Input = z.output<typeof getSupplierList.input>;
type Output = z.input<typeof getSupplierList.output>;

interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly account: string;
  readonly enabled: boolean;
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly relatedMerchantId: string | null;
  readonly openClaimsMax: number;
  readonly frozen: boolean;
  readonly legalHold: boolean;
  readonly isAgent: boolean;
  readonly kyc: 'none' | 'pending' | 'approved' | 'rejected' | 'expired';
  readonly createdAt: Date;
}

/** Suppliers, newest first. The data of each is read for the whole page at once. */
export async function listSuppliers(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  const { db, clock } = platform;
  const now = clock.now();
  const name = input.name?.toLowerCase();
  const page = await readPage<Row>(platform, input, {
    columns: sql`s.id, s.name, u.account, s.enabled, s.agent_id::text as "agentId", g.name as "agentName",
      s.related_merchant_id::text as "relatedMerchantId", s.open_claims_max as "openClaimsMax", s.frozen, s.legal_hold as "legalHold",
      exists (select from suppliers team where team.agent_id = s.id) as "isAgent",
      ${kycState('supplier', sql`s.id`, now)} as kyc, s.created_at as "createdAt"`,
    from: sql`
      from suppliers s join users u on u.id = s.user_id left join suppliers g on g.id = s.agent_id
      where u.deleted_at is null ${scopeOf(viewer, { supplier: sql`s.id` })}
      ${name ? sql`and (strpos(lower(s.name), ${name}) > 0 or strpos(lower(u.account), ${name}) > 0)` : empty}
      ${input.id === undefined ? empty : sql`and s.id = ${BigInt(input.id)}`}
      ${input.enabled === undefined ? empty : sql`and s.enabled = ${input.enabled !== 0}`}`,
    key: sql`s.id`,
  });
  if (isRefusal(page)) return page;
  const ids = page.list.map((row) => row.id);
  const [terms, balances, today, accounts] = await Promise.all([
    ownerTerms(db, 'supplier', ids),
    ownerBalances(db, 'supplier', ids),
    ordersToday(db, 'supplier', ids, now),
    accountCounts(db, ids),
  ]);
  return {
    ...page,
    list: page.list.map((row) => ({
      id: String(row.id),
      name: row.name,
      account: row.account,
      enabled: row.enabled,
      agentId: row.agentId,
      agentName: row.agentName,
      relatedMerchantId: row.relatedMerchantId,
      openClaimsMax: row.openClaimsMax,
      frozen: row.frozen,
      legalHold: row.legalHold,
      isAgent: row.isAgent,
      kyc: row.kyc,
      createTime: formatTime(row.createdAt),
      accountCount: accounts(row.id).accounts,
      enabledAccountCount: accounts(row.id).enabled,
      todayOrders: today(row.id).orders,
      todayPaid: today(row.id).paid,
      products: terms(row.id),
      balances: balances(row.id),
    })),
  };
}
