import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeEvents } from '../history/events.ts';
import { audit } from '../platform/audit/record.ts';
import { raw, sql } from '../platform/db/database.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser } from '../testing/world.ts';
import { sentenceOf } from './check.ts';
import type { Found } from './look.ts';
import { sealBlock } from './seal.ts';
import { countSpans, keepSpans, type Part, partsOf, searchParts, suspicionOf } from './search.ts';
import { checkAllSealed, checkSealed, checkState } from './turn.ts';

const ROWS = 90;

let node: TestPlatform;
let userId: bigint;
let otherId: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  userId = (await makeUser(node.platform, { role: 'admin' })).id;
  otherId = (await makeUser(node.platform, { role: 'admin' })).id;
  for (let n = 0; n < ROWS; n += 1) {
    await write(n);
    await seal();
  }
  await checkAllSealed(node.platform);
});
afterAll(() => node.close());

async function write(n: number): Promise<void> {
  const { platform } = node;
  await platform.db.tx(async (tx) => {
    await audit(platform, tx, { userId, action: 'probe.write', subject: `probe:${n}`, ip: null });
    const actor = { kind: 'user', id: userId, ip: null } as const;
    await writeEvents(platform, tx, [{ orderId: BigInt(n), kind: 'created', from: null, to: 0, actor }]);
  });
}

/** Seals everything. A transaction that is just ending in another test's database may delay it for a moment. */
async function seal(): Promise<void> {
  for (;;) {
    while (await sealBlock(node.platform));
    const [waiting] = await node.platform.db.query<{ count: number }>(sql`
      select count(*)::int as count from audit_log where tx_id >= (select coalesce(max(to_tx), 0) from audit_blocks)`);
    if (waiting!.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const nothing = (): Found => ({ faults: [], looked: [], counted: [] });

/** What a search in one table finds, and in how many blocks it looked. */
async function search(table: string): Promise<{ faults: string[]; blocks: number }> {
  const found = nothing();
  const parts = (await partsOf(node.platform.db)).filter((part) => part.table === table);
  await searchParts(node.platform, parts, found);
  return { faults: found.faults.map(sentenceOf).toSorted(), blocks: found.looked.length };
}

async function count(): Promise<string[]> {
  const found = nothing();
  await countSpans(node.platform, found);
  await keepSpans(node.platform, found.counted);
  return found.faults.map(sentenceOf).toSorted();
}

/** The audit entry, and the block that has it. */
async function entry(n: number): Promise<{ id: bigint; block: bigint }> {
  const [row] = await node.owner.query<{ id: bigint; block: bigint }>(sql`
    select a.id, b.number as block from audit_log a join audit_blocks b on b.from_tx <= a.tx_id and b.to_tx > a.tx_id
    where subject = ${`probe:${n}`}`);
  return row!;
}

test('untouched rows are neither searched for nor counted wrong', async () => {
  expect(await search('audit_log')).toEqual({ faults: [], blocks: 0 });
  expect(await search('order_events')).toEqual({ faults: [], blocks: 0 });
  expect(await search('audit_blocks')).toEqual({ faults: [], blocks: 0 });
  expect(await count()).toEqual([]);
});

test('a changed row is found by the transaction that wrote it, and only its block is read', async () => {
  const { id, block } = await entry(12);
  await node.owner.query(sql`update audit_log set reason = 'other' where id = ${id}`);
  expect(await search('audit_log')).toEqual({ faults: [`audit ${id} changed (block ${block})`], blocks: 1 });
  // Also when everything is back, because the row was written later than its block.
  await node.owner.query(sql`update audit_log set reason = null where id = ${id}`);
  expect(await search('audit_log')).toEqual({ faults: [], blocks: 1 });

  const [event] = await node.owner.query<{ id: bigint }>(
    sql`update order_events set reason = 'other' where order_id = 20 returning id`,
  );
  expect((await search('order_events')).faults).toEqual([
    expect.stringMatching(new RegExp(`^event ${event!.id} changed`)),
  ]);
  await node.owner.query(sql`update order_events set reason = null where id = ${event!.id}`);
});

test('a removed row and a row that was put in are found by their number, and so is that they are back', async () => {
  const { id, block } = await entry(5);
  await node.owner.query(sql`create table kept as select * from audit_log where id = ${id}`);
  await node.owner.query(sql`delete from audit_log where id = ${id}`);
  expect(await count()).toEqual([`audit ${id} missing (block ${block})`]);
  expect(await count()).toEqual([]);
  await node.owner.query(sql`insert into audit_log select * from kept`);
  await node.owner.query(sql`update kept set id = id + 1`);
  await node.owner.query(sql`insert into audit_log select * from kept`);
  expect(await count()).toEqual([`audit ${id + 1n} added (block ${block})`]);
  expect((await search('audit_log')).faults).toEqual([`audit ${id + 1n} added (block ${block})`]);
  await node.owner.query(sql`delete from audit_log where id = ${id + 1n}`);
  expect(await count()).toEqual([]);
});

test('a changed block and a missing block are found', async () => {
  await node.owner.query(sql`create table kept_block as select * from audit_blocks where number in (7, 9)`);
  await node.owner.query(
    sql`update audit_blocks set sealed_at = sealed_at + interval '1 second' where number = 7`,
  );
  expect((await search('audit_blocks')).faults).toContain('block 7 changed (block 7)');
  await node.owner.query(
    sql`update audit_blocks b set sealed_at = k.sealed_at from kept_block k where k.number = b.number and b.number = 7`,
  );
  await node.owner.query(sql`delete from audit_blocks where number = 9`);
  expect((await search('audit_blocks')).faults).toContain('block 9 missing (block 9)');
  await node.owner.query(sql`insert into audit_blocks select * from kept_block where number = 9`);
});

test('a changed decision is found; a decision in normal work is searched for, but no turn is hurried for it', async () => {
  const { platform } = node;
  const before = await partsOf(platform.db);
  const ids = [platform.ids.next(), platform.ids.next()];
  for (const id of ids)
    await platform.db.query(sql`
      insert into approvals (id, kind, subject_kind, subject_id, payload, reason, started_by, started_as, started_at, expires_at, is_sole)
      values (${id}, 'topUp', 'merchant', 1, '{}', 'probe', ${userId}, 'admin', now(), now() + interval '1 day', false)`);
  await write(1_000);
  await seal();
  await platform.db.query(sql`
    update approvals set status = 'refused', decided_by = ${otherId}, decided_at = now(), decide_reason = 'no' where id = ${ids[0]}`);
  await write(1_001);
  await seal();
  await expect
    .poll(async () => suspicionOf(before, await partsOf(platform.db)), { timeout: 20_000 })
    .toMatchObject({ isSure: false, parts: [{ table: 'approvals' }] });
  expect(await search('approvals')).toEqual({ faults: [], blocks: 0 });
  await node.owner.query(sql`alter table approvals disable trigger user`);
  await node.owner.query(sql`update approvals set decide_reason = 'yes' where id = ${ids[0]}`);
  await node.owner.query(sql`update approvals set payload = '{"amount": 1}' where id = ${ids[1]}`);
  await node.owner.query(sql`alter table approvals enable trigger user`);
  const { faults } = await search('approvals');
  expect(faults.map((fault) => fault.replace(/ \(.*/, ''))).toEqual(
    [`approval ${ids[1]} changed`, `decision ${ids[0]} changed`].toSorted(),
  );
  await node.owner.query(sql`delete from approvals where id = any(${ids}::bigint[])`);
});

test('what PostgreSQL says of a table tells every way of changing rows', () => {
  const part = (oid: string, state: string, updates = '0'): Part => ({
    oid,
    table: 'order_events',
    low: null,
    high: null,
    state,
    updates,
  });
  const old = [part('1', 'file 0'), part('2', 'file 0')];
  const is = (now: readonly Part[]) => {
    const { parts, isSure } = suspicionOf(old, now);
    return [parts.map(({ oid }) => oid), isSure];
  };
  expect(is(old)).toEqual([[], false]);
  // Rows were removed or changed, or the counts put to 0, or the table was written anew.
  expect(is([part('1', 'file 1'), old[1]!])).toEqual([['1'], true]);
  // A partition is gone, or another stands in its place.
  expect(is([old[0]!])).toEqual([[], true]);
  expect(is([old[0]!, part('3', 'file 0')])).toEqual([['3'], true]);
  // A new month, and a decision.
  expect(is([...old, part('3', 'file 0')])).toEqual([['3'], false]);
  expect(is([old[0]!, part('2', 'file 0', '1')])).toEqual([['2'], false]);
  expect(suspicionOf(undefined, old)).toEqual({ parts: old, isSure: false });
});

test('a sure change begins a hurried turn, which reads everything and ends', async () => {
  const { platform } = node;
  await checkSealed(platform, 0);
  expect(await checkState(platform)).toMatchObject({ inHurry: false });
  const [{ name }] = (await node.owner.query<{ name: string }>(sql`
    select tableoid::regclass::text as name from order_events limit 1`)) as [{ name: string }];
  // Not one row was updated or deleted, as PostgreSQL counts.
  await node.owner.query(sql`create table copied as select * from ${raw(name)}`);
  await node.owner.query(sql`update copied set reason = 'other' where order_id = 3`);
  await node.owner.query(sql`truncate ${raw(name)}`);
  await node.owner.query(sql`insert into ${raw(name)} select * from copied`);
  await checkSealed(platform, 0);
  const faults = await node.owner.query<{ fault: string }>(sql`
    select kind || ' ' || fault as fault from audit_faults where gone_at is null and kind in ('event', 'block')`);
  expect(faults).toEqual([{ fault: 'event changed' }]);
  expect(await checkState(platform)).toMatchObject({ inHurry: false, nextBlock: 1n });
});
