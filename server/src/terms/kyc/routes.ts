import * as kyc from '@sangam/contract/endpoints/kyc.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listKyc } from './list.ts';
import { reviewKyc } from './review.ts';
import { submitKyc } from './submit.ts';

export const kycRoutes: readonly Route[] = [
  viewerRoute(kyc.submitKyc, submitKyc),
  viewerRoute(kyc.reviewKyc, reviewKyc),
  viewerRoute(kyc.getKycList, listKyc),
];
