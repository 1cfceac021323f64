import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleMayCall } from '../access/access-problem.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { ROUTES } from '../app/routes.ts';
import { createRandom } from '../demo/random.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql, type Sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { randomInput } from '../testing/inputs.ts';
import { signedIn } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED } from '../testing/seed.ts';

/*
 * A merchant and a supplier call every endpoint they may call, with ids, codes and names of other parties in every field. No answer may
 * reveal anything about other parties, and nothing of theirs may change. The rows of a demo world are the other parties'.
 */

/** Calls of each endpoint. `npm run soak:owners` makes more. */
const PROBES = Number(process.env['OWNER_PROBES'] ?? 4);
const PATIENCE_MS = process.env['OWNER_PROBES'] === undefined ? 2 * MINUTE : 240 * MINUTE;
const PARTIES = ['merchant', 'supplier'] as const;
type Party = (typeof PARTIES)[number];

let node: TestPlatform;
let app: FastifyInstance;
let dataDir: string;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  app = await node.app();
  dataDir = await mkdtemp(join(tmpdir(), 'sangam-owners-'));
  await seedDemo(node.platform, {
    dataDir,
    url: 'http://127.0.0.1:1',
    approvals: APPROVAL_HANDLERS,
    historyOrders: 600,
  });
});
afterAll(async () => {
  await node.close();
  await rm(dataDir, { recursive: true, force: true });
});

const column = async (statement: Sql): Promise<string[]> =>
  (await node.platform.db.query<{ value: string | null }>(statement)).flatMap(({ value }) => value ?? []);

/** Texts that only other parties' rows contain, long enough not to occur in an answer by chance. */
function markers(party: Party, id: bigint): Promise<string[]> {
  const others =
    party === 'merchant'
      ? sql`
        select id::text, mch_order_no, user_name, payer_utr, utr, null, null from collection_orders where merchant_id <> ${id}
        union all select id::text, mch_order_no, payee_name, payee_account, utr, payee_vpa, null from payout_orders where merchant_id <> ${id}
        union all select name, null, null, null, null, null, null from merchants where id <> ${id}
        union all select name, null, null, null, null, null, null from suppliers
        union all select account_number, id_text, null, null, null, null, null from (select account_number, null as id_text from accounts) a`
      : sql`
        select id::text, mch_order_no, user_name, payer_utr, utr, null, null from collection_orders where supplier_id <> ${id}
        union all select id::text, mch_order_no, payee_account, utr, payee_vpa, null, null from payout_orders
          where coalesce(supplier_id, 0) <> ${id} and status <> ${PAYOUT.waiting}
        union all select name, null, null, null, null, null, null from suppliers where id <> ${id}
        union all select name, null, null, null, null, null, null from merchants
        union all select account_number, owner_name, null, null, null, null, null from accounts where supplier_id <> ${id}
        union all select id::text, text, null, null, null, null, null from messages where supplier_id <> ${id}`;
  return column(sql`
    select distinct value from (${others}) r (a, b, c, d, e, f, g), unnest(array[a, b, c, d, e, f, g]) value
    where length(value) >= 9 order by value`);
}

/** Ids, codes and names in other parties' rows, to put into fields. */
function foreign(party: Party, id: bigint): Promise<string[]> {
  const ofParty = party === 'merchant' ? sql`merchant_id` : sql`supplier_id`;
  return column(sql`
    select value from (
      (select id::text as value from collection_orders where ${ofParty} <> ${id} limit 40)
      union all (select id::text from payout_orders where ${ofParty} <> ${id} limit 40)
      union all (select mch_order_no from collection_orders where ${ofParty} <> ${id} limit 20)
      union all (select utr from collection_orders where ${ofParty} <> ${id} and utr is not null limit 20)
      union all select id::text from merchants where ${party === 'supplier' ? sql`true` : sql`id <> ${id}`}
      union all select id::text from suppliers where ${party === 'merchant' ? sql`true` : sql`id <> ${id}`}
      union all select id::text from accounts where ${party === 'merchant' ? sql`true` : sql`supplier_id <> ${id}`}
      union all select account_number from accounts where ${party === 'merchant' ? sql`true` : sql`supplier_id <> ${id}`}
      union all select id::text from monitors where ${party === 'merchant' ? sql`true` : sql`supplier_id <> ${id}`}
      union all (select id::text from messages where ${party === 'merchant' ? sql`true` : sql`supplier_id <> ${id}`} limit 40)
      union all select id::text from approvals
      union all (select id::text from callbacks limit 20)
      union all select id::text from payout_batches where ${party === 'merchant' ? sql`true` : sql`supplier_id <> ${id}`}
      union all select id::text from users
    ) r order by value`);
}

/** A digest of all rows of other parties, which this party's calls must not change. */
async function digest(party: Party, id: bigint): Promise<string[]> {
  const isOther = (of: Sql) => sql`${of} is distinct from ${id}`;
  const kept: readonly (readonly [string, Sql])[] =
    party === 'merchant'
      ? [
          ['orders', sql`select * from collection_orders where ${isOther(sql`merchant_id`)}`],
          ['payouts', sql`select * from payout_orders where ${isOther(sql`merchant_id`)}`],
          ['merchants', sql`select * from merchants where ${isOther(sql`id`)}`],
          ['accounts', sql`select * from accounts`],
          ['monitors', sql`select * from monitors`],
          [
            'money',
            sql`select * from ledger_accounts where owner_kind = 'supplier' or owner_kind = 'merchant' and ${isOther(sql`owner_id`)}`,
          ],
          [
            'terms',
            sql`select * from user_product_terms where owner_kind <> 'merchant' or ${isOther(sql`owner_id`)}`,
          ],
        ]
      : [
          ['orders', sql`select * from collection_orders where ${isOther(sql`supplier_id`)}`],
          [
            'payouts',
            sql`select * from payout_orders where ${isOther(sql`supplier_id`)} and status <> ${PAYOUT.waiting}`,
          ],
          ['suppliers', sql`select * from suppliers where ${isOther(sql`id`)}`],
          ['accounts', sql`select * from accounts where ${isOther(sql`supplier_id`)}`],
          ['monitors', sql`select * from monitors where ${isOther(sql`supplier_id`)}`],
          ['messages', sql`select * from messages where ${isOther(sql`supplier_id`)}`],
          ['batches', sql`select * from payout_batches where ${isOther(sql`supplier_id`)}`],
          [
            'money',
            sql`select * from ledger_accounts where owner_kind = 'supplier' and ${isOther(sql`owner_id`)}`,
          ],
          [
            'terms',
            sql`select * from user_product_terms where owner_kind = 'merchant' or ${isOther(sql`owner_id`)}`,
          ],
        ];
  const parts = await Promise.all(
    kept.map(([name, rows]) =>
      column(
        sql`select ${name} || ' ' || count(*) || ' ' || coalesce(md5(string_agg(r::text, '' order by r::text)), '') as value from (${rows}) r`,
      ),
    ),
  );
  return parts.flat();
}

const routed = new Set(ROUTES.map(({ endpoint }) => endpoint));
/** Calls that end the caller's own session, and exports of files. */
const LEFT_OUT = /logout|\/export/i;

test.each(PARTIES)(
  `a %s learns nothing of others and changes nothing of theirs (SEED=${SEED})`,
  async (party) => {
    const random = createRandom(SEED);
    const table = party === 'merchant' ? sql`merchants` : sql`suppliers`;
    // Not the agent, because the agent sees its team.
    const [own] = await node.platform.db.query<{ id: bigint; userId: bigint; account: string }>(sql`
    select p.id, p.user_id as "userId", u.account from ${table} p join users u on u.id = p.user_id
    where u.account = ${`${party}2`}`);
    const values = await foreign(party, own!.id);
    const secret = await markers(party, own!.id);
    expect([values.length > 100, secret.length > 500]).toEqual([true, true]);
    const calls = ENDPOINTS.filter(
      (each): each is Endpoint =>
        routed.has(each) &&
        (each.access === 'anyUser' || typeof each.access !== 'string') &&
        roleMayCall(party, each) &&
        !LEFT_OUT.test(each.path),
    );
    expect(calls.length).toBeGreaterThan(40);
    const before = await digest(party, own!.id);
    const leaks: string[] = [];
    let asked = '';
    const answered = new Map<number, number>();
    for (const each of calls) {
      for (let probe = 0; probe < PROBES; probe += 1) {
        const session = await signedIn(node.platform, {
          id: own!.userId,
          account: own!.account,
          role: party,
          googleSecret: '',
        });
        const input = randomInput(random, each.input, (field) =>
          /url/i.test(field)
            ? 'https://example.com/n'
            : /time|day|date/i.test(field)
              ? '2026-11-01 00:00:00'
              : random.pick(values),
        );
        const address = each.path.replace(/:\w+/g, () => random.pick(values));
        const response = await app.inject({
          method: each.method,
          url: address,
          headers: { 'accept-language': 'en', ...session },
          ...(each.method === 'GET' ? { query: input as Record<string, string> } : { payload: input }),
        });
        const code = response.headers['content-type']?.includes('json')
          ? (response.json().code as number)
          : 200;
        answered.set(code, (answered.get(code) ?? 0) + 1);
        const said = response.body;
        const sent = JSON.stringify(input);
        // An answer may repeat what the party itself has sent, also later (such as an error that it reported).
        asked += address + sent;
        for (const marker of secret)
          if (said.includes(marker) && !asked.includes(marker)) leaks.push(`${each.path} ${sent}: ${marker}`);
        if (code === 500) leaks.push(`${each.path} ${sent}: ${said}`);
      }
      node.clock.advance(SECOND);
    }
    expect(leaks).toEqual([]);
    expect(await digest(party, own!.id)).toEqual(before);
    // Enough calls must succeed, or nothing was tried.
    expect(answered.get(200) ?? 0, JSON.stringify([...answered])).toBeGreaterThan(calls.length / 2);
  },
  PATIENCE_MS,
);
