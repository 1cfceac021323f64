import * as review from '@sangam/contract/endpoints/access-review.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { beginReview } from './begin.ts';
import { listReview, reviewState } from './list.ts';
import { decideAccess, signReview } from './sign.ts';

export const accessReviewRoutes: readonly Route[] = [
  viewerRoute(review.getAccessReview, (platform, _viewer, input) => listReview(platform, input)),
  viewerRoute(review.getReviewState, (platform) => reviewState(platform)),
  viewerRoute(review.beginAccessReview, (platform, viewer) => beginReview(platform, viewer)),
  viewerRoute(review.decideAccess, (platform, viewer, { userId, verdict }) =>
    decideAccess(platform, viewer, BigInt(userId), verdict),
  ),
  viewerRoute(review.signAccessReview, (platform, viewer, { reason }) =>
    signReview(platform, viewer, reason),
  ),
];
