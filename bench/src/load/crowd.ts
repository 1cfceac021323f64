import { sql } from '@sangam/server/platform/db/database.ts';
import { post } from '@sangam/server/ledger/post.ts';
import type { Platform } from '@sangam/server/platform/platform.ts';
import type { LoadOrder } from './load.ts';

const PRODUCT = 1012;
const MAX_WAITING = 1_000_000;
const DEPOSIT = 10n ** 15n;
const SECRET = 'secret of everybody in the crowd';

/**
 * Adds merchants and suppliers with one account each, set-based: one by one, hashing their passwords alone would take a minute. All
 * use only the bank transfer product. Needs a world with a monitor and a KYC record.
 */
export async function addCrowd(platform: Platform, size: number): Promise<LoadOrder['merchants']> {
  const newIds = () => Array.from({ length: size }, () => platform.ids.next());
  const merchants = await platform.db.tx(async (tx) => {
    const ids = async (statement: ReturnType<typeof sql>) =>
      (await tx.query<{ id: bigint }>(statement)).map(({ id }) => id);
    const users = (role: string) =>
      ids(sql`
        insert into users (id, account, nickname, role, password_hash, created_at)
        select id, ${role} || 'InCrowd' || n, 'crowd', ${role}, 'none', now()
        from unnest(${newIds()}::bigint[]) with ordinality as v (id, n) returning id`);
    const merchants = await ids(sql`
      insert into merchants (user_id, name, sign_type, secret, created_at)
      select id, 'crowd', 'md5', '', now() from unnest(${await users('merchant')}::bigint[]) as v (id) returning id`);
    for (const id of merchants)
      await tx.query(sql`
        update merchants set secret = ${platform.vault.seal(SECRET, ['merchants.secret', id])} where id = ${id}`);
    const suppliers = await ids(sql`
      insert into suppliers (user_id, name, created_at)
      select id, 'crowd', now() from unnest(${await users('supplier')}::bigint[]) as v (id) returning id`);
    const accounts = await ids(sql`
      insert into accounts (supplier_id, bank, owner_name, account_number, ifsc, vpa, sender_header, currency, purpose,
        monitor_id, max_waiting, created_at)
      select id, 'HDFC', 'Crowd', '77' || id, 'HDFC0000001', 'crowd' || id || '@hdfcbank', 'HDFCBK', 'INR', 'collection',
        (select min(id) from monitors), ${MAX_WAITING}, now()
      from unnest(${suppliers}::bigint[]) as v (id) returning id`);
    await tx.query(sql`insert into account_load (account_id) select unnest(${accounts}::bigint[])`);
    await tx.query(sql`
      insert into resources (account_id, product_id, state, min_amount, max_amount)
      select id, ${PRODUCT}, 0, 100, 1000000000 from unnest(${accounts}::bigint[]) as v (id)`);
    for (const [kind, owners] of Object.entries({ merchant: merchants, supplier: suppliers })) {
      await tx.query(sql`
        insert into user_products (owner_kind, owner_id, product_id, rate_ppm, min_amount, max_amount)
        select ${kind}, id, ${PRODUCT}, 10000, 100, 1000000000 from unnest(${owners}::bigint[]) as v (id)`);
    }
    for (const [kind, subjects] of Object.entries({
      merchant: merchants,
      supplier: suppliers,
      account: accounts,
    })) {
      await tx.query(sql`
        insert into kyc_records (id, subject_kind, subject_id, verdict, document_reference, submitted_by, submitted_at,
          reviewed_by, reviewed_at)
        select v.id, ${kind}, v.subject_id, 'approved', 'crowd', k.submitted_by, now(), k.reviewed_by, now()
        from unnest(${newIds()}::bigint[], ${subjects}::bigint[]) as v (id, subject_id),
          (select submitted_by, reviewed_by from kyc_records where verdict = 'approved' limit 1) k`);
    }
    await post(
      platform,
      tx,
      suppliers.map((ownerId) => ({
        key: `crowd/${ownerId}`,
        kind: 'topUp',
        orderId: null,
        currency: 'INR',
        legs: [
          { ownerKind: 'supplier', ownerId, bucket: 'deposit', amount: DEPOSIT },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: -DEPOSIT },
        ],
      })),
    );
    return merchants;
  });
  await platform.db.query(sql`analyze`);
  return merchants.map((id) => ({ mchId: String(id), secret: SECRET, signType: 'md5' }));
}
