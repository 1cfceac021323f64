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
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { type AccountHealth, accountHealth } from './health.ts';
import { newestDay, newestLoad } from './load.ts';
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
  readonly products: Output['list'][number]['products'] | null;
  readonly supplierId: bigint;
  readonly supplierName: string;
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
  readonly watchProblem: string | null;
  readonly currency: Currency;
  readonly dailyCountLimit: number | null;
  readonly dailyAmountLimit: bigint | null;
  readonly todayCount: number;
  readonly todayAmount: bigint;
  readonly waitingCount: number;
  readonly waitingAmount: bigint;
}

/** One row per account with all its products, newest first. A filter by product or state finds accounts that have one such product. */
export async function listResources(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  const now = platform.clock.now();
  const online = monitorOnline(await platform.settings.all(), now);
  const kyc = kycState('account', sql`a.id`, now);
  const page = await readPage<{ readonly id: bigint }>(platform, input, {
    columns: sql`a.id`,
    from: sql`
      from accounts a left join monitors m on m.id = a.monitor_id
      where true ${accountScope(viewer)} ${filters(input, online, kyc)}`,
    key: sql`a.id`,
  });
  if (isRefusal(page)) return page;
  const ids = page.list.map(({ id }) => id);
  const [rows, healthOf] = await Promise.all([
    readRows(platform, ids, { now, online, kyc }),
    accountHealth(platform.db, ids, now),
  ]);
  return { ...page, list: rows.map((row) => shape(row, healthOf(row.accountId), viewer, now)) };
}

/** The values that a page shows of its accounts. Counting and paging do not read them. */
function readRows(
  platform: Platform,
  ids: readonly bigint[],
  { now, online, kyc }: { readonly now: Date; readonly online: Sql; readonly kyc: Sql },
): Promise<readonly Row[]> {
  const today = sql`${businessDay(now)}::date`;
  return platform.db.query<Row>(sql`
    select a.id as "accountId", a.supplier_id as "supplierId", s.name as "supplierName", a.bank, a.owner_name as "ownerName",
      a.direction, a.kind, a.mpesa_type as "mpesaType", a.opens_minute as "opensMinute", a.closes_minute as "closesMinute",
      cardinality(a.merchant_whitelist) as "merchantWhitelistCount", cardinality(a.payer_whitelist) as "payerWhitelistCount",
      exists (select from account_pictures q where q.account_id = a.id) as "hasPicture",
      a.credentials is not null as "credentialsSet", ${kyc} as kyc, a.account_number as "accountNumber", a.ifsc, a.vpa, a.country,
      a.purpose, a.max_waiting as "maxWaiting", a.frozen, a.legal_hold as "legalHold", a.monitor_id as "monitorId",
      ${online} as online, m.last_seen_at as "lastSeenAt", w.problem as "watchProblem", a.currency, a.daily_count_limit as "dailyCountLimit",
      a.daily_amount_limit as "dailyAmountLimit", coalesce(d.orders, 0) as "todayCount", coalesce(d.amount, 0) as "todayAmount",
      coalesce(l.waiting_count, 0) as "waitingCount", coalesce(l.waiting_amount, 0) as "waitingAmount",
      (select jsonb_agg(jsonb_build_object('productId', r.product_id, 'productName', p.name, 'state', r.state,
          'minAmount', r.min_amount, 'maxAmount', r.max_amount, 'weight', r.weight) order by r.product_id)
        from resources r join products p on p.id = r.product_id where r.account_id = a.id) as products
    from accounts a
    join suppliers s on s.id = a.supplier_id
    left join lateral (${newestLoad(sql`a.id`)}) l on l.account_id = a.id
    left join lateral (${newestDay(sql`a.id`, today)}) d on d.account_id = a.id and d.day = ${today}
    left join monitors m on m.id = a.monitor_id
    left join rail_watches w on w.account_id = a.id
    where a.id = any(${ids}::bigint[]) order by a.id desc`);
}

/**
 * `account` finds by the whole number, its last four digits, the whole VPA, or part of the owner's name. A search by any part
 * of a number would reveal what is masked.
 */
function filters(input: Input, online: Sql, kyc: Sql): Sql {
  const { account, bank } = input;
  return sql`
    ${input.area === undefined ? empty : areaFilter(input.area)}
    ${input.direction === undefined ? empty : sql`and a.direction = ${input.direction}`}
    ${input.kyc === undefined ? empty : sql`and ${kyc} = ${input.kyc}`}
    ${input.supplierId === undefined ? empty : idFilter(sql`a.supplier_id`, input.supplierId)}
    ${
      input.productId === undefined && input.state === undefined
        ? empty
        : sql`and exists (select from resources r where r.account_id = a.id
            ${input.productId === undefined ? empty : sql`and r.product_id = ${input.productId}::bigint`}
            ${input.state === undefined ? empty : sql`and r.state = ${input.state}::bigint`})`
    }
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

/** The daily limit that the account has reached. With LimitMode 'warn' it still takes orders. */
function limitReached(row: Row): 'dailyCountReached' | 'dailyAmountReached' | null {
  if (row.dailyCountLimit !== null && row.todayCount >= row.dailyCountLimit) return 'dailyCountReached';
  return row.dailyAmountLimit !== null && row.todayAmount >= row.dailyAmountLimit
    ? 'dailyAmountReached'
    : null;
}

function shape(row: Row, health: AccountHealth, viewer: Viewer, now: Date): Output['list'][number] {
  const own = owns(viewer, row.supplierId);
  const staff = isStaff(viewer);
  return {
    id: String(row.accountId),
    products: row.products ?? [],
    supplierId: String(row.supplierId),
    supplierName: row.supplierName,
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
    // The owner is not told of a freeze (docs/domain.md#freeze-and-legal-hold).
    frozen: staff && row.frozen,
    legalHold: staff && row.legalHold,
    monitorId: row.monitorId === null ? null : String(row.monitorId),
    monitorOnline: row.online,
    lastSeenTime: row.lastSeenAt && formatTime(row.lastSeenAt),
    watchProblem: staff ? row.watchProblem : null,
    currency: row.currency,
    dailyCountLimit: row.dailyCountLimit,
    dailyAmountLimit: row.dailyAmountLimit === null ? null : Number(row.dailyAmountLimit),
    todayCount: row.todayCount,
    todayAmount: Number(row.todayAmount),
    processingOrderCount: row.waitingCount,
    processingOrderAmount: Number(row.waitingAmount),
    limitReached: limitReached(row),
    health,
    mayToggle: mayToggle(viewer),
    mayEdit: KEEPERS.includes(viewer.role),
  };
}
