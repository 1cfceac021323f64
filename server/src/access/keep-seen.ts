import type { Platform } from '../platform/platform.ts';
import { markSeen } from './session-store.ts';

/** A connected console counts as seen, whether or not it asks anything. One statement for all sessions of a node. */
export function keepSessionsSeen(platform: Platform, sessionIds: readonly bigint[]): Promise<void> {
  return platform.db.tx((tx) => markSeen(tx, sessionIds, platform.clock.now()));
}
