import type { BalanceMode } from '@sangam/contract/chain.ts';
import { DAY } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { mayComplete } from './hold.ts';
import type { ChainNode } from './node.ts';
import { inferFloats, isPassed, minuteOf, readChains, saveChains } from './place.ts';
import {
  accountsWithHolds,
  accountsWithOverdue,
  deleteHolds,
  type HeldCredit,
  lockChains,
  lockHolds,
  noteTried,
} from './store.ts';

export type { HeldCredit } from './store.ts';

/** For this long, credits whose time is over are looked at again. */
const SECOND_LOOK = DAY;

export function heldAccounts({ db }: Platform): Promise<bigint[]> {
  return accountsWithHolds(db);
}

/** Accounts with overdue credits whose chain has changed since, or which are looked at for the last time. */
export function overdueAccounts({ db, clock }: Platform): Promise<bigint[]> {
  return accountsWithOverdue(db, new Date(clock.now().getTime() - SECOND_LOOK));
}

interface Overdue {
  readonly messageId: bigint;
  readonly reason: 'gap' | 'fork' | 'orphan' | 'sameMovement' | 'unproven' | 'noBalance';
}

/**
 * Takes from an account's held credits those that the chain corroborates now, and those whose time is over. Holds the chain until the
 * transaction ends. First closes gaps directly before these credits that messages without balance explain. Overdue credits stay noted and
 * are taken again with `isOverdue`.
 */
export async function takeRipe(
  platform: Platform,
  tx: Tx,
  accountId: bigint,
  isOverdue: boolean,
): Promise<{ readonly corroborated: HeldCredit[]; readonly overdue: Overdue[] }> {
  const at = platform.clock.now();
  const settings = await platform.settings.all();
  await lockChains(tx, [accountId], at, { isLook: true });
  const [account] = await tx.query<{ balanceMode: BalanceMode; currency: string }>(
    sql`select balance_mode as "balanceMode", currency from accounts where id = ${accountId}`,
  );
  const holds = await lockHolds(tx, accountId, isOverdue);
  if (holds.length === 0) return { corroborated: [], overdue: [] };
  const minutes = holds.flatMap(({ minute }) => minute ?? []);
  const query = { accountId, minute: Math.min(minuteOf(at), ...minutes) };
  const chain = (await readChains(tx, [query], settings, at)).get(accountId)!;
  // Shows whether a credit is plausible although its chain is broken. Other gaps are tried when messages are placed, and by the leak
  // checker.
  const held = new Set(holds.map(({ messageId }) => messageId));
  await inferFloats(tx, chain, ({ head }) => held.has(head.id));
  await saveChains(platform, tx, [chain], at);

  const corroborated: HeldCredit[] = [];
  const overdue: Overdue[] = [];
  for (const hold of holds) {
    const node = chain.graph.get(hold.messageId);
    const balance = hold.minute === null ? null : (node?.balance ?? 0n);
    if (
      mayComplete(
        { ...account!, ...hold, balance, isPassed: isPassed(chain, hold.messageId, settings) },
        settings,
      )
    )
      corroborated.push(hold);
    else if (hold.until <= at) overdue.push({ messageId: hold.messageId, reason: reasonOf(hold, node) });
  }
  const given = holds.filter(
    ({ heldAt, until }) => until <= at && at.getTime() - heldAt.getTime() > SECOND_LOOK,
  );
  const idsOf = (credits: readonly { readonly messageId: bigint }[]) =>
    credits.map(({ messageId }) => messageId);
  await noteTried(tx, idsOf(overdue), at);
  await deleteHolds(tx, idsOf([...corroborated, ...given]));
  return { corroborated, overdue };
}

function reasonOf({ minute }: HeldCredit, node: ChainNode | undefined): Overdue['reason'] {
  if (minute === null) return 'noBalance';
  if (node?.state === 'fork' || node?.state === 'orphan') return node.state;
  if (node?.state === 'repeat') return 'sameMovement';
  return node?.previous === null ? 'gap' : 'unproven';
}
