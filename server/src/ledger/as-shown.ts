import { isStaff, type Viewer } from '../platform/viewer.ts';

/** Balances that are kept in several accounts. The balance after an entry is then that of one part, not the owner's balance. */
export const isInParts = ({ ownerKind, bucket }: { readonly ownerKind: string; readonly bucket: string }) =>
  ownerKind === 'platform' || bucket === 'pending';

/** The reason of a posting, as far as this viewer may know it: only staff see why a payment was reversed. */
export const reasonFor = (
  viewer: Viewer,
  { postingKind, reason }: { readonly postingKind: string; readonly reason: string | null },
) => (isStaff(viewer) || postingKind !== 'reversal' ? reason : null);
