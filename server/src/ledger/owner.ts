import { refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';

interface BalanceOwner {
  readonly ownerKind: 'merchant' | 'supplier' | 'platform';
  readonly ownerId: bigint;
}

/** Whose balances are meant. Staff may name any owner; everybody else means the own balances, and another owner is not found (404). */
export function ownerAsked(
  viewer: Viewer,
  input: {
    readonly ownerKind?: BalanceOwner['ownerKind'] | undefined;
    readonly ownerId?: string | undefined;
  },
): BalanceOwner | Refusal {
  if (isStaff(viewer)) {
    if (input.ownerKind === undefined) return wrongInput('ownerKind');
    if (input.ownerKind === 'platform') return { ownerKind: 'platform', ownerId: 0n };
    if (input.ownerId === undefined) return wrongInput('ownerId');
    return { ownerKind: input.ownerKind, ownerId: BigInt(input.ownerId) };
  }
  const ownId = viewer.role === 'merchant' ? viewer.merchantId : viewer.supplierId;
  const isOwn =
    (input.ownerKind ?? viewer.role) === viewer.role &&
    (input.ownerId === undefined || input.ownerId === String(ownId));
  if (ownId === null || !isOwn) return refuse('notFound');
  return { ownerKind: viewer.role === 'merchant' ? 'merchant' : 'supplier', ownerId: ownId };
}
