import type { tellScreens as tellScreensCall } from '@sangam/contract/endpoints/user.ts';
import { screenAt } from '@sangam/contract/screens.ts';
import type { z } from 'zod';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { writeScreens } from './session-store.ts';

/** Stores which screens a window has open; unknown screens are dropped. */
export async function tellScreens(
  platform: Platform,
  viewer: Viewer,
  { windowId, screens }: z.output<typeof tellScreensCall.input>,
): Promise<Record<string, never>> {
  const known = screens.filter((path) => screenAt(path) !== undefined);
  await writeScreens(platform.db, viewer.sessionId, windowId, known, platform.clock.now());
  return {};
}
