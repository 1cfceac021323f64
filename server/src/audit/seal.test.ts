import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../platform/audit/record.ts';
import { type Database, openDatabase, sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { createEmptyDatabase } from '../testing/database.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { newestBlock, readBlocks } from './block.ts';
import { unpackLeaves } from './leaves.ts';
import { sealBlock, sealNew } from './seal.ts';
import { checkAllSealed } from './turn.ts';

let node: TestPlatform;
let other: Platform;
beforeAll(async () => {
  node = await createTestPlatform();
  other = node.anotherNode(-90_000);
});
afterAll(() => node.close());

const write = (platform: Platform, tx: Tx, subject: string) =>
  audit(platform, tx, { userId: null, action: 'probe.seal', subject, ip: null });

/** Seals everything. A transaction that is just ending in another database may delay it for a moment. */
async function sealAll(platform = node.platform): Promise<void> {
  for (;;) {
    while (await sealBlock(platform));
    const newest = await newestBlock(platform.db);
    const [waiting] = await platform.db.query<{ count: number }>(sql`
      select count(*)::int as count from audit_log where tx_id >= ${newest?.toTx ?? 0n}`);
    if (waiting!.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const byNumber = (a: bigint, b: bigint) => (a < b ? -1 : 1);

async function sealedIds(db: Database): Promise<bigint[]> {
  return (await readBlocks(db, sql`true`)).flatMap(({ leaves }) => unpackLeaves(leaves).map(({ id }) => id));
}

test('a row of a transaction that commits late, with a lower id than what is sealed, is sealed once', async () => {
  const { db } = node.platform;
  let commit: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (commit = resolve));
  let written: () => void = () => undefined;
  const wrote = new Promise<void>((resolve) => (written = resolve));
  // The other node's clock is behind, so its ids are lower than all of ours.
  const late = other.db.tx(async (tx) => {
    await write(other, tx, 'late');
    written();
    await held;
  });
  await wrote;
  await db.tx((tx) => write(node.platform, tx, 'early'));
  await sealNew(node.platform);
  expect(await sealedIds(db)).toEqual([]);
  commit();
  await late;
  await db.tx((tx) => write(node.platform, tx, 'after'));
  await sealAll();
  const rows = await db.query<{ id: bigint }>(sql`select id from audit_log`);
  expect((await sealedIds(db)).toSorted(byNumber)).toEqual(rows.map(({ id }) => id).toSorted(byNumber));
});

test('writers and sealers of two nodes at once: every row that was committed is in one block', async () => {
  const { db } = node.platform;
  let writing = true;
  const sealer = async (platform: Platform): Promise<void> => {
    while (writing) await sealBlock(platform);
  };
  const writer = async (platform: Platform, name: number): Promise<void> => {
    for (let n = 0; n < 25; n += 1) {
      const isLost = n % 7 === 0;
      await platform.db
        .tx(async (tx) => {
          for (let row = 0; row <= n % 3; row += 1) await write(platform, tx, `${name}.${n}.${row}`);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
          if (isLost) throw new Error('lost');
        })
        .catch((error: unknown) => {
          if (!isLost) throw error;
        });
    }
  };
  const sealers = Promise.all([sealer(node.platform), sealer(other)]);
  await Promise.all([0, 1, 2, 3].map((name) => writer(name % 2 ? node.platform : other, name)));
  writing = false;
  await sealers;
  await sealAll();
  const rows = await db.query<{ id: bigint }>(sql`select id from audit_log`);
  const sealed = await sealedIds(db);
  expect(new Set(sealed).size).toBe(sealed.length);
  expect(sealed.toSorted(byNumber)).toEqual(rows.map(({ id }) => id).toSorted(byNumber));
  await checkAllSealed(node.platform);
  expect(await db.query(sql`select * from audit_faults`)).toEqual([]);
});

test('a transaction that stays open in another database of the server holds nothing up, in this one it does', async () => {
  const { db } = node.platform;
  const elsewhere = await createEmptyDatabase();
  const stranger = openDatabase(elsewhere.url, { maxConnections: 1 });
  const newest = async () => {
    const [row] = await db.query<{ id: bigint }>(sql`select max(id) as id from audit_log`);
    return row!.id;
  };
  const begin = (tx: Tx) => tx.query(sql`select pg_current_xact_id()`);
  await stranger.tx(async (theirs) => {
    await begin(theirs);
    await db.tx((tx) => write(node.platform, tx, 'beside another database'));
    await sealAll();
    expect(await sealedIds(db)).toContain(await newest());
    await other.db.tx(async (ours) => {
      await begin(ours);
      await db.tx((tx) => write(node.platform, tx, 'beside a transaction of ours'));
      while (await sealBlock(node.platform));
      expect(await sealedIds(db)).not.toContain(await newest());
    });
    await sealAll();
    expect(await sealedIds(db)).toContain(await newest());
  });
  await stranger.close();
  await elsewhere.drop();
});

test('an open transaction of another database below the last block is not taken for a restored dump', async () => {
  const { db } = node.platform;
  const before = await newestBlock(db);
  await other.db.tx(async (tx) => {
    // Stands for a transaction of another database whose connection is gone but whose end nobody has seen (a prepared one, for example).
    const [open] = await tx.query<{ id: bigint }>(sql`select pg_current_xact_id()::text::bigint as id`);
    await node.owner.query(
      sql`update audit_blocks set to_tx = ${open!.id + 1n} where number = ${before!.number}`,
    );
    await db.tx((ours) => write(node.platform, ours, 'after the last block'));
    await sealAll();
    expect((await newestBlock(db))!.number).toBeGreaterThan(before!.number);
  });
  await node.owner.query(
    sql`update audit_blocks set to_tx = ${before!.toTx} where number = ${before!.number}`,
  );
});

test('a database restored from a dump, which counts its transactions anew, seals nothing and says why', async () => {
  const restored = openDatabase(node.url, { maxConnections: 1 });
  await restored.query(
    sql`update audit_blocks set to_tx = 9000000000000000 where number = (select max(number) from audit_blocks)`,
  );
  await expect(sealBlock(node.platform)).rejects.toThrow(/restored from a dump/);
  await restored.close();
});
