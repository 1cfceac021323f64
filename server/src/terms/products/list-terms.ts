import type { z } from 'zod';
import type { getUserProductList } from '@sangam/contract/endpoints/terms.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { OwnerKind, TermsValues } from './terms-store.ts';

interface Row extends TermsValues {
  readonly id: bigint;
  readonly ownerKind: OwnerKind;
  readonly ownerId: bigint;
  readonly ownerName: string;
  readonly productId: number;
  readonly productName: string;
  readonly currency: Currency;
  readonly state: 'inForce' | 'scheduled' | 'past';
  readonly effectiveAt: Date;
  readonly setBy: string | null;
  readonly createdAt: Date;
}

/**
 * Terms that were set, newest first. Terms in force that nobody ever changed have no history. They get an id made of owner and
 * product, which is smaller than any real id.
 */
export async function listTerms(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getUserProductList.input>,
): Promise<z.input<typeof getUserProductList.output> | Refusal> {
  const now = platform.clock.now();
  const page = await readPage<Row>(platform, input, {
    columns: sql`t.id, t.owner_kind as "ownerKind", t.owner_id as "ownerId", coalesce(m.name, s.name) as "ownerName",
      t.product_id as "productId", p.name as "productName", p.currency, t.enabled, t.rate_ppm as "ratePpm", t.fixed_fee as "fixedFee",
      t.min_amount as "minAmount", t.max_amount as "maxAmount", t.daily_count_limit as "dailyCountLimit",
      t.daily_amount_limit as "dailyAmountLimit", t.weight, t.state, t.effective_at as "effectiveAt",
      u.account as "setBy", t.created_at as "createdAt"`,
    from: sql`
      from (
        select h.id, h.owner_kind, h.owner_id, h.product_id, h.enabled, h.rate_ppm, h.fixed_fee, h.min_amount, h.max_amount,
          h.daily_count_limit, h.daily_amount_limit, h.weight,
          h.effective_at, h.set_by, h.created_at,
          case when h.effective_at > ${now} then 'scheduled'
            when exists (select from user_product_terms n where n.owner_kind = h.owner_kind and n.owner_id = h.owner_id
              and n.product_id = h.product_id and n.effective_at <= ${now}
              and (n.effective_at, n.id) > (h.effective_at, h.id)) then 'past'
            else 'inForce' end as state
        from user_product_terms h
        union all
        select f.owner_id * 1000000 + f.product_id * 10 + array_position(array['merchant', 'supplier', 'agent'], f.owner_kind),
          f.owner_kind, f.owner_id, f.product_id, f.enabled, f.rate_ppm, f.fixed_fee, f.min_amount, f.max_amount,
          f.daily_count_limit, f.daily_amount_limit, f.weight,
          'epoch', null, 'epoch', 'inForce'
        from user_products f where not exists (select from user_product_terms h
          where h.owner_kind = f.owner_kind and h.owner_id = f.owner_id and h.product_id = f.product_id)
      ) t
      join products p on p.id = t.product_id
      left join merchants m on t.owner_kind = 'merchant' and m.id = t.owner_id
      left join suppliers s on t.owner_kind <> 'merchant' and s.id = t.owner_id
      left join users u on u.id = t.set_by
      where true
      ${input.ownerKind === undefined ? empty : sql`and t.owner_kind = ${input.ownerKind}`}
      ${input.ownerId === undefined ? empty : sql`and t.owner_id = ${BigInt(input.ownerId)}`}
      ${input.productId === undefined ? empty : sql`and t.product_id = ${input.productId}::bigint`}
      ${input.state === undefined ? empty : sql`and t.state = ${input.state}`}`,
    key: sql`t.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ effectiveAt, createdAt, ...row }) => ({
      ...row,
      id: String(row.id),
      ownerId: String(row.ownerId),
      fixedFee: Number(row.fixedFee),
      minAmount: Number(row.minAmount),
      maxAmount: Number(row.maxAmount),
      dailyAmountLimit: row.dailyAmountLimit === null ? null : Number(row.dailyAmountLimit),
      effectiveTime: since(effectiveAt),
      createTime: since(createdAt),
    })),
  };
}

/** Terms of a seed have no start; they are stored as in force since 1970. */
function since(moment: Date): string | null {
  return moment.getTime() === 0 ? null : formatTime(moment);
}
