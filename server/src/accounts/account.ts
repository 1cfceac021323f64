import type { z } from 'zod';
import type { AccountKind, MpesaType } from '@sangam/contract/account-kinds.ts';
import type { BalanceMode } from '@sangam/contract/chain.ts';
import type { getAccount as contract } from '@sangam/contract/endpoints/account.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { maskName } from '../platform/masking.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type OpenMinutes, type Whitelists, shownHours } from './openness.ts';
import { KEEPERS, accountScope } from './resource.ts';

type Output = z.input<typeof contract.output>;

interface Row extends OpenMinutes, Whitelists {
  readonly kind: AccountKind;
  readonly direction: 'in' | 'out';
  readonly senderHeader: string;
  readonly balanceMode: BalanceMode;
  readonly mpesaType: MpesaType | null;
  readonly credentialsAt: Date | null;
  readonly balance: bigint | null;
  readonly balanceAt: Date | null;
  readonly identityFixed: boolean;
  readonly products: Output['products'];
}

/** What the form of an account needs and the list does not show. Whoever keeps the whitelist sees its payer names whole. */
export async function getAccount(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<Output | Refusal> {
  const [row] = await platform.db.query<Row>(sql`
    select a.kind, a.direction, a.opens_minute as "opensMinute", a.closes_minute as "closesMinute",
      a.merchant_whitelist::text[] as "merchantWhitelist", a.payer_whitelist as "payerWhitelist", a.sender_header as "senderHeader",
      a.balance_mode as "balanceMode",
      a.mpesa_type as "mpesaType", a.credentials_at as "credentialsAt", b.amount as balance, b.told_at as "balanceAt",
      exists (select from kyc_records k where k.subject_kind = 'account' and k.subject_id = a.id and k.verdict <> 'rejected')
        as "identityFixed",
      (select jsonb_agg(jsonb_build_object('productId', r.product_id, 'minAmount', r.min_amount, 'maxAmount', r.max_amount,
        'weight', r.weight, 'state', r.state) order by r.product_id) from resources r where r.account_id = a.id) as products
    from accounts a left join gateway_balances b on b.account_id = a.id where a.id = ${BigInt(input.id)} ${accountScope(viewer)}`);
  if (!row) return refuse('notFound');
  const mayEdit = KEEPERS.includes(viewer.role);
  return {
    id: input.id,
    kind: row.kind,
    direction: row.direction,
    balance: row.balance === null ? null : Number(row.balance),
    balanceTime: row.balanceAt && formatTime(row.balanceAt),
    hours: shownHours(row),
    merchantWhitelist: row.merchantWhitelist && [...row.merchantWhitelist],
    payerWhitelist: row.payerWhitelist?.map((name) => (mayEdit ? name : (maskName(name) ?? ''))) ?? null,
    senderHeader: row.senderHeader,
    balanceMode: row.balanceMode,
    mpesaType: row.mpesaType,
    credentialsTime: row.credentialsAt && formatTime(row.credentialsAt),
    identityFixed: row.identityFixed,
    products: row.products ?? [],
  };
}
