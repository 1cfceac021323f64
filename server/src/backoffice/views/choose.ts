import type { chooseForList } from '@sangam/contract/endpoints/list.ts';
import type { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { visibleViews, writeChoice } from './store.ts';

/** Stores how the viewer arranged a list. It is a preference, so it is not audited. */
export async function choose(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof chooseForList.input>,
): Promise<{ list: string } | Refusal> {
  const { list, arrangement } = input;
  const defaultViewId = input.defaultViewId === null ? null : BigInt(input.defaultViewId);
  if (defaultViewId !== null) {
    const views = await visibleViews(platform.db, viewer, list);
    if (!views.some((view) => view.id === defaultViewId)) return refuse('notFound');
  }
  await writeChoice(platform.db, viewer.userId, { list, arrangement, defaultViewId }, platform.clock.now());
  return { list };
}
