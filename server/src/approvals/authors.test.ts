import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { businessDay } from '@sangam/contract/time.ts';
import { noteControlChange } from '../access/control-changes.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { askRelease } from '../channels/scripts/release.ts';
import { patchGap } from '../evidence/chain-patches/apply.ts';
import { joinLostMoney } from '../evidence/lost/join.ts';
import { importStatement } from '../evidence/statement/import-statement.ts';
import { askScriptRelease, saveScript } from '../evidence/monitors/scripts.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { confirmRows } from '../payout/batch/confirm.ts';
import { exportBatch, markSent } from '../payout/batch/send.ts';
import { uploadResult } from '../payout/batch/upload-result.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import {
  createTemplate,
  enableTemplate,
  getTemplate,
  updateTemplate,
} from '../payout/batch/templates/manage.ts';
import { DEFAULT_TEMPLATES } from '../payout/batch/templates/defaults.ts';
import { readPayout } from '../payout/read.ts';
import { beginReview } from '../parties/access-review/begin.ts';
import { decideAccess, signReview } from '../parties/access-review/sign.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { creditSms, makeShop, newReference, type Shop, statedSms } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { shopCalls } from '../testing/shop-calls.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { decide } from './decide.ts';

/** The user who asks may not know what the request contains. So whoever approves must also be independent of its authors. */

let node: TestPlatform;
let shop: Shop;
let calls: ReturnType<typeof shopCalls>;
/** The author writes what is decided, or controls who writes it; the clerk asks for it; the other decides. */
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

/** The author made the shop's supplier, so it could act as the supplier and make its phone report anything. */
async function standBehindSupplier(): Promise<void> {
  const [supplier] = await node.platform.db.query<{ userId: bigint }>(
    sql`select user_id as "userId" from suppliers where id = ${shop.supplierId}`,
  );
  await node.platform.db.tx((tx) =>
    noteControlChange(node.platform, tx, { userId: supplier!.userId, by: author.userId, change: 'link' }),
  );
}

test('a message that only a supplier’s phone reports is approved by somebody who could not act as the supplier', async () => {
  await standBehindSupplier();
  const told = creditSms(node.platform, shop, 500_00n);
  await calls.report(told);
  const [order, { id: messageId }] = [await calls.order(500_00n), await calls.stored(told)];
  const asked = await joinLostMoney(node.platform, clerk, { orderId: order.id, messageId, utr: undefined });
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

/** A gap in the chain of the shop's account that an unpaid order explains, and a request to close it. */
async function askPatch() {
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
  return patchGap(node.platform, clerk, {
    gapId: gap!.id,
    kind: 'statement-line',
    reason: 'bank statement',
    evidence: null,
    orders: [{ orderId: order.id, utr: newReference() }],
  });
}

test('a gap that a supplier’s phone left is closed by somebody who could not act as the supplier', async () => {
  await standBehindSupplier();
  const asked = await askPatch();
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

test('nor is such a gap closed by whoever brought the bank statement of those days', async () => {
  const asked = await askPatch();
  const bring = (viewer: Viewer, day: string) =>
    importStatement(node.platform, viewer, {
      resourceId: String(shop.accountId),
      file: {
        fileName: 'statement.csv',
        content: Buffer.from(`Date,Narration,Debit,Credit\n${day},UPI,,700.00\n`).toString('base64'),
      },
    });
  expect(await bring(author, businessDay(node.clock.now()))).toMatchObject({ importId: expect.any(String) });
  expect(await bring(other, '2020-01-01')).toMatchObject({ importId: expect.any(String) });
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

/** A payout whose claimer says that it paid. The author made the claimer's user. */
async function claimedAndConfirmed(): Promise<{ id: bigint; supplier: Viewer }> {
  const { platform } = node;
  const payouts = await makePayoutShop(platform);
  const { id } = await payOut(platform, payouts.merchantId);
  const { id: userId } = await makeUser(platform, { role: 'supplier' });
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: payouts.supplierId, userId });
  await platform.db.tx((tx) =>
    noteControlChange(platform, tx, { userId, by: author.userId, change: 'link' }),
  );
  await claim(platform, supplier, id);
  return { id, supplier };
}

test('the proof of a payout is accepted by somebody who could not act as the user who confirmed it', async () => {
  const { platform } = node;
  const { id, supplier } = await claimedAndConfirmed();
  await confirmPaid(platform, supplier, { orderId: id, utr: newReference() });
  const asked = await acceptProof(platform, clerk, { orderId: id, reason: 'seen' });
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

test('nor is the proof accepted by whoever asked for the confirmation, though another user approved that', async () => {
  const { platform } = node;
  const { id } = await claimedAndConfirmed();
  const confirmed = await confirmPaid(platform, author, { orderId: id, utr: newReference() });
  expect(await agree(other, confirmed)).toBe('approved');
  const asked = await acceptProof(platform, clerk, { orderId: id, reason: 'seen' });
  expect(await agree(author, asked)).toBe('sameHands');
});

test('nor is the proof accepted by whoever brought the bank’s file that called the payout paid, also once a later file came', async () => {
  const { platform } = node;
  const payouts = await makeBatchShop(platform);
  const { id } = await payOut(platform, payouts.merchantId, { amount: 100_00n });
  const { batchId } = await makeBatch(platform, payouts);
  await exportBatch(platform, clerk, batchId);
  await markSent(platform, clerk, batchId);
  const bring = async (viewer: Viewer, status: string) => {
    const report = iciciReport([
      { reference: `B${batchId}R001`, amount: '100.00', status, utr: newReference() },
    ]);
    const read = await uploadResult(platform, viewer, batchId, { name: 'r.csv', bytes: Buffer.from(report) });
    if (isRefusal(read)) throw new Error(read.code);
    return read.fileHash;
  };
  const fileHash = await bring(author, 'Paid');
  await confirmRows(platform, clerk, { batchId, fileHash, rows: [1] });
  expect(await readPayout(platform.db, id)).toMatchObject({ status: 3, unproven: true });
  const asked = await acceptProof(platform, clerk, { orderId: id, reason: 'seen' });
  expect(await agree(author, asked)).toBe('sameHands');
  await bring(clerk, 'Reversed');
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});

const [FORMAT, CHANGED] = DEFAULT_TEMPLATES.map(({ format }) => format);

test('the format of a payout file is approved by somebody who wrote no part of it since its last approval', async () => {
  const { platform } = node;
  const made = await createTemplate(platform, author, { name: 'Own', format: FORMAT! });
  const { templateId } = made as { templateId: string };
  const update = (viewer: Viewer, version: number) =>
    updateTemplate(platform, viewer, { templateId, version, format: CHANGED! });
  const ask = () => enableTemplate(platform, clerk, { templateId, enable: true });
  expect(await agree(author, await ask())).toBe('sameHands');
  // The clerk has changed it, but the author's part is still in it.
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

test('an access review is signed by somebody who decided about nobody in it', async () => {
  const { platform } = node;
  await beginReview(platform, clerk);
  const users = await platform.db.query<{ id: bigint }>(sql`select user_id as id from access_review_users`);
  for (const { id } of users) await decideAccess(platform, author, id, 'keep');
  const asked = await signReview(platform, clerk, 'quarter');
  expect(await agree(author, asked)).toBe('sameHands');
  expect(await agree(other, asked)).toBe('approved');
});
