import { CODES } from '@sangam/contract/codes.ts';
import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { SETTINGS } from '@sangam/contract/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteControlChange } from '../../access/control-changes.ts';
import { DAY } from '../../platform/clock.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { brokenChecks } from '../../testing/books.ts';
import { reportDebit } from '../../testing/debits.ts';
import { newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { readPayout } from '../read.ts';

/** A result file that staff upload is the word of that person, until a debit message or a second person supports it. */

let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform, 10n ** 10n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const LIMIT = BigInt(SETTINGS.UnprovenDayLimit.fallback.INR);
const { ok, approvalNeeded } = CODES;

async function someone(role: 'superAdmin' | 'admin' | 'customerService'): Promise<Viewer> {
  const { id: userId } = await makeUser(world.platform, { role });
  return viewerOf(world.platform, { role, userId });
}

/** A batch at the bank with a payout of each amount. */
async function atBank(...amounts: readonly bigint[]) {
  const ids: bigint[] = [];
  for (const amount of amounts) ids.push((await payOut(world.platform, shop.merchantId, { amount })).id);
  const { batchId } = await makeBatch(world.platform, shop);
  await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  return { batchId, ids, amounts };
}

async function bring(
  viewer: Viewer,
  { batchId, amounts }: Awaited<ReturnType<typeof atBank>>,
  status: string,
  utrs: readonly string[] = [],
) {
  const rows = amounts.map((amount, index) => ({
    reference: `B${batchId}R00${index + 1}`,
    amount: formatMinor(amount, 'INR'),
    status,
    ...(status === 'Paid' ? { utr: utrs[index] ?? newReference() } : {}),
  }));
  const file = { fileName: 'report.csv', content: Buffer.from(iciciReport(rows)).toString('base64') };
  return (await ask(world.platform, viewer, batch.uploadPayoutBatchResult, { batchId, file })).fileHash;
}

/** The codes of the rows' answers. */
const confirm = async (viewer: Viewer, batchId: string, fileHash?: string) =>
  (await ask(world.platform, viewer, batch.confirmPayoutBatch, { batchId, fileHash })).list.map(
    ({ code }) => code,
  );
const statusOf = async (ids: readonly bigint[]) =>
  Promise.all(ids.map(async (id) => (await readPayout(world.platform.db, id))!.status));

test.each(['customerService', 'admin', 'superAdmin'] as const)(
  'what a %s brings and confirms alone is unproven, and waits for a second person past the sum of a day, whether paid or failed',
  async (role) => {
    const one = await someone(role);
    const first = await atBank(LIMIT / 2n);
    await bring(one, first, 'Paid');
    expect(await confirm(one, first.batchId)).toEqual([ok.code]);
    expect(await readPayout(world.platform.db, first.ids[0]!)).toMatchObject({ status: 3, unproven: true });
    for (const says of ['Paid', 'Rejected', 'Reversed']) {
      const more = await atBank(LIMIT / 3n, LIMIT / 3n);
      const hash = await bring(one, more, says);
      expect(await confirm(one, more.batchId, hash)).toEqual([approvalNeeded.code, approvalNeeded.code]);
      expect(await statusOf(more.ids)).toEqual([8, 8]);
    }
    world.clock.advance(DAY);
    const next = await atBank(LIMIT / 3n);
    await bring(one, next, 'Rejected');
    expect(await confirm(one, next.batchId)).toEqual([ok.code]);
  },
);

test('the sum counts for who uploads a file and for who confirms it, unless an independent admin confirms the very file', async () => {
  const [clerk, colleague, admin, creature] = await Promise.all(
    (['customerService', 'customerService', 'admin', 'admin'] as const).map(someone),
  );
  await world.platform.db.tx((tx) =>
    noteControlChange(world.platform, tx, {
      userId: creature!.userId,
      by: clerk!.userId,
      change: 'created',
    }),
  );
  world.clock.advance(2 * DAY);
  const large = await atBank(LIMIT + 1n);
  const hash = await bring(clerk!, large, 'Paid');
  for (const other of [clerk!, colleague!, creature!])
    expect(await confirm(other, large.batchId, hash)).toEqual([approvalNeeded.code]);
  // A person who does not name the file may not have seen it.
  expect(await confirm(admin!, large.batchId)).toEqual([approvalNeeded.code]);
  expect(await confirm(admin!, large.batchId, hash)).toEqual([ok.code]);
  expect(await readPayout(world.platform.db, large.ids[0]!)).toMatchObject({ status: 3, unproven: true });

  const half = await atBank(LIMIT / 2n + 1n);
  await bring(clerk!, half, 'Paid');
  expect(await confirm(colleague!, half.batchId)).toEqual([ok.code]);
  const again = await atBank(LIMIT / 2n);
  await bring(clerk!, again, 'Paid');
  const fresh = await someone('customerService');
  expect(await confirm(fresh, again.batchId)).toEqual([approvalNeeded.code]);
  // When the limit of one person is passed, nothing is counted for the other.
  const own = await atBank(LIMIT);
  await bring(fresh, own, 'Paid');
  expect(await confirm(fresh, own.batchId)).toEqual([ok.code]);
});

test('the request is approved for the file that was shown', async () => {
  const [clerk, admin] = await Promise.all((['customerService', 'admin'] as const).map(someone));
  const shown = await atBank(LIMIT, 1_00n);
  await bring(clerk!, shown, 'Paid');
  expect(await confirm(clerk!, shown.batchId)).toEqual([approvalNeeded.code, approvalNeeded.code]);
  const waiting = async () => (await ask(world.platform, admin!, todo.getMine, { kind: 'resultFile' })).list;
  const [request] = (await waiting()).filter(({ subjectId }) => subjectId === shown.batchId);
  expect(request).toMatchObject({
    subjectKind: 'payoutBatch',
    amount: Number(LIMIT + 1_00n),
    currency: 'INR',
  });
  await bring(clerk!, shown, 'Rejected');
  const decision = { id: request!.id, approve: true };
  expect((await askRefused(world.platform, admin!, todo.decide, decision)).code).toBe('conflict');
  expect(await statusOf(shown.ids)).toEqual([8, 8]);
  await ask(world.platform, admin!, todo.decide, { ...decision, approve: false });
  await confirm(clerk!, shown.batchId);
  const [failed] = (await waiting()).filter(({ subjectId }) => subjectId === shown.batchId);
  await ask(world.platform, admin!, todo.decide, { id: failed!.id, approve: true });
  expect(await statusOf(shown.ids)).toEqual([9, 9]);
});

test('who uploaded the file does not approve another’s request about it, nor does a user that the uploader made', async () => {
  const [author, creature, colleague, admin] = await Promise.all(
    (['admin', 'admin', 'customerService', 'admin'] as const).map(someone),
  );
  await world.platform.db.tx((tx) =>
    noteControlChange(world.platform, tx, {
      userId: creature!.userId,
      by: author!.userId,
      change: 'created',
    }),
  );
  world.clock.advance(2 * DAY);
  const large = await atBank(LIMIT + 2n);
  await bring(author!, large, 'Paid');
  expect(await confirm(colleague!, large.batchId)).toEqual([approvalNeeded.code]);
  const { list } = await ask(world.platform, admin!, todo.getMine, { kind: 'resultFile' });
  const { id } = list.find(({ subjectId }) => subjectId === large.batchId)!;
  for (const tied of [author!, creature!])
    expect(await askRefused(world.platform, tied, todo.decide, { id, approve: true })).toMatchObject({
      code: 'forbidden',
      data: { reason: 'sameHands' },
    });
  await ask(world.platform, admin!, todo.decide, { id, approve: true });
  expect(await statusOf(large.ids)).toEqual([3]);
});

/** Sets UnprovenDayLimit to 0: nobody may decide anything alone. */
const noOwnWord = () => world.platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);

test('a corroborated debit needs no second person', async () => {
  await noOwnWord();
  const clerk = await someone('customerService');
  const borne = await atBank(102_00n);
  const utr = newReference();
  await reportDebit(world.platform, shop, { amount: 102_00n, utr });
  await bring(clerk, borne, 'Paid', [utr]);
  expect(await confirm(clerk, borne.batchId)).toEqual([ok.code]);
  expect(await readPayout(world.platform.db, borne.ids[0]!)).toMatchObject({ status: 3, unproven: false });
});

test('a superAdmin reverses no completed payout by an own file, however small; another superAdmin who names the file does', async () => {
  const [boss, other] = [await someone('superAdmin'), await someone('superAdmin')];
  await world.platform.settings.write('UnprovenDayLimit', { INR: 1e12, KES: 1e12, USDT: 1e12 }, null);
  const paid = await atBank(103_00n);
  const utr = newReference();
  await reportDebit(world.platform, shop, { amount: 103_00n, utr });
  await bring(boss, paid, 'Paid', [utr]);
  await confirm(boss, paid.batchId);
  const hash = await bring(boss, paid, 'Reversed');
  expect(await confirm(boss, paid.batchId, hash)).toEqual([approvalNeeded.code]);
  expect(await statusOf(paid.ids)).toEqual([3]);
  expect(await confirm(other, paid.batchId, hash)).toEqual([ok.code]);
  expect(await statusOf(paid.ids)).toEqual([6]);
  await noOwnWord();
});

test('who uploaded the file that calls a payout reversed does not approve the reversal that an admin asks for', async () => {
  const [boss, other, admin] = [
    await someone('superAdmin'),
    await someone('superAdmin'),
    await someone('admin'),
  ];
  const paid = await atBank(104_00n);
  const utr = newReference();
  await reportDebit(world.platform, shop, { amount: 104_00n, utr });
  await bring(boss, paid, 'Paid', [utr]);
  await confirm(boss, paid.batchId);
  await bring(boss, paid, 'Reversed');
  expect(await confirm(admin, paid.batchId)).toEqual([approvalNeeded.code]);
  const { list } = await ask(world.platform, other, todo.getMine, { kind: 'reversal' });
  const { id } = list.find(({ subjectId }) => subjectId === String(paid.ids[0]))!;
  expect(await askRefused(world.platform, boss, todo.decide, { id, approve: true })).toMatchObject({
    code: 'forbidden',
    data: { reason: 'sameHands' },
  });
  await ask(world.platform, other, todo.decide, { id, approve: true });
  expect(await statusOf(paid.ids)).toEqual([6]);
});

test('calling off an exported batch counts as own word, and past the sum of a day a second person agrees: its file may be at the bank', async () => {
  const { platform } = world;
  const second = await someone('admin');
  const held = async (viewer: Viewer, amount: bigint, isExported: boolean) => {
    const { id } = await payOut(platform, shop.merchantId, { amount });
    const { batchId } = await makeBatch(platform, shop);
    if (isExported) await ask(platform, viewer, batch.exportPayoutBatch, { batchId });
    return { id, batchId, reason: 'not sent' };
  };
  const desk = await someone('customerService');
  const { id: early, ...unmade } = await held(desk, LIMIT + 1n, false);
  expect(await ask(platform, desk, batch.cancelPayoutBatch, unmade)).toMatchObject({ status: 'cancelled' });
  const { id, ...exported } = await held(desk, LIMIT + 1n, true);
  const { batchId } = exported;
  expect(await readPayout(platform.db, early)).toMatchObject({ status: 1 });
  const asked = await askRefused(platform, desk, batch.cancelPayoutBatch, exported);
  expect(asked.code).toBe('approvalNeeded');
  expect(await readPayout(platform.db, id)).toMatchObject({ status: 1, lockedBy: `batch:${batchId}` });
  const { todoId } = asked.data as { readonly todoId: string };
  expect(await ask(platform, second, todo.decide, { id: todoId, approve: true })).toMatchObject({
    result: { status: 'cancelled' },
  });
  expect(await readPayout(platform.db, id)).toMatchObject({ status: 0, lockedBy: null });
});
