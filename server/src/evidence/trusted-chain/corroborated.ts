import type { BalanceMode } from '@sangam/contract/chain.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type CheckedCredit, mayComplete } from './hold.ts';
import { isPassed, minuteOf, readChains } from './place.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import { lockChains } from './store.ts';

/** A stored credit or debit to be checked. Amounts in minor units. */
export type AskedMovement = Omit<CheckedCredit, 'isPassed' | 'balanceMode'> & {
  readonly id: bigint;
  readonly accountId: bigint;
};

/**
 * Which of these stored credits or debits may complete an order by themselves, as their chains are now. Each account's chain is read once.
 */
export async function corroborated(
  platform: Platform,
  tx: Tx,
  asked: readonly AskedMovement[],
): Promise<ReadonlySet<bigint>> {
  if (asked.length === 0) return new Set();
  const settings = await platform.settings.all();
  const at = platform.clock.now();
  const rows = await tx.query<{
    id: bigint;
    accountId: bigint;
    balanceMode: BalanceMode;
    minute: number | null;
  }>(sql`
    select v.id, a.id as "accountId", a.balance_mode as "balanceMode", n.minute
    from ${unnestRows({ id: 'bigint', accountId: 'bigint' }, asked)}
    join accounts a on a.id = v.account_id left join chain_nodes n on n.account_id = v.account_id and n.id = v.id`);
  const placed = rows.flatMap(({ accountId, minute }) => (minute === null ? [] : [{ accountId, minute }]));
  const queries = [...Map.groupBy(placed, ({ accountId }) => accountId)].map(([accountId, nodes]) => ({
    accountId,
    minute: Math.min(minuteOf(at), ...nodes.map(({ minute }) => minute)),
  }));
  const chains = await readChains(tx, queries, settings, at);
  const found = new Map(rows.map((row) => [row.id, row]));
  const borne = asked.filter((movement) => {
    const { balanceMode, minute } = found.get(movement.id)!;
    const passed = minute !== null && isPassed(chains.get(movement.accountId)!, movement.id, settings);
    return mayComplete({ ...movement, balanceMode, isPassed: passed }, settings);
  });
  return new Set(borne.map(({ id }) => id));
}

/** Which of an account's stored messages its chain corroborates now. Holds the chain until the transaction ends. */
export async function passedNow(
  platform: Platform,
  tx: Tx,
  accountId: bigint,
  messageIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const settings = await platform.settings.all();
  const at = platform.clock.now();
  await lockChains(tx, [accountId], at, { isLook: true });
  const nodes = await tx.query<{ minute: number }>(
    sql`select minute from chain_nodes where account_id = ${accountId} and id = any(${messageIds})`,
  );
  const minute = Math.min(minuteOf(at), ...nodes.map((node) => node.minute));
  const chain = (await readChains(tx, [{ accountId, minute }], settings, at)).get(accountId)!;
  return new Set(messageIds.filter((id) => isPassed(chain, id, settings)));
}
