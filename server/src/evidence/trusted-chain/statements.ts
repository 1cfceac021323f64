import type { Role } from '@sangam/contract/roles.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type AskedMovement, corroborated } from './corroborated.ts';
import { OWN_STATEMENT } from './hold.ts';

/**
 * Who states that money moved. Staff answer for it by name, and approvals limit what one of them may do alone. A supplier has an
 * interest in it, and owns the phone that reports its accounts' messages.
 */
export type Stater = 'staff' | 'supplier';

export function staterOf({ role }: { readonly role: Role }): Stater {
  return role === 'supplier' ? 'supplier' : 'staff';
}

/** A stored message that would bear out a statement; amounts in minor units. */
export type StatedMovement = Omit<AskedMovement, 'evidence'> & { readonly direction: 'credit' | 'debit' };

/**
 * Which stored messages are evidence beside what their stater says. Collection and payout ask here, and nowhere else. For a
 * supplier a message counts only when its account's chain corroborates it: the supplier could have written it itself. For staff every stored
 * message of the account counts.
 */
export async function evidenceFor(
  platform: Platform,
  tx: Tx,
  stater: Stater,
  movements: readonly StatedMovement[],
): Promise<ReadonlySet<bigint>> {
  if (stater === 'staff') return new Set(movements.map(({ id }) => id));
  // A debit without balance may still be named by the bank's number of the transfer; a credit needs its balance.
  return corroborated(
    platform,
    tx,
    movements.map((movement) => ({
      ...movement,
      evidence: movement.direction === 'debit' ? 'payoutUtr' : OWN_STATEMENT,
    })),
  );
}

/** Whether nothing but its stater's interest speaks for a statement. `evidence`: the message that counts (`evidenceFor`). */
export function isSelfReported(stater: Stater, evidence: unknown): boolean {
  return stater === 'supplier' && evidence === undefined;
}
