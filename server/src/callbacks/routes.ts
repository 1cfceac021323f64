import {
  deleteCallbacks,
  getCallbackDetailList,
  getCallbackHealth,
  getCallbackList,
  resendCallbacks,
  resendFailed as resendFailedEndpoint,
} from '@sangam/contract/endpoints/callback.ts';
import { refusalAnswer, successAnswer } from '../http/envelope.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { OutcomeListener } from './callback.ts';
import { callbackHealth, resendFailed } from './health.ts';
import { listCallbackDetails, listCallbacks } from './list.ts';
import { deleteCallback, resendCallback } from './manage.ts';

/** Calls about the callbacks of all merchants; `onOutcomes` applies outcomes to their orders. */
export function callbackRoutes(onOutcomes: OutcomeListener): readonly Route[] {
  // Each callback in its own transaction, so that one refusal does not stop the others.
  const each = async (
    platform: Platform,
    viewer: Viewer,
    ids: readonly string[],
    command: typeof resendCallback,
  ) => {
    const list = [];
    for (const id of ids) {
      const result = await command(platform, viewer, BigInt(id), onOutcomes);
      const { code, msg } = (
        isRefusal(result) ? refusalAnswer(result, viewer.locale) : successAnswer({}, viewer.locale)
      ).body;
      list.push({ id, code, msg });
    }
    return { list };
  };
  return [
    viewerRoute(getCallbackList, listCallbacks),
    viewerRoute(getCallbackHealth, callbackHealth),
    viewerRoute(resendFailedEndpoint, (platform, viewer, failure) =>
      resendFailed(platform, viewer, failure, onOutcomes),
    ),
    viewerRoute(getCallbackDetailList, listCallbackDetails),
    viewerRoute(resendCallbacks, (platform, viewer, { ids }) => each(platform, viewer, ids, resendCallback)),
    viewerRoute(deleteCallbacks, (platform, viewer, { ids }) => each(platform, viewer, ids, deleteCallback)),
  ];
}
