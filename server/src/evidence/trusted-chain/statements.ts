import type { Role } from '@sangam/contract/roles.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type AskedMovement, corroborated } from './corroborated.ts';
import { OWN_STATEMENT } from './hold.ts';

/**
 * Who states that money moved. Staff answer for it by name, and approvals limit what one of them may do alone. A supplier has an interest
 * in the statement and owns the phone that reports its accounts' messages.
 */
export type Stater = 'staff' | 'supplier';

export function staterOf({ role }: { readonly role: Role }): Stater {
  return role === 'supplier' ? 'supplier' : 'staff';
}

/** A stored message that may support a statement; amounts in minor units. */
export type StatedMovement = Omit<AskedMovement, 'evidence'> & { readonly direction: 'credit' | 'debit' };

/**
 * Which stored messages are evidence for what their stater says. Collection and payout ask only here. For a supplier a message counts only
 * if the account's chain corroborates it: the supplier could have written the message itself. For staff every stored message of the account
 * counts.
 */
export async function evidenceFor(
  platform: Platform,
  tx: Tx,
  stater: Stater,
  movements: readonly StatedMovement[],
): Promise<ReadonlySet<bigint>> {
  if (stater === 'staff') return new Set(movements.map(({ id }) => id));
  // A debit without balance counts if the bank names the transfer. A credit needs its balance.
  return corroborated(
    platform,
    tx,
    movements.map((movement) => ({
      ...movement,
      evidence: movement.direction === 'debit' ? 'payoutUtr' : OWN_STATEMENT,
    })),
  );
}

/** Whether only the stater's interest supports a statement. `evidence`: the message that counts (`evidenceFor`), if any. */
export function isSelfReported(stater: Stater, evidence: unknown): boolean {
  return stater === 'supplier' && evidence === undefined;
}
