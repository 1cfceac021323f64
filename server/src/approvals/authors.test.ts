import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { noteControlChange } from '../access/control-changes.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { askRelease } from '../channels/scripts/release.ts';
import { patchGap } from '../evidence/chain-patches/apply.ts';
import { joinLostMoney } from '../evidence/lost/join.ts';
import { askScriptRelease, saveScript } from '../evidence/monitors/scripts.ts';
import {
  createTemplate,
  enableTemplate,
  getTemplate,
  updateTemplate,
} from '../payout/batch/templates/manage.ts';
import { DEFAULT_TEMPLATES } from '../payout/batch/templates/defaults.ts';
import { beginReview } from '../parties/access-review/begin.ts';
import { decideAccess, signReview } from '../parties/access-review/sign.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { creditSms, makeShop, newReference, type Shop, statedSms } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { shopCalls } from '../testing/shop-calls.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { decide } from './decide.ts';

/** Who pressed the button may know nothing of what it asked for: who agrees is independent of whoever wrote that as well. */

let node: TestPlatform;
let shop: Shop;
let calls: ReturnType<typeof shopCalls>;
/** Writes what is decided, or stands behind who does; asks for it; decides. */
let author: Viewer;
let clerk: Viewer;
let other: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  await node.platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  calls = shopCalls(node, () => shop);
  const person = async () =>
    viewerOf(node.platform, {
      role: 'superAdmin',
      userId: (await makeUser(node.platform, { role: 'superAdmin' })).id,
    });
  [author, clerk, other] = [await person(), await person(), await person()];
});
afterAll(() => node.close());
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
});

const agree = async (viewer: Viewer, asked: unknown): Promise<string> => {
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  const id = BigInt((asked as { data: { todoId: string } }).data.todoId);
  const answer = await decide(node.platform, APPROVAL_HANDLERS, viewer, { id, approve: true });
  return isRefusal(answer)
    ? ((answer.data as { readonly reason?: string } | undefined)?.reason ?? answer.code)
    : answer.status;
};

/** The author made the shop's supplier: it could act as the supplier, and have its phone report what it likes. */
async function standBehindSupplier(): Promise<void> {
  const [supplier] = await node.platform.db.query<{ userId: bigint }>(
    sql`select user_id as "userId" from suppliers where id = ${shop.supplierId}`,
  );
  await node.platform.db.tx((tx) =>
    noteControlChange(node.platform, tx, { userId: supplier!.userId, by: author.userId, change: 'link' }),
  );
}

test('a message that only a supplier’s phone speaks for is joined by somebody who could not act as the supplier', async () => {
  await standBehindSupplier();
  const told = creditSms(node.platform, shop, 500_00n);
  await calls.report(told);
  const [order, { id: messageId }] = [await calls.order(500_00n), await calls.stored(told)];
  const asked = await joinLostMoney(node.platform, clerk, { orderId: order.id, messageId, utr: undefined });
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

test('a gap that a supplier’s phone left is closed by somebody who could not act as the supplier', async () => {
  await standBehindSupplier();
  let balance = 1_000_00n;
  const tell = async (amount: bigint, isLost = false) => {
    node.clock.advance(MINUTE);
    balance += amount;
    if (!isLost) await calls.report(statedSms(node.platform, shop, { amount, balance }));
  };
  for (let n = 0; n < 3; n += 1) await tell(100_00n);
  const order = await calls.order(700_00n);
  await tell(order.payable!, true);
  await tell(50_00n);
  const [gap] = await node.platform.db.query<{ id: bigint }>(
    sql`select id from chain_gaps where account_id = ${shop.accountId} and state = 'open'`,
  );
  const asked = await patchGap(node.platform, clerk, {
    gapId: gap!.id,
    kind: 'order-supplement',
    reason: 'bank statement',
    evidence: null,
    orders: [{ orderId: order.id, utr: newReference() }],
  });
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

const [FORMAT, CHANGED] = DEFAULT_TEMPLATES.map(({ format }) => format);

test('the format of a payout file is agreed to by somebody who wrote no part of it since it was agreed to', async () => {
  const { platform } = node;
  const made = await createTemplate(platform, author, { name: 'Own', format: FORMAT! });
  const { templateId } = made as { templateId: string };
  const update = (viewer: Viewer, version: number) =>
    updateTemplate(platform, viewer, { templateId, version, format: CHANGED! });
  const ask = () => enableTemplate(platform, clerk, { templateId, enable: true });
  expect(await agree(author, await ask())).toBe('sameHands');
  // Changed by another hand, it is still the author's.
  await update(clerk, 1);
  expect(await agree(author, await ask())).toBe('sameHands');
  expect(await agree(other, await ask())).toBe('approved');
  await update(clerk, 2);
  expect(await agree(author, await ask())).toBe('approved');
  expect(await getTemplate(platform, { templateId })).toMatchObject({ enabled: true });
});

test('a pay script is released by somebody who wrote no part of it since the last release', async () => {
  const { platform } = node;
  const at = node.clock.now();
  const [script] = await platform.db.query<{ id: bigint }>(sql`
    insert into pay_scripts (name, created_by, created_at) values ('own', ${author.userId}, ${at}) returning id`);
  const write = (version: number, by: Viewer) =>
    platform.db.query(sql`
      insert into pay_script_versions (script_id, version, code, origins, note, created_by, created_at, tried_at)
      values (${script!.id}, ${version}, '', '{}', '', ${by.userId}, ${at}, ${at})`);
  const ask = (version: number) =>
    askRelease(platform, clerk, { id: String(script!.id), version, reason: 'new' });
  await write(1, author);
  await write(2, clerk);
  const asked = await ask(2);
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
  await write(3, clerk);
  expect(await agree(author, await ask(3))).toBe('approved');
});

test('a script of phones is released by somebody who did not write it', async () => {
  await saveScript(node.platform, author, { version: '9', body: '', note: '' });
  const asked = await askScriptRelease(node.platform, clerk, { version: '9', reason: 'new' });
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

test('an access review is signed by somebody who has kept or removed nobody in it', async () => {
  const { platform } = node;
  await beginReview(platform, clerk);
  const users = await platform.db.query<{ id: bigint }>(sql`select user_id as id from access_review_users`);
  for (const { id } of users) await decideAccess(platform, author, id, 'keep');
  const asked = await signReview(platform, clerk, 'quarter');
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});
