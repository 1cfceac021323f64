import { gatewayWebhook, type getGateways as contract } from '@sangam/contract/endpoints/gateway.ts';
import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { publicBase } from '../platform/public-base.ts';
import { empty, sql } from '../platform/db/database.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

interface Row {
  readonly id: bigint;
  readonly provider: GatewayProvider;
  readonly bank: string;
  readonly accountNumber: string;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly state: number;
  readonly credentialsAt: Date | null;
  readonly eventsToday: number;
  readonly lastEventAt: Date | null;
  readonly payoutsOpen: number;
  readonly payoutsUnknown: number;
  readonly currency: Currency;
  readonly balance: bigint | null;
  readonly balanceAt: Date | null;
}

/** Payout gateways of all suppliers, newest first, for the roles that look after the system. */
export async function listGateways(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<z.input<typeof contract.output> | Refusal> {
  const now = platform.clock.now();
  const { inProgress, submitted, toBeConfirmed } = PAYOUT_STATUS;
  // The three statuses first, as the index of an account's open payouts has them; then those to be counted.
  const count = (statuses: readonly number[]) => sql`(select count(*)::int from payout_orders o
    where o.account_id = a.id and o.status in (${PAYOUT.inProgress}, ${PAYOUT.toBeConfirmed}, ${PAYOUT.submitted}) and o.status = any(${statuses}))`;
  const page = await readPage<Row>(platform, input, {
    columns: sql`a.id, a.gateway_provider as provider, a.bank, a.account_number as "accountNumber",
      a.supplier_id as "supplierId", s.name as "supplierName", a.credentials_at as "credentialsAt",
      coalesce((select min(r.state) from resources r where r.account_id = a.id), 1) as state,
      (select count(*)::int from gateway_events e where e.account_id = a.id and e.received_at > ${new Date(now.getTime() - DAY)})
        as "eventsToday",
      (select max(e.received_at) from gateway_events e where e.account_id = a.id) as "lastEventAt",
      ${count([submitted, inProgress])} as "payoutsOpen", ${count([toBeConfirmed])} as "payoutsUnknown",
      a.currency, b.amount as balance, b.told_at as "balanceAt"`,
    from: sql`from accounts a join suppliers s on s.id = a.supplier_id left join gateway_balances b on b.account_id = a.id where a.kind = 'gateway' and a.direction = 'out'
      ${input.provider === undefined ? empty : sql`and a.gateway_provider = ${input.provider}`}`,
    key: sql`a.id`,
  });
  if (isRefusal(page)) return page;
  const base = await publicBase(platform);
  return {
    ...page,
    list: page.list.map(({ credentialsAt, lastEventAt, balance, balanceAt, ...row }) => ({
      ...row,
      id: String(row.id),
      supplierId: String(row.supplierId),
      credentialsSet: credentialsAt !== null,
      credentialsTime: credentialsAt && formatTime(credentialsAt),
      webhookUrl: base + gatewayWebhook.path.replace(':account', String(row.id)),
      balance: balance === null ? null : Number(balance),
      balanceTime: balanceAt && formatTime(balanceAt),
      lastEventTime: lastEventAt && formatTime(lastEventAt),
    })),
  };
}
