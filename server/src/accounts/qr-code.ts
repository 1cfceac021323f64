import type { z } from 'zod';
import type * as contract from '@sangam/contract/endpoints/account.ts';
import { audit } from '../platform/audit/record.ts';
import { empty, type Queryable, type Sql, type Tx, hot, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { invalid } from './account-checks.ts';
import { pays } from './qr-picture.ts';
import { readQrApart } from './qr-reader.ts';
import { KEEPERS, accountScope } from './resource.ts';

interface Payable {
  readonly ownerName: string;
  readonly accountNumber: string;
  readonly ifsc: string | null;
  readonly vpa: string | null;
}

/** What a payer could scan: a UPI link that names the payee only (the payer types the amount), or else number and IFSC. */
export function scannedText({ ownerName, accountNumber, ifsc, vpa }: Payable): string {
  return vpa === null ? [accountNumber, ifsc].filter(Boolean).join(' ') : upiAddress(vpa, ownerName);
}

/** Encoded as in channels/upi. */
export function upiAddress(vpa: string, payeeName: string): string {
  return `upi://pay?pa=${encodeURIComponent(vpa).replace('%40', '@')}&pn=${encodeURIComponent(payeeName)}&cu=INR`;
}

/** The data: address of the account's own picture, if that still pays the account: number or VPA may have changed since. */
export async function pictureOf(db: Queryable, accountId: bigint): Promise<string | undefined> {
  const [row] = await db.query<Pictured & { mime: string; bytes: Buffer }>(sql`
    select ${PICTURED}, p.mime, p.bytes from account_pictures p join accounts a on a.id = p.account_id
    where a.id = ${accountId}`);
  return row && pays(row.content, row)
    ? `data:${row.mime};base64,${row.bytes.toString('base64')}`
    : undefined;
}

/** The version of the account's picture: another picture has another version. Null where there is none to show. */
export async function pictureVersion(db: Queryable, accountId: bigint): Promise<string | null> {
  const [row] = await db.query<Pictured & { at: Date }>(
    hot(
      'account picture',
      sql`
    select ${PICTURED}, p.uploaded_at as at from account_pictures p join accounts a on a.id = p.account_id
    where a.id = ${accountId}`,
    ),
  );
  return row && pays(row.content, row) ? String(row.at.getTime()) : null;
}

interface Pictured {
  readonly content: string;
  readonly accountNumber: string;
  readonly vpa: string | null;
}
const PICTURED = sql`p.content, a.account_number as "accountNumber", a.vpa`;

/**
 * Keeps the account's own QR code. Payers see it instead of the code made from the fields, because many apps refuse a made link
 * to a personal VPA. A code that pays somebody else is refused.
 */
export async function uploadQrCode(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.uploadQrCode.input>,
): Promise<Record<string, never> | Refusal> {
  const id = BigInt(input.id);
  const missing = () => refuse(KEEPERS.includes(viewer.role) ? 'notFound' : 'forbidden');
  if (!(await findPayable(platform.db, viewer, id, empty))) return missing();
  // Before the transaction: reading a picture takes a second, and orders lock the account.
  const picture = await readQrApart(platform, viewer.userId, Buffer.from(input.picture, 'base64'));
  if (isRefusal(picture)) return picture;
  if (typeof picture === 'string') return invalid('picture', picture);
  return platform.db.tx(async (tx) => {
    const account = await lockPayable(tx, viewer, id);
    if (!account) return missing();
    if (!pays(picture.content, account)) return invalid('picture', 'otherPayee');
    await tx.query(sql`
      insert into account_pictures (account_id, mime, bytes, content, uploaded_by, uploaded_at)
      values (${account.id}, ${picture.mime}, ${picture.bytes}, ${picture.content}, ${viewer.userId}, ${platform.clock.now()})
      on conflict (account_id) do update set mime = excluded.mime, bytes = excluded.bytes, content = excluded.content,
        uploaded_by = excluded.uploaded_by, uploaded_at = excluded.uploaded_at`);
    await record(platform, tx, viewer, account.id, 'account.qrCode.upload');
    return {};
  });
}

export function removeQrCode(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.removeQrCode.input>,
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx(async (tx) => {
    const account = await lockPayable(tx, viewer, BigInt(input.id));
    if (!account) return refuse(KEEPERS.includes(viewer.role) ? 'notFound' : 'forbidden');
    await tx.query(sql`delete from account_pictures where account_id = ${account.id}`);
    await record(platform, tx, viewer, account.id, 'account.qrCode.remove');
    return {};
  });
}

function lockPayable(tx: Tx, viewer: Viewer, id: bigint): ReturnType<typeof findPayable> {
  return findPayable(tx, viewer, id, sql`for update of a`);
}

async function findPayable(
  db: Queryable,
  viewer: Viewer,
  id: bigint,
  lock: Sql,
): Promise<(Payable & { id: bigint }) | undefined> {
  if (!KEEPERS.includes(viewer.role)) return undefined;
  const [row] = await db.query<Payable & { id: bigint }>(sql`
    select a.id, a.owner_name as "ownerName", a.account_number as "accountNumber", a.ifsc, a.vpa
    from accounts a where a.id = ${id} ${accountScope(viewer)} ${lock}`);
  return row;
}

function record(platform: Platform, tx: Tx, viewer: Viewer, id: bigint, action: string): Promise<void> {
  return audit(platform, tx, {
    userId: viewer.userId,
    action,
    subject: `account:${id}`,
    ip: viewer.ip,
  });
}
