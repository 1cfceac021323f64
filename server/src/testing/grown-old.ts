import { sealBlock } from '../audit/seal.ts';
import { expireDue } from '../collection/expire.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { addUp } from '../statistics/keep.ts';
import { countChanges } from '../traffic/fold.ts';
import { acknowledge } from './acknowledge.ts';
import type { TestPlatform } from './platform.ts';

/** Moves the clock a hundred days, with nothing waiting, so that ended orders may be archived. */
export async function growOld({ platform, clock }: TestPlatform): Promise<void> {
  await acknowledge(platform);
  clock.advance(HOUR);
  await expireDue(platform, clock.now());
  clock.advance(100 * DAY);
  await expireDue(platform, clock.now());
  await countChanges(platform);
  await addUp(platform, () => false);
  for (let left = 1; left > 0;) {
    while (await sealBlock(platform));
    const [row] = await platform.db.query<{ left: number }>(sql`
      select count(*)::int as left from order_events where tx_id >= (select coalesce(max(to_tx), 0) from audit_blocks)`);
    left = row!.left;
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await platform.settings.write('DataClearCycle', 40, null);
}
