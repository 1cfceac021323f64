import {
  endPatch as endPatchEndpoint,
  getChain,
  getGapOrders,
  getSecurityNodeList,
  getSecurityPatchList,
  patchChain,
} from '@sangam/contract/endpoints/chain.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { patchGap } from './apply.ts';
import { endPatch } from './end.ts';
import { drawChain, gapOrders, listGaps, listNodes } from './list.ts';

export const chainRoutes: readonly Route[] = [
  viewerRoute(getSecurityNodeList, listNodes),
  viewerRoute(getChain, drawChain),
  viewerRoute(getSecurityPatchList, listGaps),
  viewerRoute(getGapOrders, gapOrders),
  viewerRoute(patchChain, async (platform, viewer, input) => {
    const patch = await patchGap(platform, viewer, {
      gapId: BigInt(input.gapId),
      kind: input.kind,
      reason: input.reason,
      evidence: input.evidence ?? null,
      orders: (input.orders ?? []).map(({ orderCode, utr }) => ({
        orderId: BigInt(orderCode),
        utr: utr === undefined ? null : normaliseReference(utr),
      })),
    });
    return isRefusal(patch) ? patch : { id: String(patch.id), state: patch.state };
  }),
  viewerRoute(endPatchEndpoint, async (platform, viewer, input) => {
    const patch = await endPatch(platform, viewer, { id: BigInt(input.id), reason: input.reason });
    return isRefusal(patch) ? patch : { id: String(patch.id), state: patch.state };
  }),
];
