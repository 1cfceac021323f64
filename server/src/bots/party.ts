import { type Queryable, sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { BotGroup } from './store.ts';

/** A group sees what its party sees: its viewer is the party's own user. Undefined for groups of nobody. */
export async function viewerOfGroup(db: Queryable, group: BotGroup): Promise<Viewer | undefined> {
  const { merchantId, supplierId, locale } = group;
  const [row] = await db.query<{ userId: bigint; account: string }>(sql`
    select u.id as "userId", u.account from users u
    where u.deleted_at is null and u.id in (
      select user_id from merchants where id = ${merchantId} union all select user_id from suppliers where id = ${supplierId})`);
  if (!row) return undefined;
  const role = merchantId === null ? 'supplier' : 'merchant';
  return { ...row, role, sessionId: 0n, merchantId, supplierId, ip: 'telegram', locale };
}
