import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { type AskedMovement, corroborated } from '../evidence/trusted-chain/corroborated.ts';

/** Accounts whose chains are read in one look: so many with a debit not looked at before, so many that waited longest. */
const CHAINS_AT_ONCE = 6;

/**
 * For a sweep that looks again at all debits still waiting for their chains: says which of them may be joined as far as their
 * chains say, of the accounts whose turn it is. Each sweep has turns of its own.
 */
export function debitTurns(): (
  platform: Platform,
  debits: readonly AskedMovement[],
) => Promise<ReadonlySet<bigint>> {
  /** Accounts with debits that were not borne out: when they were looked at (longest ago first), and which debits. */
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
