import { audit } from '../../platform/audit/record.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { lockOwnView, removeView } from './store.ts';

/** Deletes one of the viewer's own views, also for those it is shared with. It holds no business data, so nothing is archived. */
export function deleteView(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
): Promise<{ id: bigint } | Refusal> {
  return platform.db.tx(async (tx) => {
    const view = await lockOwnView(tx, viewer.userId, id);
    if (!view) return refuse('notFound');
    await removeView(tx, id);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'listView.delete',
      subject: `listView:${id}`,
      before: { list: view.list, name: view.name, sharedRoles: view.sharedRoles },
      ip: viewer.ip,
    });
    return { id };
  });
}
