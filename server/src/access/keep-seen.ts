import type { Platform } from '../platform/platform.ts';
import { markSeen } from './session-store.ts';

/** Consoles that are connected are seen, whether or not they ask anything: all of a node's in one statement. */
export function keepSessionsSeen(platform: Platform, sessionIds: readonly bigint[]): Promise<void> {
  return platform.db.tx((tx) => markSeen(tx, sessionIds, platform.clock.now()));
}
