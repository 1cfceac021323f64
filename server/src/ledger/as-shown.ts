import { isStaff, type Viewer } from '../platform/viewer.ts';

/** Balances that are kept in several accounts: what stands after an entry is a part's, and nobody's balance. */
export const isInParts = ({ ownerKind, bucket }: { readonly ownerKind: string; readonly bucket: string }) =>
  ownerKind === 'platform' || bucket === 'pending';

/** Why something was posted, as far as this viewer may know: why staff took something back stays in the house. */
export const reasonFor = (
  viewer: Viewer,
  { postingKind, reason }: { readonly postingKind: string; readonly reason: string | null },
) => (isStaff(viewer) || postingKind !== 'reversal' ? reason : null);
