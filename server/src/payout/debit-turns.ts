import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { type AskedMovement, corroborated } from '../evidence/trusted-chain/corroborated.ts';

/** How many accounts one look takes of each sort: those with a new debit, and those that were looked at longest ago. */
const CHAINS_AT_ONCE = 6;

/**
 * For a sweep over all debits that wait for their account's chain. The returned function reads the chains of the accounts whose turn it
 * is, and answers the ids of the debits that these chains corroborate. Each sweep makes its own and so has its own turns.
 */
export function debitTurns(): (
  platform: Platform,
  debits: readonly AskedMovement[],
) => Promise<ReadonlySet<bigint>> {
  /** Accounts whose debits still wait, the one looked at longest ago first, with the debits that were looked at then. */
  const looks = perPlatform(() => new Map<bigint, ReadonlySet<bigint>>());
  return async (platform, debits) => {
    const looked = looks(platform);
    const byAccount = Map.groupBy(debits, ({ accountId }) => accountId);
    for (const accountId of looked.keys()) if (!byAccount.has(accountId)) looked.delete(accountId);
    const isNew = (accountId: bigint) =>
      byAccount.get(accountId)!.some(({ id }) => !looked.get(accountId)?.has(id));
    const turns = [
      ...[...byAccount.keys()].filter(isNew).slice(0, CHAINS_AT_ONCE),
      ...[...looked.keys()].slice(0, CHAINS_AT_ONCE),
    ];
    const asked = [...new Set(turns)].flatMap((accountId) => byAccount.get(accountId)!);
    for (const accountId of turns) {
      looked.delete(accountId);
      looked.set(accountId, new Set(byAccount.get(accountId)!.map(({ id }) => id)));
    }
    return platform.db.tx((tx) => corroborated(platform, tx, asked));
  };
}
