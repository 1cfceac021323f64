import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';

export interface Upload {
  readonly id: bigint;
  readonly merchantId: bigint;
  readonly key: string;
  readonly contentHash: Buffer;
  readonly count: number;
  /** In the merchant API's unit. */
  readonly sum: bigint;
}

/** Claims the key; false when another upload has it. Waits for a transaction that is about to claim it. */
export async function insertUpload(tx: Tx, upload: Upload, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into payout_uploads (id, merchant_id, key, content_hash, order_count, total, created_at)
    values (${upload.id}, ${upload.merchantId}, ${upload.key}, ${upload.contentHash}, ${upload.count}, ${upload.sum}, ${at})
    on conflict (merchant_id, key) do nothing returning id`);
  return rows.length > 0;
}

export async function findUpload(
  db: Queryable,
  merchantId: bigint,
  key: string,
): Promise<Upload | undefined> {
  const [row] = await db.query<Upload>(sql`
    select id, merchant_id as "merchantId", key, content_hash as "contentHash", order_count as count, total as sum
    from payout_uploads where merchant_id = ${merchantId} and key = ${key}`);
  return row;
}

/** Whether the merchant has an enabled payout product. */
export async function hasPayoutProduct(db: Queryable, merchantId: bigint): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from user_products u join products p on p.id = u.product_id and p.enabled and p.direction = 'out'
    where u.owner_kind = 'merchant' and u.owner_id = ${merchantId} and u.enabled limit 1`);
  return rows.length > 0;
}
