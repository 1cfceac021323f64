import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { addUp } from '../statistics/keep.ts';
import type { Platform } from '../platform/platform.ts';

/* A process that adds up statistics for ever, to be killed at it: `adding-up.ts DATABASE_URL`. Says when it begins and when it has ended. */

const platform = {
  db: openDatabase(process.argv[2]!, { maxConnections: 2 }),
  clock: systemClock,
} as Platform;
for (;;) {
  process.send!('begins');
  const changes = await addUp(platform);
  process.send!(`added ${changes ?? 0}`);
  if (!changes) await new Promise((resolve) => setTimeout(resolve, 5));
}
