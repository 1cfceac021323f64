import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import { SEES_WHOLE } from '@sangam/contract/personal-data.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleMayCall } from '../access/access-problem.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { createRandom } from '../demo/random.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { randomInput } from '../testing/inputs.ts';
import { signedIn } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED } from '../testing/seed.ts';

/*
 * Each role makes every read call it may, with the ids of a demo world whose personal data is marked. What it sees unmasked must be what
 * the contract's table says, field by field.
 */

/** Calls of each endpoint with input, in addition to the call without input. */
const PROBES = 6;

/** Texts that a row of this kind has when it is not masked. */
const MARKS = {
  payerName: ['qpayername'],
  payee: ['qpayeename', '777000111222', 'zqpayee.person@'],
  text: ['zqtext.person@'],
  account: ['8880001', 'zqaccount.owner@'],
} as const;
type Field = keyof typeof MARKS;

/** A supplier sees its own accounts. */
const WHOLE: Readonly<Record<Field, readonly Role[]>> = {
  payerName: SEES_WHOLE.payerName,
  payee: SEES_WHOLE.payee,
  text: SEES_WHOLE.text,
  account: ['supplier'],
};

const ACCOUNTS: Readonly<Record<Role, string>> = {
  superAdmin: 'superadmin',
  admin: 'admin',
  customerService: 'service',
  technicalMaintenance: 'maintenance',
  technicalSupport: 'support',
  supplier: 'supplier1',
  merchant: 'merchant1',
};

let node: TestPlatform;
let app: FastifyInstance;
let dataDir: string;
let ids: readonly string[];
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  app = await node.app();
  dataDir = await mkdtemp(join(tmpdir(), 'sangam-personal-'));
  const at = { dataDir, url: 'http://127.0.0.1:1', approvals: APPROVAL_HANDLERS, historyOrders: 300 };
  await seedDemo(node.platform, at);
  for (const mark of [
    sql`update collection_orders set user_name = 'Zqpayername' where user_name is not null`,
    sql`update payout_orders set payee_name = 'Zqpayeename', payee_account = case when payee_account is not null then '777000111222' end,
      payee_vpa = case when payee_vpa is not null then 'zqpayee.person@okbank' end`,
    sql`update messages set text = text || ' from zqtext.person@okbank'`,
    sql`update accounts set account_number = '8880001' || lpad((id % 100000)::text, 5, '0'), vpa = 'zqaccount.owner@okbank' where vpa is not null`,
  ])
    await node.owner.query(mark);
  const rows = await node.platform.db.query<{ id: string }>(sql`
    (select id::text from collection_orders order by id desc limit 60)
    union all (select id::text from payout_orders order by id desc limit 60)
    union all (select id::text from messages order by id desc limit 40)
    union all (select id::text from accounts limit 30) union all (select id::text from callbacks order by id desc limit 20)
    union all select id::text from merchants union all select id::text from suppliers union all select id::text from approvals`);
  ids = rows.map(({ id }) => id);
});
afterAll(async () => {
  await node.close();
  await rm(dataDir, { recursive: true, force: true });
});

test.each(ROLES)(
  `%s is shown whole what the table says and nothing else (SEED=${SEED})`,
  async (role) => {
    const random = createRandom(SEED);
    const [user] = await node.platform.db.query<{ id: bigint; account: string }>(
      sql`select id, account from users where account = ${ACCOUNTS[role]}`,
    );
    const session = await signedIn(node.platform, { ...user!, role, googleSecret: '' });
    const seen = new Map<Field, Set<string>>();
    const reads = ENDPOINTS.filter(
      ({ method, access, ...each }) =>
        method === 'GET' &&
        !each.writes &&
        (access === 'anyUser' || typeof access !== 'string') &&
        roleMayCall(role, { method, access, ...each }),
    );
    for (const { path, input } of reads) {
      for (let probe = 0; probe <= PROBES; probe += 1) {
        const made = probe === 0 ? {} : randomInput(random, input, () => random.pick(ids));
        const response = await app.inject({
          method: 'GET',
          url: path.replace(/:\w+/g, () => random.pick(ids)),
          headers: { 'accept-language': 'en', ...session },
          query: made as Record<string, string>,
        });
        for (const [field, marks] of Object.entries(MARKS) as [Field, readonly string[]][])
          for (const mark of marks)
            if (response.body.includes(mark))
              seen.set(field, (seen.get(field) ?? new Set()).add(`${path} ${mark}`));
        node.clock.advance(SECOND);
      }
    }
    // A supplier sees the payee of the payout that it pays now (payout/visibility.test.ts). Whether the demo world has such a payout is
    // chance.
    if (role === 'supplier') seen.delete('payee');
    const shown = (Object.keys(MARKS) as Field[]).filter((field) => seen.has(field));
    const allowed = (Object.keys(MARKS) as Field[]).filter((field) => WHOLE[field].includes(role));
    expect(shown, JSON.stringify([...seen].map(([field, where]) => [field, ...where]))).toEqual(allowed);
  },
  2 * MINUTE,
);
