import type { PaidAmount, RememberedAmount } from '../../collection/matchable.ts';
import { SECOND_WORDING } from '../../collection/waiting.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';

/**
 * Those of these amounts of which a credit waits for its chain on the account since a moment ago: what is reported again of it,
 * in another wording, may be that payment.
 */
export function amountsHeld(
  tx: Tx,
  amounts: readonly PaidAmount[],
  at: Date,
): Promise<(PaidAmount & { readonly stated: boolean })[]> {
  return tx.query(sql`
    select h.account_id as "accountId", m.amount, bool_and(m.utr is not null) as stated
    from chain_holds h join messages m on m.id = h.message_id
    join (select distinct * from ${unnestRows({ accountId: 'bigint', amount: 'bigint' }, amounts)}) v
      on v.account_id = h.account_id and v.amount = m.amount
    where h.held_at > ${new Date(at.getTime() - SECOND_WORDING)} and m.direction = 'credit'
    group by 1, 2`);
}

/** What is remembered of amounts, by account and amount: paid ones and held ones. One without a reference counts before one with. */
export function together(
  remembered: readonly RememberedAmount[],
  held: readonly (PaidAmount & { readonly stated: boolean })[],
): RememberedAmount[] {
  const paid = new Map(remembered.map((each) => [`${each.accountId}/${each.amount}`, each]));
  const alsoHeld = held.map((each): RememberedAmount => {
    const known = paid.get(`${each.accountId}/${each.amount}`);
    return {
      ...each,
      stated: each.stated && (known?.stated ?? true),
      supplemented: known?.supplemented ?? null,
    };
  });
  return [...remembered, ...alsoHeld];
}
