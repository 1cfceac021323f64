import * as contract from '@sangam/contract/endpoints/account.ts';
import { reviewKyc, submitKyc } from '@sangam/contract/endpoints/kyc.ts';
import { getResourceList } from '@sangam/contract/endpoints/party.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { anyTronAddress } from '@sangam/simulators/tron/node.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestUser } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeSupplier, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

let node: TestPlatform;
let owner: Viewer;
let checker: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const made = await makeSupplier(node.platform);
  owner = viewerOf(node.platform, { role: 'supplier', userId: made.userId, supplierId: made.supplierId });
  const { id: userId } = await createTestUser(node.platform, 'admin');
  checker = viewerOf(node.platform, { role: 'admin', userId });
});
afterAll(() => node.close());

const products = (...ids: number[]) =>
  ids.map((productId) => ({ productId, minAmount: 100, maxAmount: 100_000_00 }));

let made = 0;
const digits = () => `50100${String((made += 1)).padStart(7, '0')}`;
const bank = (fields: object = {}) => ({
  bank: 'HDFC',
  ownerName: 'Asha Rao',
  accountNumber: digits(),
  ifsc: 'HDFC0000240',
  vpa: 'asha@okhdfcbank',
  purpose: 'Own sales',
  senderHeader: 'HDFCBK',
  products: products(1010),
  ...fields,
});
/** The address of the USDT contract itself, and an address whose last letter is changed. */
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const rail = (fields: object) => ({ ownerName: 'Asha Rao', purpose: 'Own sales', ...fields });

const create = (input: object) => ask(node.platform, owner, contract.createAccount, { ...input });
const reasonOf = async (input: object) => {
  const refusal = await askRefused(node.platform, owner, contract.createAccount, { ...input });
  const { fields } = refusal.data as { fields: { path: string; message: string }[] };
  return [refusal.code, fields[0]?.path, fields[0]?.message];
};
const rowOf = async (id: string) =>
  (await ask(node.platform, owner, getResourceList, { pageSize: 500 })).list.find((row) => row.id === id);

describe('the kinds of new accounts', () => {
  test.each([
    ['bank transfer', bank({ products: products(1012) }), 'bank', 'in'],
    ['bank account for UPI and wallets', bank({ products: products(1010, 1021) }), 'bank', 'in'],
    ['UPI alone', bank({ ifsc: '' }), 'upi', 'in'],
    ['wallet', bank({ ifsc: '', bank: 'PhonePe', products: products(1021) }), 'wallet', 'in'],
    ['card to card', bank({ ifsc: '', vpa: '', products: products(1001) }), 'card', 'in'],
    ['bank payout', bank({ vpa: '', products: products(2001, 2012) }), 'bank', 'out'],
    ['UPI payout', bank({ ifsc: '', products: products(2012) }), 'upi', 'out'],
    ['USDT', rail({ accountNumber: TRON, products: products(1045) }), 'usdt', 'in'],
    [
      'M-Pesa paybill',
      rail({ accountNumber: '522533', mpesaType: 'paybill', products: products(1060) }),
      'mpesa',
      'in',
    ],
    [
      'M-Pesa phone',
      rail({ accountNumber: '0712 345 678', mpesaType: 'phone', products: products(1060) }),
      'mpesa',
      'in',
    ],
    [
      'M-Pesa B2C',
      rail({ accountNumber: '600997', mpesaType: 'paybill', products: products(2060) }),
      'mpesa',
      'out',
    ],
    [
      'gateway payout',
      rail({ bank: 'RazorpayX', accountNumber: 'acc_7878780080316316', products: products(2010) }),
      'gateway',
      'out',
    ],
  ])('%s', async (_name, input, kind, direction) => {
    const { id } = await create(input);
    expect(await rowOf(id)).toMatchObject({ kind, direction });
    expect((await rowOf(id))!.products.every(({ state }) => state === 1)).toBe(true);
  });

  test('a Kenyan phone is stored in one form, a short code unchanged', async () => {
    const phone = rail({
      accountNumber: '+254 112 345 678',
      mpesaType: 'phone',
      products: products(1060),
    });
    expect(await rowOf((await create(phone)).id)).toMatchObject({
      accountNumber: '254112345678',
      bank: 'M-Pesa',
      country: 'KE',
    });
  });
});

test('an address of a chain belongs to one account, whatever bank a change names', async () => {
  const accountNumber = anyTronAddress();
  const wallet = rail({ accountNumber, products: products(1045) });
  const { id } = await create(wallet);
  await ask(node.platform, owner, contract.updateAccount, { id, bank: 'Another' });
  expect(await rowOf(id)).toMatchObject({ bank: 'TRON' });
  expect(await askRefused(node.platform, owner, contract.createAccount, wallet)).toMatchObject({
    code: 'conflict',
  });
});

describe('refusals name the field', () => {
  const mpesa = (accountNumber: string, mpesaType: string) =>
    rail({ accountNumber, mpesaType, products: products(1060) });
  test.each([
    ['accountNumber', '4–20 × 0–9', bank({ accountNumber: '123' })],
    ['accountNumber', '4–20 × 0–9', bank({ accountNumber: '1'.repeat(21) })],
    ['accountNumber', '4–20 × 0–9', bank({ accountNumber: '12345678X' })],
    ['accountNumber', 'looksLikeCard', bank({ accountNumber: '4111111111111111' })],
    ['ifsc', 'unknownBank', bank({ ifsc: 'ZZZZ0000240' })],
    ['ifsc', 'unknownBranch', bank({ ifsc: 'HDFC0ZZZZZZ' })],
    ['ifsc', 'needed', bank({ ifsc: '', products: products(1012) })],
    ['ifsc', 'needed', bank({ ifsc: '', products: products(2001) })],
    ['vpa', 'needed', bank({ vpa: '' })],
    ['vpa', 'needed', bank({ ifsc: '', vpa: '', products: products(2012) })],
    ['senderHeader', 'needed', bank({ senderHeader: '' })],
    ['bank', 'needed', bank({ bank: '' })],
    ['country', 'CardCountry', bank({ country: 'CN' })],
    ['products', 'unknown', bank({ products: products(77) })],
    ['products', 'twice', bank({ products: products(1010, 1010) })],
    ['products', 'severalDirections', bank({ products: products(1012, 2001) })],
    ['products', 'severalCurrencies', bank({ products: products(1010, 1060) })],
    ['products', 'otherKind', bank({ products: products(1010, 1030) })],
    ['monitorId', 'unknown', bank({ monitorId: '999999' })],
    ['accountNumber', 'checksum', rail({ accountNumber: `${TRON.slice(0, -1)}u`, products: products(2045) })],
    ['accountNumber', 'T + 33 × base58', rail({ accountNumber: '0x5aAeb6053F', products: products(1045) })],
    ['mpesaType', 'needed', rail({ accountNumber: '522533', products: products(1060) })],
    ['accountNumber', '5–7 × 0–9', mpesa('52253300', 'till')],
    ['accountNumber', '254 7…/1… + 8', mpesa('254812345678', 'phone')],
    ['bank', 'needed', rail({ accountNumber: 'acc_1', products: products(2010) })],
    [
      'accountNumber',
      '3–64 × A–Z 0–9 _ . -',
      rail({ bank: 'X', accountNumber: 'a b c', products: products(2010) }),
    ],
    ['credentials', 'otherKind', bank({ credentials: { keyId: 'a', keySecret: 'b' } })],
  ])('%s: %s', async (field, reason, input) => {
    expect(await reasonOf(input)).toEqual(['invalidInput', field, reason]);
  });

  test('a confirmed value is taken: a card-like number, a branch that our list lacks', async () => {
    await create(
      bank({
        accountNumber: '5555555555554444',
        confirmNotCard: true,
        ifsc: 'HDFC0ZZZZZZ',
        confirmNewBranch: true,
      }),
    );
  });

  test('CardCountry says which countries’ accounts may be made; a chain has no country', async () => {
    await node.platform.settings.write('CardCountry', ['KE'], null);
    expect(await reasonOf(bank())).toEqual(['invalidInput', 'country', 'CardCountry']);
    await create(mpesa('522534', 'till'));
    await create(rail({ accountNumber: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', products: products(1045) }));
    await node.platform.settings.write('CardCountry', ['IN', 'KE'], null);
    await create(bank());
  });
});

test('a gateway’s credentials are sealed, never shown, and replaced only once a second person agrees', async () => {
  const { platform } = node;
  const { id } = await create(
    rail({
      bank: 'RazorpayX',
      accountNumber: 'acc_7878780080316999',
      products: products(2010),
      credentials: { keyId: 'rzp_live_1', keySecret: 'first secret' },
    }),
  );
  const sealed = async () => {
    const [row] = await platform.db.query<{ credentials: Buffer }>(
      sql`select credentials from accounts where id = ${BigInt(id)}`,
    );
    return row!.credentials;
  };
  expect((await sealed()).toString('latin1')).not.toContain('secret');
  const set = { id, keyId: 'rzp_live_2', keySecret: 'second secret' };
  const refused = await askRefused(platform, owner, contract.setGatewayCredentials, set);
  expect(refused.code).toBe('approvalNeeded');
  const { todoId } = refused.data as { todoId: string };
  await ask(platform, checker, decide, { id: todoId, approve: true });
  expect(JSON.parse(platform.vault.open(await sealed(), ['accounts.credentials', id]))).toEqual({
    keyId: 'rzp_live_2',
    keySecret: 'second secret',
  });
  const shown = JSON.stringify([await rowOf(id), await ask(platform, owner, contract.getAccount, { id })]);
  expect(shown).not.toContain('rzp_live');
  const audits = await platform.db.query<{ after: object }>(
    sql`select after from audit_log where subject = ${`account:${id}`}`,
  );
  expect(JSON.stringify(audits)).not.toContain('rzp_live');
});

test('a proven account’s first credentials need a second person, and whoever set credentials does not review the proof', async () => {
  const { platform } = node;
  const gateway = (accountNumber: string) =>
    create(rail({ bank: 'RazorpayX', accountNumber, products: products(1030) }));
  const keys = (id: string) => ({ id, keyId: 'rzp_live_3', keySecret: 'whose?' });
  const handIn = (subjectId: string) =>
    ask(platform, owner, submitKyc, { subjectKind: 'account', subjectId, documentReference: 'kyc.pdf' });

  const early = await gateway('acc_early');
  await ask(platform, checker, contract.setGatewayCredentials, keys(early.id));
  const verdict = { id: (await handIn(early.id)).id, verdict: 'approved' };
  expect((await askRefused(platform, checker, reviewKyc, verdict)).data).toMatchObject({
    reason: 'ownEntry',
  });

  const late = await gateway('acc_late');
  const { id } = await handIn(late.id);
  const waits = async () =>
    (await askRefused(platform, checker, contract.setGatewayCredentials, keys(late.id))).code;
  expect(await waits()).toBe('approvalNeeded');
  await ask(platform, checker, reviewKyc, { id, verdict: 'approved' });
  // Secrets are not compared: a second request may carry another secret than the one that waits.
  expect(await waits()).toBe('conflict');
  await node.owner.query(sql`delete from approvals`);
  expect(await waits()).toBe('approvalNeeded');
  const other = { ...keys(late.id), provider: 'cashfree' };
  expect((await askRefused(platform, checker, contract.setGatewayCredentials, other)).code).toBe('conflict');
});
