import { readdir, rm, mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import {
  findArchived,
  getArchivedOrder,
  getArchives,
  restoreArchived,
} from '@sangam/contract/endpoints/archive.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newestBlock } from '../audit/block.ts';
import { sealBlock } from '../audit/seal.ts';
import { checkAllSealed } from '../audit/turn.ts';
import { proofLines } from '../audit/export-proof.ts';
import { verifyProof } from '../audit/verify-proof.ts';
import { expireDue } from '../collection/expire.ts';
import { DAY, HOUR, SECOND } from '../platform/clock.ts';
import { raw, sql } from '../platform/db/database.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { countChanges } from '../traffic/fold.ts';
import { addUp } from '../statistics/keep.ts';
import { acknowledge } from '../testing/acknowledge.ts';
import { ask } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { archiveNow, archiveOld } from './run.ts';
import { restoreAll, restoreWaiting } from './restore.ts';

let node: TestPlatform;
let folder: string;
let shop: Shop;
let bossId: bigint;
/** Order ids by how the orders ended. */
const ids = { paid: [] as bigint[], late: [] as bigint[], held: 0n };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sangam-archive-'));
  node = await createTestPlatform({ archiveDir: folder });
  const { platform, clock } = node;
  shop = await makeShop(platform, 10n ** 12n);
  bossId = (await makeUser(platform, { role: 'superAdmin' })).id;
  for (let n = 0; n < 6; n += 1) {
    const paid = await createOne(platform, shop.merchantId, { amount: BigInt(100 + n) * 100n });
    await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, paid.payable!)]);
    const late = await createOne(platform, shop.merchantId, { amount: BigInt(900 + n) * 100n });
    ids.paid.push(paid.id);
    ids.late.push(late.id);
    clock.advance(10 * SECOND);
  }
  await acknowledge(platform);
  clock.advance(HOUR);
  await expireDue(platform, clock.now());
  ids.held = ids.paid[5]!;
  await platform.db.query(
    sql`update collection_orders set frozen = true, legal_hold = true where id = ${ids.held}`,
  );
  clock.advance(100 * DAY);
  await expireDue(platform, clock.now());
  await countChanges(platform);
  await addUp(platform, () => false);
  await sealAll();
});
afterAll(async () => {
  await node.close();
  await rm(folder, { recursive: true });
});

async function sealAll(): Promise<void> {
  const { platform } = node;
  for (;;) {
    while (await sealBlock(platform));
    const [waiting] = await platform.db.query<{ count: number }>(sql`
      select count(*)::int as count from order_events where tx_id >= ${(await newestBlock(platform.db))?.toTx ?? 0n}`);
    if (waiting!.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Every row of the archived tables as text, by table and id. */
async function everyRow(): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for (const table of ARCHIVE_TABLES)
    for (const { id, text } of await node.platform.db.query<{ id: bigint; text: string }>(sql`
      select id, row_to_json(t)::text as text from ${raw(table)} t`))
      rows.set(`${table} ${id}`, text);
  return rows;
}

const statistics = () =>
  node.platform.db.query(sql`select row_to_json(d)::text as row from statistics_days d order by 1`);
const boss = () => viewerOf(node.platform, { role: 'superAdmin', userId: bossId });

test('until DataClearCycle is set nothing is archived; then finished months are, and no interruption loses or doubles a row', async () => {
  const { platform, owner } = node;
  expect(await archiveNow(platform)).toMatchObject({ rows: 0 });
  await platform.settings.write('DataClearCycle', 30, null);
  const [before, sums, blocks] = [await everyRow(), await statistics(), await brokenChecks(platform)];
  expect(blocks).toEqual([]);
  const seen = new Set<string>();
  for (let done = false; !done;) {
    let step = '';
    const run = await archiveOld(platform, owner, (name, file) => {
      if (seen.has(`${file} ${name}`)) return;
      seen.add(`${file} ${name}`);
      step = name;
      throw new Error('ended here');
    });
    done = run.failures.length === 0;
    const live = await everyRow();
    for (const [name, text] of live) expect(text).toBe(before.get(name));
    // An order must be in the archive exactly when it is not in its table.
    const away = await platform.db.query<{ id: bigint }>(sql`select order_id as id from archived_orders`);
    const orders = [...before.keys()].filter((name) => name.startsWith('collection_orders'));
    expect(orders.filter((name) => !live.has(name)).sort()).toEqual(
      away.map(({ id }) => `collection_orders ${id}`).sort(),
    );
    // A transaction has ended since the last look.
    if (step === 'removed') expect(await brokenChecks(platform)).toEqual([]);
  }
  expect([...new Set([...seen].map((each) => each.replace(/^\S+ /, '')))].sort()).toEqual(
    ['begun', 'checked', 'copied', 'manifest', 'on disk', 'read back', 'removed', 'watched'].sort(),
  );
  const live = await everyRow();
  expect(live.has(`collection_orders ${ids.held}`)).toBe(true);
  expect([...live.keys()].filter((name) => name.startsWith('collection_orders'))).toHaveLength(1);
  expect(live.size).toBeLessThan(before.size / 3);
  expect(await statistics()).toEqual(sums);
  await checkAllSealed(platform);
  expect(await brokenChecks(platform)).toEqual([]);
  const keys = [platform.auditSeal.publicKey];
  expect(await verifyProof(proofLines(platform.db), keys, true)).toMatchObject({ faults: [] });
  // Each table has one file and its manifest.
  const archives = await ask(platform, boss(), getArchives, {});
  expect((await readdir(folder)).length).toBe(2 * archives.total!);
  await restoredWhole(before, sums);
}, 120_000);

async function restoredWhole(before: Map<string, string>, sums: unknown): Promise<void> {
  const { platform, owner, clock } = node;
  const archives = await platform.db.query<{ id: bigint }>(sql`
    select id from archives where table_name = 'collection_orders' and state = 'removed'`);
  for (const { id } of archives)
    await platform.db.query(sql`
      insert into archive_restores (id, archive_id, reason, asked_at) values (${platform.ids.next()}, ${id}, 'test', ${clock.now()})`);
  // Interrupted after each piece, the restore continues with the rest.
  let pieces = 0;
  for (let last = 1; ; last += 1) {
    let at = 0;
    await restoreAll(platform, owner, () => {
      at += 1;
      pieces = Math.max(pieces, at);
      if (at === last) throw new Error('ended here');
    });
    if (at < last) break;
  }
  expect(pieces).toBeGreaterThan(3);
  const back = await everyRow();
  const lost = [...before].filter(([name, text]) => back.get(name) !== text && !name.startsWith('messages'));
  expect(lost).toEqual([]);
  expect(await statistics()).toEqual(sums);
  await checkAllSealed(platform);
  expect(await brokenChecks(platform)).toEqual([]);
  // Restored orders stay for 30 days. Then they are archived again, into parts of their own. A row that was archived twice comes back as it
  // last was.
  const corrected = sql`sender = 'corrected' and order_id = ${ids.paid[0]!}`;
  await owner.query(sql`update messages set sender = 'corrected' where order_id = ${ids.paid[0]!}`);
  for (const time of ['first', 'last']) {
    expect(await archiveNow(platform)).toMatchObject({ orders: 0 });
    clock.advance(31 * DAY);
    expect(await archiveNow(platform)).toMatchObject({ orders: 11, failures: [] });
    if (time === 'last') break;
    await platform.db.query(sql`
      insert into archive_restores (id, archive_id, reason, asked_at)
      select ${platform.ids.next()} + row_number() over (), archive_id, 'test', ${clock.now()} from archived_orders group by archive_id`);
    await restoreWaiting(platform);
    expect(await platform.db.query(sql`select from messages where ${corrected}`)).toHaveLength(1);
  }
  await checkAllSealed(platform);
  expect(await brokenChecks(platform)).toEqual([]);
}

test('an archived order is found by its code, its UTR and the number of its merchant, is read whole, and comes back', async () => {
  const { platform } = node;
  const [order] = await platform.db.query<{ number: string; utr: string }>(sql`
    select m.mch_order_no as number, u.utr from merchant_orders m join utr_uses u using (order_id) where order_id = ${ids.paid[0]!}`);
  const code = String(ids.paid[0]);
  for (const text of [code, order!.number, order!.utr])
    expect(await ask(platform, boss(), findArchived, { text })).toMatchObject({
      list: [{ orderCode: code, mchOrderNo: order!.number, direction: 'in' }],
    });
  const read = await ask(platform, boss(), getArchivedOrder, { orderCode: code });
  expect(read).toMatchObject({ order: { id: code, status: '3', amount: '10000', utr: order!.utr } });
  expect(read.history.map((each) => each['kind'])).toContain('paid');
  expect(read.attempts).toHaveLength(1);
  expect(read.messages).toMatchObject([{ order_id: code, state: 'matched' }]);
  // An unpaid order comes back at once. An order with posted money waits for a second person.
  await ask(platform, boss(), restoreArchived, { orderCode: String(ids.late[0]), reason: 'a claim' });
  await expect(
    ask(platform, boss(), restoreArchived, { orderCode: code, reason: 'a claim' }),
  ).rejects.toThrow(/approvalNeeded/);
  await restoreWaiting(platform);
  const live = await platform.db.query<{ id: bigint }>(sql`select id from collection_orders order by id`);
  expect(live.map(({ id }) => id)).toEqual([ids.late[0]!, ids.held].toSorted((a, b) => (a < b ? -1 : 1)));
  expect(await brokenChecks(platform)).toEqual([]);
});

test('history that is neither in the database nor unchanged in the archive is reported missing', async () => {
  const { platform, owner } = node;
  await owner.query(sql`
    update archived_events set leaves = overlay(leaves placing '\\x00'::bytea from length(leaves))`);
  await checkAllSealed(platform);
  expect((await brokenChecks(platform)).join()).toMatch(/every sealed row.*missing/);
});

test('a file that is not as it was written is not read', async () => {
  const { platform } = node;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('collection_orders') || !name.endsWith('.zst')) continue;
    const file = await open(join(folder, name), 'r+');
    await file.write(Buffer.from([0xff, 0xff]), 0, 2, 30);
    await file.close();
  }
  await expect(ask(platform, boss(), getArchivedOrder, { orderCode: String(ids.paid[1]) })).rejects.toThrow(
    /not as it was written/,
  );
});
