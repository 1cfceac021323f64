import { type Queryable, sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { BotGroup } from './store.ts';

/** The viewer of a group: its party's own user, so that the group sees what its party sees. Undefined for groups without a party. */
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
