import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeEvents } from '../history/events.ts';
import { post } from '../ledger/post.ts';
import { audit } from '../platform/audit/record.ts';
import { join, raw, type Sql, sql } from '../platform/db/database.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { runsOf, SEED } from '../testing/seed.ts';
import { makeUser } from '../testing/world.ts';
import { proofLines } from './export-proof.ts';
import { SEALED, SEALED_KINDS, type SealedKind } from './leaves.ts';
import { sealBlock } from './seal.ts';
import { checkAllSealed, checkSealed } from './turn.ts';
import { verifyProof } from './verify-proof.ts';

const BLOCKS = 6;
/** A hurried look takes three seconds. */
const LOADED = { timeout: 30_000 };

let node: TestPlatform;
let users: readonly [bigint, bigint];
beforeAll(async () => {
  node = await createTestPlatform();
  const user = async () => (await makeUser(node.platform, { role: 'admin' })).id;
  users = [await user(), await user()];
  for (let n = 0; n < BLOCKS; n += 1) {
    for (let row = 0; row < 6; row += 1) await writeSome(n * 10 + row);
    await sealAll();
  }
  for (const table of TABLES)
    await node.owner.query(sql`create table ${raw(`kept_${table}`)} as select * from ${raw(table)}`);
});
afterAll(() => node.close());

const TABLES = [...new Set(SEALED_KINDS.map((kind) => SEALED[kind].table))];

async function writeSome(n: number): Promise<void> {
  const { platform } = node;
  await platform.db.tx(async (tx) => {
    await audit(platform, tx, {
      userId: users[0],
      action: 'probe.write',
      subject: `probe:${n}`,
      before: { n },
      after: { n: n + 1 },
      ip: '203.0.113.7',
    });
    const actor = { kind: 'user', id: users[0], ip: null } as const;
    await writeEvents(platform, tx, [
      { orderId: BigInt(n), kind: 'created', from: null, to: 0, actor },
      { orderId: BigInt(n), kind: 'noted', from: null, to: null, actor, reason: `note ${n}`, data: { n } },
    ]);
    await post(platform, tx, [
      {
        key: `probe/${n}`,
        kind: 'topUp',
        orderId: BigInt(n),
        currency: 'INR',
        legs: [
          { ownerKind: 'merchant', ownerId: 1n, bucket: 'available', amount: BigInt(n + 1) },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: -BigInt(n + 1) },
        ],
      },
    ]);
  });
  const id = platform.ids.next();
  await platform.db.query(sql`
    insert into approvals (id, kind, subject_kind, subject_id, payload, reason, started_by, started_as, started_at, expires_at, is_sole)
    values (${id}, 'topUp', 'merchant', 1, ${JSON.stringify({ amount: n })}, 'probe', ${users[0]}, 'admin', now(), now() + interval '1 day', false)`);
  if (n % 2 === 0)
    await platform.db.query(sql`
      update approvals set status = 'refused', decided_by = ${users[1]}, decided_at = now(), decide_reason = 'no' where id = ${id}`);
}

/** Seals everything. A transaction that is just ending in another test's database may delay it for a moment. */
async function sealAll(): Promise<void> {
  for (;;) {
    while (await sealBlock(node.platform));
    const [waiting] = await node.platform.db.query<{ count: number }>(sql`
      select count(*)::int as count from approvals
      where greatest(tx_id, decided_tx_id) >= (select coalesce(max(to_tx), 0) from audit_blocks)`);
    if (waiting!.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A generator of whole numbers below `n`; the same seed repeats them (mulberry32). */
function randomOf(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

interface Planted {
  readonly statements: readonly Sql[];
  /** Each fault as `kind id fault`. */
  readonly named: readonly string[];
}

/** What is changed in a row of each kind. */
const EDITS: Readonly<Record<SealedKind, readonly string[]>> = {
  audit: [
    'user_id = coalesce(user_id, 0) + 1',
    `action = action || 'x'`,
    `subject = 'probe:9999'`,
    `before = '{"n": -1}'`,
    `after = null`,
    `ip = '198.51.100.1'`,
    `role = 'merchant'`,
    `session_id = 5`,
    `created_at = created_at + interval '1 microsecond'`,
  ],
  event: [
    'order_id = order_id + 1000',
    `kind = 'paid'`,
    'from_status = 5',
    `actor_kind = 'payer'`,
    'actor_id = coalesce(actor_id, 0) + 1',
    `reason = 'other'`,
    `data = '{"n": "1"}'`,
    `created_at = created_at - interval '1 day'`,
  ],
  approval: [
    'started_by = started_by + 1',
    `payload = '{"amount": 999}'`,
    `kind = 'withdrawal'`,
    `sealed = '\\x00'`,
    `expires_at = expires_at + interval '1 hour'`,
    'is_sole = not is_sole',
    'subject_id = 2',
  ],
  decision: [
    'decided_by = decided_by + 1',
    `decide_reason = 'yes'`,
    `decided_at = decided_at + interval '1 second'`,
    `result = '{}', status = 'approved'`,
  ],
  posting: [
    `key = key || 'x'`,
    `kind = 'other'`,
    'order_id = order_id + 1',
    `currency = 'KES'`,
    'entry_count = 3',
    'user_id = 5',
  ],
  entry: [
    'amount = amount + 1',
    'balance_after = balance_after - 1',
    'account_id = account_id + 1',
    'posting_id = posting_id + 1',
  ],
};

async function plant(random: (n: number) => number): Promise<Planted> {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const kind = pick(SEALED_KINDS);
  const { table, tx } = SEALED[kind];
  const name = raw(table);
  const rows = await node.owner.query<{ id: bigint; tx: bigint; decided: boolean }>(sql`
    select id, ${raw(tx)} as tx, ${raw(table === 'approvals' ? 'decided_tx_id is not null' : 'false')} as decided
    from ${name} where ${raw(tx)} is not null order by id`);
  const [one, two] = [pick(rows), pick(rows)];
  const kindsOf = (row: { decided: boolean }): readonly SealedKind[] =>
    table !== 'approvals' ? [kind] : row.decided ? ['approval', 'decision'] : ['approval'];
  const named = (row: { id: bigint; decided: boolean }, fault: string, id = row.id) =>
    kindsOf(row).map((each) => `${each} ${id} ${fault}`);
  switch (pick(['edit', 'delete', 'insert', 'swap', 'move'] as const)) {
    case 'edit':
      return {
        statements: [sql`update ${name} set ${raw(pick(EDITS[kind]))} where id = ${one.id}`],
        named: [`${kind} ${one.id} changed`],
      };
    case 'delete':
      return { statements: [sql`delete from ${name} where id = ${one.id}`], named: named(one, 'missing') };
    case 'insert': {
      const id = one.id + 1_000_003n;
      const others = await node.owner.query<{ column: string }>(sql`
        select attname::text as column from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and attname not in ('id', 'key')`);
      const columns = others.map(({ column }) => raw(column));
      const key = table === 'postings';
      return {
        statements: [
          sql`insert into ${name} (id, ${key ? sql`key, ` : sql``}${join(columns)})
            select ${id}::bigint, ${key ? sql`key || 'x', ` : sql``}${join(columns)} from ${name} where id = ${one.id}`,
        ],
        named: named(one, 'added', id),
      };
    }
    case 'swap': {
      if (one.id === two.id) return plant(random);
      const to = (from: bigint, id: bigint) => sql`update ${name} set id = ${id} where id = ${from}`;
      const away = one.id + 500_009n;
      return {
        statements: [to(one.id, away), to(two.id, one.id), to(away, two.id)],
        named: SEALED_KINDS.filter(
          (each) => kindsOf(one).includes(each) || kindsOf(two).includes(each),
        ).flatMap((each) => swapped(each, one, two, kindsOf)),
      };
    }
    case 'move': {
      const blocks = await node.owner.query<{ from: bigint; to: bigint }>(sql`
        select from_tx as from, to_tx as to from audit_blocks`);
      const isSame = blocks.some(
        ({ from, to }) => one.tx >= from && one.tx < to && two.tx >= from && two.tx < to,
      );
      if (one.tx === two.tx) return plant(random);
      return {
        statements: [sql`update ${name} set ${raw(tx)} = ${two.tx} where id = ${one.id}`],
        named: [`${kind} ${one.id} ${isSame ? 'changed' : 'moved'}`],
      };
    }
  }
}

/** The faults after two rows exchanged their ids. A decision goes with its request. */
function swapped(
  kind: SealedKind,
  one: { id: bigint; decided: boolean },
  two: { id: bigint; decided: boolean },
  kindsOf: (row: { decided: boolean }) => readonly SealedKind[],
): string[] {
  const has = [one, two].map((row) => kindsOf(row).includes(kind));
  if (has[0] && has[1]) return [`${kind} ${one.id} moved`, `${kind} ${two.id} moved`];
  const [from, to] = has[0] ? [one.id, two.id] : [two.id, one.id];
  return [`${kind} ${from} missing`, `${kind} ${to} added`];
}

/** Acts like somebody with every right: constraints between rows and triggers do not stop it. */
const asOwner = (statements: readonly Sql[]) =>
  node.owner.tx(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.query(statement);
  });

const restored = (): Sql[] =>
  TABLES.flatMap((table) => [
    sql`delete from ${raw(table)}`,
    sql`insert into ${raw(table)} select * from ${raw(`kept_${table}`)}`,
  ]);

async function found(): Promise<string[]> {
  await checkAllSealed(node.platform);
  const rows = await node.platform.db.query<{ fault: string }>(sql`
    select kind || ' ' || row_id || ' ' || fault as fault from audit_faults where gone_at is null`);
  return rows.map(({ fault }) => fault).toSorted();
}

async function foundOutside(): Promise<string[]> {
  const { faults } = await verifyProof(
    proofLines(node.platform.db),
    [node.platform.auditSeal.publicKey],
    true,
  );
  return faults.map(({ kind, rowId, fault }) => `${kind} ${rowId} ${fault}`).toSorted();
}

test('untouched rows verify', async () => {
  expect(await found()).toEqual([]);
  expect(await foundOutside()).toEqual([]);
});

test(`edits, deletions, insertions and reorderings by SQL are each named by number and kind, here and outside (seed ${SEED})`, async () => {
  const random = randomOf(SEED);
  for (let n = 0; n < runsOf(30); n += 1) {
    const { statements, named } = await plant(random);
    const what = `fault ${n}: ${statements.map((each) => each.text).join('; ')}`;
    await asOwner(statements);
    expect(await found(), what).toEqual(named.toSorted());
    expect(await foundOutside(), what).toEqual(named.toSorted());
    await asOwner(restored());
  }
  expect(await found()).toEqual([]);
}, 3_600_000);

test('blocks that were changed, signed anew by somebody else, or taken off the end are named', async () => {
  const [{ count }] = (await node.owner.query<{ count: bigint }>(
    sql`select count(*) as count from audit_blocks`,
  )) as [{ count: bigint }];
  const kept = sql`create table kept_blocks as select * from audit_blocks`;
  await node.owner.query(kept);
  const cases: readonly (readonly [Sql, readonly string[]])[] = [
    [
      sql`update audit_blocks set leaves = set_byte(leaves, 20, 255 - get_byte(leaves, 20)) where number = 2`,
      ['block 2 changed'],
    ],
    [
      sql`update audit_blocks set sealed_at = sealed_at + interval '1 second' where number = 3`,
      ['block 3 changed'],
    ],
    [sql`update audit_blocks set signature = ${Buffer.alloc(64)} where number = 3`, ['block 3 changed']],
    [sql`delete from audit_blocks where number = ${count}`, [`block ${count} missing`]],
  ];
  for (const [statement, named] of cases) {
    await asOwner([statement]);
    expect(await found()).toEqual(named);
    await asOwner([sql`delete from audit_blocks`, sql`insert into audit_blocks select * from kept_blocks`]);
  }
  expect(await found()).toEqual([]);
});

test('a proof of an order has what was done to its callbacks, as the screen lists it', async () => {
  const { platform } = node;
  const [orderId, callbackId] = [platform.ids.next(), platform.ids.next()];
  await platform.db.query(sql`
    insert into callbacks (id, order_id, merchant_id, kind, place, url, transport, fields, created_at)
    values (${callbackId}, ${orderId}, 1, 'paid', 1, 'https://example.com', 'json', '{}', now())`);
  await platform.db.tx((tx) =>
    audit(platform, tx, {
      userId: users[0],
      action: 'callback.resend',
      subject: `callback:${callbackId}`,
      ip: null,
    }),
  );
  await sealAll();
  const rows = async (subject: string) =>
    (await Array.fromAsync(proofLines(platform.db, subject))).filter((line) =>
      line.includes('callback.resend'),
    ).length;
  expect(await rows(`order:${orderId}`)).toBe(1);
  expect(await rows(String(callbackId))).toBe(1);
  expect(await rows('order:999999999')).toBe(0);
});

test('a row of a transaction number that was never used is reported', async () => {
  const { ids } = node.platform;
  const id = ids.next();
  await node.owner.query(sql`
    insert into audit_log (id, tx_id, action, subject, created_at) values (${id}, ${2n ** 50n + BigInt(randomInt(1000))}, 'x', 'y:1', now())`);
  expect(await found()).toEqual([`audit ${id} added`]);
  await node.owner.query(sql`delete from audit_log where id = ${id}`);
});

test('a proof of one subject has its rows and the heads of later blocks, and says when one was changed', async () => {
  const lines = await Array.fromAsync(proofLines(node.platform.db, 'order:12'));
  const keys = [node.platform.auditSeal.publicKey];
  const check = (some: readonly string[], trusted = keys) =>
    verifyProof(
      (async function* () {
        yield* some;
      })(),
      trusted,
      false,
    );
  const result = await check(lines);
  expect(result).toMatchObject({ rows: 5, faults: [] });
  const forged = lines.map((line) => line.replace('note 12', 'note 13'));
  expect((await check(forged)).faults).toMatchObject([{ kind: 'event', fault: 'changed' }]);
  const shortened = lines.filter((line) => !line.includes('\\"4\\"'));
  expect((await check(shortened)).faults).toContainEqual({ kind: 'block', rowId: '4', fault: 'missing' });
  const other = '00'.repeat(32);
  expect((await check(lines, [other])).faults.length).toBeGreaterThan(0);
});

test('after a change in an append-only table, the next looks name the row whatever its age', async () => {
  const { platform } = node;
  for (let n = 100; n < 165; n += 1) {
    await writeSome(n);
    await sealAll();
  }
  // A look without time for older blocks.
  const look = () => checkSealed(platform, 0);
  const faults = () =>
    node.owner.query(sql`select row_id as id from audit_faults where kind = 'event' and gone_at is null`);
  await vi.waitFor(async () => {
    const before = await node.platform.db.query(sql`select next_block from audit_checks`);
    await look();
    expect(await node.platform.db.query(sql`select next_block from audit_checks`)).toEqual(before);
  }, LOADED);
  const [row] = await node.owner.query<{ id: bigint }>(sql`
    update order_events set reason = 'other' where id = (select min(id) from order_events) returning id`);
  await node.owner.query(sql`select pg_stat_force_next_flush()`);
  await vi.waitFor(async () => {
    await look();
    expect(await faults()).toEqual([{ id: row!.id }]);
  }, LOADED);
});
