import { gzipSync } from 'node:zlib';
import * as contract from '@sangam/contract/endpoints/name-list.ts';
import { updateAccount } from '@sangam/contract/endpoints/account.ts';
import { submitKyc } from '@sangam/contract/endpoints/kyc.ts';
import { createMerchant, updateSupplier } from '@sangam/contract/endpoints/merchant.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOrders } from '../collection/create.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { claim } from '../payout/claim.ts';
import { createPayouts } from '../payout/create.ts';
import { withoutListed } from '../payout/listed-payees.ts';
import { readPayouts } from '../payout/store.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createOne, creditSms, makeShop, newOrder } from '../testing/payments.ts';
import { makePayoutShop, newPayout } from '../testing/payouts.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { screenParties } from './screen-parties.ts';
import { nameScreen } from './screen.ts';

let node: TestPlatform;
let boss: Viewer;
let second: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  const { id } = await makeUser(platform, { role: 'superAdmin' });
  boss = viewerOf(platform, { role: 'superAdmin', userId: id });
  const { id: other } = await makeUser(platform, { role: 'admin' });
  second = viewerOf(platform, { role: 'admin', userId: other });
});
afterEach(async () => {
  // Uses the owner's connection, because the application may not delete sealed rows.
  const { owner } = node;
  // Otherwise a hit that is not written yet would appear in the next test.
  await nameScreen(node.platform).flush();
  for (const table of ['name_exemptions', 'listed_names', 'name_lists', 'name_hits', 'approvals'])
    await owner.query(sql([`delete from ${table}`]));
  await owner.query(sql`update name_list_version set version = version + 1`);
  await nameScreen(node.platform).refresh();
});
afterAll(() => node.close());

const list = (name: string, more: object = {}) =>
  ask(node.platform, boss, contract.addListedName, { name, reason: 'court order', ...more });
const hits = async () => {
  await nameScreen(node.platform).flush();
  return (await ask(node.platform, boss, contract.getNameHits)).list;
};
const agree = async ({ data }: { readonly data: unknown }) => {
  const { todoId } = data as { todoId: string };
  await ask(node.platform, second, decide, { id: todoId, approve: true });
  await nameScreen(node.platform).refresh();
};

test('a listed payer’s order is refused with 1108, alone of its batch, and the hit is recorded and alerts', async () => {
  const { platform } = node;
  const { merchantId } = await makeShop(platform);
  await list('Rajesh Kumar');
  const [listed, clear] = await createOrders(platform, [
    newOrder(merchantId, { userName: 'KUMAR RAJESH' }),
    newOrder(merchantId, { userName: 'Anita Desai' }),
  ]);
  expect(listed).toMatchObject({ code: 'nameBlacklisted' });
  expect(clear).toMatchObject({ merchantId });
  await createOrders(platform, [newOrder(merchantId, { userName: 'Shri Rajesh Kumar' })]);
  expect(await hits()).toMatchObject([
    {
      place: 'collection',
      subject: `merchant:${merchantId}`,
      listed: 'Rajesh Kumar',
      count: 2,
      isNear: false,
    },
  ]);
  const alerts = await platform.db.query(sql`select kind from alerts where kind = 'nameHit'`);
  expect(alerts).toHaveLength(1);
});

test('a listed payee is refused at create, by name and by number; one listed later at claim, and frozen at a send', async () => {
  const { platform } = node;
  const shop = await makePayoutShop(platform);
  const [before] = await createPayouts(platform, [newPayout(shop.merchantId)]);
  if (!before || 'code' in before) throw new Error('not created');
  await list(before.payeeName!, { account: before.payeeAccount! });
  const [after, other] = await createPayouts(platform, [
    newPayout(shop.merchantId),
    newPayout(shop.merchantId, { payee: { ...newPayout(shop.merchantId).payee, userName: 'Quite Another' } }),
  ]);
  expect(after).toMatchObject({ code: 'nameBlacklisted' });
  expect(other).toMatchObject({ code: 'nameBlacklisted' });
  const { id: userId } = await makeUser(platform, { role: 'supplier' });
  const supplier = viewerOf(platform, { role: 'supplier', userId, supplierId: shop.supplierId });
  expect(await claim(platform, supplier, before.id)).toMatchObject({ code: 'nameBlacklisted' });
  const left = await platform.db.tx(async (tx) =>
    withoutListed(platform, tx, await readPayouts(tx, [before.id])),
  );
  expect(left).toEqual([]);
  const [frozen] = await platform.db.query(
    sql`select frozen, status from payout_orders where id = ${before.id}`,
  );
  expect(frozen).toEqual({ frozen: true, status: 0 });
  const found = new Set((await hits()).map(({ place, by }) => `${place} ${by}`));
  expect([...found].sort()).toEqual(['claim account', 'payout account', 'send account']);
});

test('a credit whose payer is listed waits for people', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  await list('Rajesh Kumar', { vpa: 'Payer@OkBank' });
  const told = creditSms(platform, shop, order.payable!);
  const [byVpa] = await receiveMessages(platform, shop.monitor, [told]);
  expect(byVpa).toMatchObject({ state: 'ambiguous' });
  const rows = await platform.db.query(
    sql`select state, reason from messages where account_id = ${shop.accountId}`,
  );
  expect(rows).toEqual([{ state: 'ambiguous', reason: 'payerListed' }]);
});

test('nobody listed becomes a party or is verified; those who are there are looked at when a list changes', async () => {
  const { platform } = node;
  const { merchantId } = await makeShop(platform);
  await platform.db.query(sql`update merchants set name = 'Evil Trading' where id = ${merchantId}`);
  await list('Evil Trading');
  const made = await askRefused(platform, boss, createMerchant, {
    name: 'Evil Trading Pvt. Ltd.',
    account: 'eviltrading',
    signType: 'hmac-sha256',
  });
  expect(made.code).toBe('nameBlacklisted');
  const kyc = { subjectKind: 'merchant', subjectId: String(merchantId), documentReference: 'PAN ABCDE1234F' };
  expect((await askRefused(platform, boss, submitKyc, kyc)).code).toBe('nameBlacklisted');
  expect(await screenParties(platform)).toBeGreaterThan(1);
  expect(await screenParties(platform)).toBe(0);
  expect((await hits()).map(({ place, subject }) => `${place} ${subject}`)).toContain(
    `party merchant:${merchantId}`,
  );
});

test('a number or document listed later is found where it stands', async () => {
  const { platform } = node;
  const { accountId, accountNumber } = await makeShop(platform);
  await list('Evil Trading', { account: accountNumber, document: 'test/document' });
  await screenParties(platform);
  const found = await hits();
  expect(found.map(({ place, subject }) => `${place} ${subject}`)).toContain(`account account:${accountId}`);
  expect(found.map(({ place, by }) => `${place} ${by}`)).toContain('kyc document');
});

test('a supplier or the owner of an account is not given a listed name afterwards', async () => {
  const { platform } = node;
  const { supplierId, accountId } = await makeShop(platform);
  await node.owner.query(
    sql`update kyc_records set verdict = 'rejected' where subject_kind = 'account' and subject_id = ${accountId}`,
  );
  await list('Evil Trading');
  const ofSupplier = { id: String(supplierId), name: 'Evil Trading' };
  expect((await askRefused(platform, boss, updateSupplier, ofSupplier)).code).toBe('nameBlacklisted');
  const ofAccount = { id: String(accountId), ownerName: 'Evil Trading' };
  expect((await askRefused(platform, boss, updateAccount, ofAccount)).code).toBe('nameBlacklisted');
});

test('removing an entry, or letting a namesake pass, needs two people', async () => {
  const { platform } = node;
  const { merchantId } = await makeShop(platform);
  const { id } = await list('Rajesh Kumar');
  const create = async () =>
    (await createOrders(platform, [newOrder(merchantId, { userName: 'Rajesh Kumar' })]))[0];
  expect(await create()).toMatchObject({ code: 'nameBlacklisted' });
  const [hit] = await hits();
  const other = await askRefused(platform, boss, contract.judgeNameHit, {
    id: hit!.id,
    verdict: 'other',
    reason: 'born in another year',
  });
  expect(other.code).toBe('approvalNeeded');
  expect(await create()).toMatchObject({ code: 'nameBlacklisted' });
  await agree(other);
  expect(await create()).toMatchObject({ merchantId });
  const gone = await askRefused(platform, boss, contract.removeListedName, { id, reason: 'acquitted' });
  expect(gone.code).toBe('approvalNeeded');
  expect((await ask(platform, boss, contract.getListedNames)).total).toBe(1);
  await agree(gone);
  expect((await ask(platform, boss, contract.getListedNames)).total).toBe(0);
});

test('an imported list counts at once; what a later file drops waits for a second person', async () => {
  const { platform } = node;
  const load = (text: string, fields: object = {}) =>
    ask(platform, boss, contract.importNameList, {
      format: 'csv',
      source: 'Ministry',
      fileName: 'list.csv',
      content: gzipSync(text).toString('base64'),
      reason: 'weekly',
      ...fields,
    });
  expect(await load('name,phone\nRajesh Kumar,9876543210\nAnita Desai,\n')).toMatchObject({
    entries: 2,
    changed: 2,
    dropped: 0,
    todoId: null,
  });
  const tried = await ask(platform, boss, contract.tryName, { name: 'desai anita' });
  expect(tried).toMatchObject({ verdict: 'hit', listed: 'Anita Desai', list: 'Ministry' });
  const again = await load('name,phone\nRajesh Kumar,9876543210\n');
  expect(again).toMatchObject({ entries: 1, changed: 0, dropped: 1 });
  expect((await ask(platform, boss, contract.getListedNames)).total).toBe(2);
  await agree({ data: again });
  expect((await ask(platform, boss, contract.getListedNames)).total).toBe(1);
  const stored = await platform.db.query<{ marks: string[] }>(sql`select marks from listed_names`);
  expect(stored[0]!.marks.join()).toMatch(/^phone:[0-9a-f]{32}$/);
  await expect(load('no header')).rejects.toThrow('fileNotUnderstood');
});

test('another node knows of an entry within a second', async () => {
  const other = node.anotherNode();
  expect((await nameScreen(other).ready()).try('Rajesh Kumar')).toBeUndefined();
  await list('Rajesh Kumar');
  await expect
    .poll(async () => (await nameScreen(other).ready()).try('Rajesh Kumar')?.score, { timeout: 5_000 })
    .toBe(1);
});

test('a namesake passes no entry that was confirmed since somebody asked', async () => {
  const { platform } = node;
  const { merchantId } = await makeShop(platform);
  await list('Rajesh Kumar');
  const create = async () =>
    (await createOrders(platform, [newOrder(merchantId, { userName: 'Rajesh Kumar' })]))[0];
  await create();
  const [hit] = await hits();
  const judge = { id: hit!.id, reason: 'seen his passport' };
  const other = await askRefused(platform, boss, contract.judgeNameHit, { ...judge, verdict: 'other' });
  await ask(platform, second, contract.judgeNameHit, { ...judge, verdict: 'same' });
  const { todoId } = other.data as { todoId: string };
  expect((await askRefused(platform, second, decide, { id: todoId, approve: true })).code).toBe('conflict');
  await nameScreen(platform).refresh();
  expect(await create()).toMatchObject({ code: 'nameBlacklisted' });
});

const loadList = (text: string) =>
  ask(node.platform, boss, contract.importNameList, {
    format: 'csv',
    source: 'Court',
    fileName: 'list.csv',
    content: gzipSync(text).toString('base64'),
    reason: 'weekly',
  });
const verdictOf = async (name: string) =>
  (await ask(node.platform, boss, contract.tryName, { name })).verdict;

test('what a newer file has again is not taken off by the request of an older one', async () => {
  const both = 'name,reference\nRajesh Kumar,1\nAnita Desai,2\n';
  await loadList(both);
  node.clock.advance(1_000);
  const short = await loadList('name,reference\nRajesh Kumar,1\n');
  node.clock.advance(1_000);
  await loadList(both);
  const decision = { id: short.todoId!, approve: true };
  expect((await askRefused(node.platform, second, decide, decision)).code).toBe('conflict');
  await nameScreen(node.platform).refresh();
  expect(await verdictOf('Anita Desai')).toBe('hit');
});

test('a file that renames an entry takes its name off with a second person only', async () => {
  await loadList('name,reference,phone\nRajesh Kumar,1,9876543210\n');
  const renamed = await loadList('name,reference,phone\nAnita Desai,1,\n');
  expect([await verdictOf('Rajesh Kumar'), await verdictOf('Anita Desai')]).toEqual(['hit', 'hit']);
  await agree({ data: renamed });
  expect([await verdictOf('Rajesh Kumar'), await verdictOf('Anita Desai')]).toEqual(['clear', 'hit']);
});

test('of two rows with one reference both are listed, with the names and numbers of both', async () => {
  const { platform } = node;
  const { merchantId } = await makePayoutShop(platform);
  await loadList('name,phone,document\nRajesh Kumar,9876543210,P-1\nRajesh Kumar,,P-2\n');
  const screen = await nameScreen(platform).ready();
  for (const party of [{ document: 'P-1' }, { document: 'P-2' }, { phone: '9876543210' }])
    expect(screen.hit({ name: 'Quite Another', ...party }, 'payout', `merchant:${merchantId}`)).toBeTruthy();
});

test('a cell that no column of the list reads refuses the file with its row, and nothing is listed', async () => {
  const problemsOf = async (text: string) => {
    const input = {
      format: 'csv',
      source: 'Court',
      fileName: 'list.csv',
      content: gzipSync(text).toString('base64'),
      reason: 'weekly',
    } as const;
    return (await askRefused(node.platform, boss, contract.importNameList, input)).data;
  };
  expect(await problemsOf('name,phone\nAnita Desai,1\n\nKumar, Rajesh,9876543210\n')).toEqual({
    rows: [{ row: 4, problem: 'More cells than the header has columns' }],
  });
  expect(await problemsOf('name,alias,phone,phone\nA,B,1,2\n')).toEqual({
    rows: [
      { row: 1, problem: 'Unknown column alias' },
      { row: 1, problem: 'The header has the column phone twice' },
    ],
  });
  expect((await ask(node.platform, boss, contract.getListedNames)).total).toBe(0);
  await loadList('name,phone,,\nAnita Desai,9876543210,,\n');
  expect(await verdictOf('Anita Desai')).toBe('hit');
});

test('a file with a NUL byte is refused, and a date that no calendar has is left out', async () => {
  const load = (format: 'ofac' | 'un', bytes: string | Buffer) => ({
    format,
    source: format,
    fileName: 'list',
    content: gzipSync(bytes).toString('base64'),
    reason: 'weekly',
  });
  const ofac = Buffer.from('36,"KUMAR\0, Raj\xe9sh","individual","SDGT",,,,,,,,""\n', 'latin1');
  const input = load('ofac', ofac);
  expect((await askRefused(node.platform, boss, contract.importNameList, input)).code).toBe(
    'fileNotUnderstood',
  );
  const un = `<CONSOLIDATED_LIST dateGenerated="2026-02-31T00:00:00"><INDIVIDUALS><INDIVIDUAL><FIRST_NAME>ANITA</FIRST_NAME><SECOND_NAME>DESAI</SECOND_NAME></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`;
  expect(await ask(node.platform, boss, contract.importNameList, load('un', un))).toMatchObject({
    entries: 1,
  });
});
