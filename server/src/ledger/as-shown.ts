import { seesWhole } from '@sangam/contract/personal-data.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';

/** Balances that are kept in several accounts. The balance after an entry is then that of one part, not the owner's balance. */
export const isInParts = ({ ownerKind, bucket }: { readonly ownerKind: string; readonly bucket: string }) =>
  ownerKind === 'platform' || bucket === 'pending';

/**
 * The reason of a posting, as far as this viewer may know it: only staff see why a payment was reversed. That of a withdrawal may name whom
 * it pays.
 */
export const reasonFor = (
  viewer: Viewer,
  { postingKind, reason }: { readonly postingKind: string; readonly reason: string | null },
) => {
  if (!isStaff(viewer)) return postingKind === 'reversal' ? null : reason;
  return reason === null || postingKind !== 'withdrawal' || seesWhole(viewer, 'payee') ? reason : '***';
};
