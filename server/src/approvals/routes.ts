import * as todo from '@sangam/contract/endpoints/todo.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { ApprovalHandlers } from './approval.ts';
import { decide, withdraw } from './decide.ts';
import { listDuties } from './duties.ts';
import { listMine, listStarted } from './list.ts';
import { previewDecision } from './preview.ts';

/** The handlers are passed in, because rooms above this one execute the kinds. */
export function approvalRoutes(handlers: ApprovalHandlers): Route[] {
  return [
    viewerRoute(todo.getMine, (platform, viewer, input) => listMine(platform, handlers, viewer, input)),
    viewerRoute(todo.getStarted, (platform, viewer, input) => listStarted(platform, handlers, viewer, input)),
    viewerRoute(todo.getPreview, (platform, viewer, { id }) =>
      previewDecision(platform, handlers, viewer, BigInt(id)),
    ),
    viewerRoute(todo.getDuties, (platform, _viewer, input) => listDuties(platform, input)),
    viewerRoute(todo.decide, async (platform, viewer, input) => {
      const decision = await decide(platform, handlers, viewer, { ...input, id: BigInt(input.id) });
      return isRefusal(decision) ? decision : { ...decision, id: String(decision.id) };
    }),
    viewerRoute(todo.withdraw, async (platform, viewer, input) => {
      const taken = await withdraw(platform, viewer, BigInt(input.id));
      return isRefusal(taken) ? taken : { ...taken, id: String(taken.id) };
    }),
  ];
}
