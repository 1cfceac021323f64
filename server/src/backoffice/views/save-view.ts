import type { saveListView } from '@sangam/contract/endpoints/list.ts';
import { STAFF } from '@sangam/contract/roles.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { violated } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse, wrongInput } from '../../platform/refusal.ts';
import { isStaff, type Viewer } from '../../platform/viewer.ts';
import { countViews, lockOwnView, writeView, type ListView } from './store.ts';

/** The most views of one owner for one list. */
export const VIEWS_PER_LIST = 50;

/** Saves a new view, or changes an own one. A name is unique for an owner and list. */
export async function saveView(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof saveListView.input>,
): Promise<{ id: bigint } | Refusal> {
  const { list, name, filters, arrangement } = input;
  const sharedRoles = [...new Set(input.sharedRoles)];
  // A view's name is free text. Merchants and suppliers must not read what staff call their views, nor the other way round.
  if (sharedRoles.length > 0 && !(isStaff(viewer) && sharedRoles.every((role) => STAFF.includes(role))))
    return wrongInput('sharedRoles');
  try {
    return await platform.db.tx(async (tx) => {
      const before =
        input.id === undefined ? undefined : await lockOwnView(tx, viewer.userId, BigInt(input.id));
      if (input.id !== undefined && before?.list !== list) return refuse('notFound');
      if (!before && (await countViews(tx, viewer.userId, list)) >= VIEWS_PER_LIST)
        return refuse('invalidInput', { fields: `list (≤ ${VIEWS_PER_LIST})` });
      const view: ListView = {
        id: before?.id ?? platform.ids.next(),
        ownerId: viewer.userId,
        list,
        name,
        filters,
        arrangement,
        sharedRoles,
        updatedAt: platform.clock.now(),
      };
      await writeView(tx, view);
      await audit(platform, tx, {
        userId: viewer.userId,
        action: 'listView.save',
        subject: `listView:${view.id}`,
        ...(before ? { before: audited(before) } : {}),
        after: audited(view),
        ip: viewer.ip,
      });
      return { id: view.id };
    });
  } catch (error) {
    if (violated(error) === 'list_views_name') return wrongInput('name');
    throw error;
  }
}

const audited = ({ list, name, filters, sharedRoles }: ListView) => ({ list, name, filters, sharedRoles });
