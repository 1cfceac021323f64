import type { z } from 'zod';
import {
  ACCOUNT_AREAS,
  type AccountArea,
  type AccountKind,
  type MpesaType,
} from '@sangam/contract/account-kinds.ts';
import type { getResourceList } from '@sangam/contract/endpoints/party.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import { type Sql, empty, sql } from '../platform/db/database.ts';
import { idFilter, readPage } from '../platform/db/page.ts';
import { kycState } from '../terms/kyc/approved.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type AccountHealth, accountHealth } from './health.ts';
import { isOutsideHours, shownHours } from './openness.ts';
import {
  KEEPERS,
  accountScope,
  maskedNumber,
  maskedVpa,
  mayToggle,
  monitorOnline,
  owns,
} from './resource.ts';

type Input = z.output<typeof getResourceList.input>;
type Output = z.input<typeof getResourceList.output>;

interface Row {
  readonly accountId: bigint;
  readonly productId: number;
  readonly productName: string;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly state: 0 | 1;
  readonly bank: string;
  readonly ownerName: string;
  readonly direction: 'in' | 'out';
  readonly kind: AccountKind;
  readonly mpesaType: MpesaType | null;
  readonly accountNumber: string;
  readonly ifsc: string | null;
  readonly vpa: string | null;
  readonly country: string;
  readonly purpose: string;
  readonly maxWaiting: number;
  readonly opensMinute: number | null;
  readonly closesMinute: number | null;
  readonly merchantWhitelistCount: number | null;
  readonly payerWhitelistCount: number | null;
  readonly hasPicture: boolean;
  readonly credentialsSet: boolean;
  readonly kyc: Output['list'][number]['kyc'];
  readonly frozen: boolean;
  readonly legalHold: boolean;
  readonly monitorId: bigint | null;
  readonly online: boolean;
  readonly lastSeenAt: Date | null;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly currency: Currency;
  readonly dailyCountLimit: number | null;
  readonly dailyAmountLimit: bigint | null;
  readonly todayCount: number;
  readonly todayAmount: bigint;
  readonly waitingCount: number;
  readonly waitingAmount: bigint;
  readonly weight: number;
}

/** One row per account and product, newest account first. */
export async function listResources(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  const now = platform.clock.now();
  const online = monitorOnline(await platform.settings.all(), now);
  const kyc = kycState('account', sql`a.id`, now);
  const page = await readPage<Row>(platform, input, {
    columns: sql`r.account_id as "accountId", r.product_id as "productId", p.name as "productName",
      a.supplier_id as "supplierId", s.name as "supplierName", r.state, a.bank, a.owner_name as "ownerName",
      a.direction, a.kind, a.mpesa_type as "mpesaType", a.opens_minute as "opensMinute", a.closes_minute as "closesMinute",
      cardinality(a.merchant_whitelist) as "merchantWhitelistCount", cardinality(a.payer_whitelist) as "payerWhitelistCount",
      exists (select from account_pictures q where q.account_id = a.id) as "hasPicture",
      a.credentials is not null as "credentialsSet", ${kyc} as kyc, a.account_number as "accountNumber", a.ifsc, a.vpa, a.country, a.purpose, a.max_waiting as "maxWaiting",
      a.frozen, a.legal_hold as "legalHold", a.monitor_id as "monitorId", ${online} as online,
      m.last_seen_at as "lastSeenAt", r.min_amount as "minAmount", r.max_amount as "maxAmount", a.currency,
      a.daily_count_limit as "dailyCountLimit", a.daily_amount_limit as "dailyAmountLimit",
      coalesce(d.orders, 0) as "todayCount", coalesce(d.amount, 0) as "todayAmount",
      coalesce(l.waiting_count, 0) as "waitingCount", coalesce(l.waiting_amount, 0) as "waitingAmount", r.weight`,
    from: sql`
      from resources r
      join accounts a on a.id = r.account_id
      join suppliers s on s.id = a.supplier_id
      join products p on p.id = r.product_id
      left join account_load l on l.account_id = a.id
      left join account_days d on d.account_id = a.id and d.day = ${businessDay(now)}
      left join monitors m on m.id = a.monitor_id
      where true ${accountScope(viewer)} ${filters(input, online, kyc)}`,
    // Account and product in one number: an account's products may end one page and begin the next.
    key: sql`((r.account_id << 31) | r.product_id)`,
  });
  if (isRefusal(page)) return page;
  const healthOf = await accountHealth(platform.db, [...new Set(page.list.map((row) => row.accountId))], now);
  return {
    ...page,
    list: page.list.map((row) => shape(row, healthOf(row.accountId), viewer, now)),
  };
}

/**
 * `account` finds by whole number, last four digits or whole VPA, and by part of the owner's name: a search by any part of
 * a number would spell out what is masked.
 */
function filters(input: Input, online: Sql, kyc: Sql): Sql {
  const { account, bank } = input;
  return sql`
    ${input.area === undefined ? empty : areaFilter(input.area)}
    ${input.direction === undefined ? empty : sql`and a.direction = ${input.direction}`}
    ${input.kyc === undefined ? empty : sql`and ${kyc} = ${input.kyc}`}
    ${input.supplierId === undefined ? empty : idFilter(sql`a.supplier_id`, input.supplierId)}
    ${input.productId === undefined ? empty : sql`and r.product_id = ${input.productId}::bigint`}
    ${input.state === undefined ? empty : sql`and r.state = ${input.state}::bigint`}
    ${bank ? sql`and strpos(lower(a.bank), ${bank.toLowerCase()}) > 0` : empty}
    ${
      account
        ? sql`and (a.account_number = ${account} or a.account_tail = ${account} or lower(a.vpa) = ${account.toLowerCase()}
            or strpos(lower(a.owner_name), ${account.toLowerCase()}) > 0)`
        : empty
    }
    ${input.online === undefined ? empty : sql`and ${online} = ${input.online === 'true'}`}`;
}

function areaFilter(area: AccountArea): Sql {
  const { directions, kinds } = ACCOUNT_AREAS[area];
  return sql`and a.direction = any(${[...directions]}::text[]) and a.kind = any(${[...kinds]}::text[])`;
}

/** The day's limit the account has come to; with LimitMode 'warn' it goes on taking orders. */
function limitReached(row: Row): 'dailyCountReached' | 'dailyAmountReached' | null {
  if (row.dailyCountLimit !== null && row.todayCount >= row.dailyCountLimit) return 'dailyCountReached';
  return row.dailyAmountLimit !== null && row.todayAmount >= row.dailyAmountLimit
    ? 'dailyAmountReached'
    : null;
}

function shape(row: Row, health: AccountHealth, viewer: Viewer, now: Date): Output['list'][number] {
  const own = owns(viewer, row.supplierId);
  return {
    id: String(row.accountId),
    productId: row.productId,
    productName: row.productName,
    supplierId: String(row.supplierId),
    supplierName: row.supplierName,
    state: row.state,
    bank: row.bank,
    ownerName: row.ownerName,
    direction: row.direction,
    kind: row.kind,
    mpesaType: row.mpesaType,
    accountNumber: own ? row.accountNumber : maskedNumber(row),
    ifsc: row.ifsc,
    vpa: own ? row.vpa : maskedVpa(row),
    country: row.country,
    purpose: row.purpose,
    maxWaiting: row.maxWaiting,
    hours: shownHours(row),
    outsideHours: isOutsideHours(row, now),
    merchantWhitelistCount: row.merchantWhitelistCount,
    payerWhitelistCount: row.payerWhitelistCount,
    hasPicture: row.hasPicture,
    credentialsSet: row.credentialsSet,
    kyc: row.kyc,
    frozen: row.frozen,
    legalHold: row.legalHold,
    monitorId: row.monitorId === null ? null : String(row.monitorId),
    monitorOnline: row.online,
    lastSeenTime: row.lastSeenAt && formatTime(row.lastSeenAt),
    minAmount: Number(row.minAmount),
    maxAmount: Number(row.maxAmount),
    currency: row.currency,
    dailyCountLimit: row.dailyCountLimit,
    dailyAmountLimit: row.dailyAmountLimit === null ? null : Number(row.dailyAmountLimit),
    todayCount: row.todayCount,
    todayAmount: Number(row.todayAmount),
    processingOrderCount: row.waitingCount,
    processingOrderAmount: Number(row.waitingAmount),
    weight: row.weight,
    limitReached: limitReached(row),
    health,
    mayToggle: mayToggle(viewer),
    mayEdit: KEEPERS.includes(viewer.role),
  };
}
