import {
  chooseForList,
  deleteListView,
  getListViews,
  saveListView,
} from '@sangam/contract/endpoints/list.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { choose } from './choose.ts';
import { deleteView } from './delete-view.ts';
import { saveView } from './save-view.ts';
import { choicesOf, visibleViews } from './store.ts';

const done = (answer: { id: bigint } | Refusal) => (isRefusal(answer) ? answer : { id: String(answer.id) });

export const viewsRoutes: readonly Route[] = [
  viewerRoute(getListViews, async ({ db }, viewer, { list }) => {
    const views = await visibleViews(db, viewer, list);
    const choices = await choicesOf(db, viewer.userId, list);
    return {
      views: views.map(({ ownerId, updatedAt, ...view }) => ({
        ...view,
        id: String(view.id),
        mine: ownerId === viewer.userId,
        sharedRoles: [...view.sharedRoles],
        updateTime: formatTime(updatedAt),
      })),
      choices: choices.map((choice) => ({
        ...choice,
        // A view that is no longer shared with the viewer cannot be the viewer's default.
        defaultViewId: views.some(({ id }) => id === choice.defaultViewId)
          ? String(choice.defaultViewId)
          : null,
      })),
    };
  }),
  viewerRoute(saveListView, async (platform, viewer, input) => done(await saveView(platform, viewer, input))),
  viewerRoute(deleteListView, async (platform, viewer, input) =>
    done(await deleteView(platform, viewer, BigInt(input.id))),
  ),
  viewerRoute(chooseForList, choose),
];
