import { createHash } from 'node:crypto';
import { sign } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { giveFunds } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { brokenChecks } from '../../testing/books.ts';
import { makeMerchant } from '../../testing/world.ts';

let world: TestPlatform;
let app: FastifyInstance;
let merchant: { merchantId: bigint; secret: string };

beforeAll(async () => {
  world = await createTestPlatform();
  app = await world.app();
  merchant = await makeMerchant(world.platform, { signType: 'md5', products: [2001, 2012] });
  await giveFunds(world.platform, merchant.merchantId, 'INR', 1_000_000_00n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

interface Sent {
  readonly key: string;
  readonly csv: string;
  readonly fileName?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly as?: { merchantId: bigint; secret: string; signType: 'md5' | 'hmac-sha256' };
}

interface Answer {
  readonly code: number;
  readonly msg: string;
  readonly data: { batchId: string; count: number; sum: number; rows: { row: number; problem: string }[] };
}

async function send({ key, csv, fileName = 'payouts.csv', fields = {}, as }: Sent): Promise<Answer> {
  const { merchantId, secret, signType } = as ?? { ...merchant, signType: 'md5' as const };
  const all = { mchId: String(merchantId), orderType: '1', key, ...fields };
  const form = new FormData();
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  form.set('sign', sign(all, signType, secret));
  form.set('file', new Blob([csv]), fileName);
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const response = await app.inject({
    method: 'POST',
    url: '/api/order/createBatch',
    headers: { 'content-type': request.headers.get('content-type')!, 'accept-language': 'en' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
  return response.json<Answer>();
}

const HEADER = 'mchOrderNo,productId,amount,userName,cardNumber,ifscCode,bankName,vpa,notifyUrl';
const bankRow = (no: string, amount: number | string = 50_000) =>
  `${no},2001,${amount},Asha Rao,50100123456789,HDFC0000521,HDFC Bank,,http://127.0.0.1:9/n`;
const file = (...rows: string[]) => [HEADER, ...rows].join('\r\n');
const numbers = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const countOf = async (prefix: string) =>
  (await world.platform.db.query(sql`select 1 from payout_orders where mch_order_no like ${`${prefix}%`}`))
    .length;
const frozen = async () =>
  (
    await world.platform.db.query<{ balance: bigint }>(sql`
      select balance from ledger_accounts where owner_kind = 'merchant' and owner_id = ${merchant.merchantId} and bucket = 'frozen'`)
  )[0]?.balance ?? 0n;

test('a file becomes payouts, all in one transaction, and they are found by its batchId', async () => {
  const before = await frozen();
  const answer = await send({
    key: 'A',
    csv: file(bankRow('A1'), 'A2,2012,1000,,,,,asha@ybl,', bankRow('A3', 700)),
  });
  expect(answer).toMatchObject({ code: 200, data: { count: 3, sum: 51_700 } });
  expect(await frozen()).toBe(before + 51_700n + 1551n);
  const rows = await world.platform.db.query(sql`
    select mch_order_no as no, amount, payee_vpa as vpa, notify_url as url from payout_orders
    where upload_id = ${BigInt(answer.data.batchId)} order by id`);
  expect(rows).toEqual([
    { no: 'A1', amount: 50_000n, vpa: null, url: 'http://127.0.0.1:9/n' },
    { no: 'A2', amount: 1000n, vpa: 'asha@ybl', url: null },
    { no: 'A3', amount: 700n, vpa: null, url: 'http://127.0.0.1:9/n' },
  ]);
});

test('the key: the same file answers the same, another is refused, ten at once have one effect', async () => {
  const csv = file(...numbers('K', 20).map((no) => bankRow(no)));
  const answers = await Promise.all(Array.from({ length: 10 }, () => send({ key: 'K', csv })));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ code: 200, data: { count: 20 } });
  expect(await countOf('K')).toBe(20);
  expect(await send({ key: 'K', csv: file(bankRow('K99')) })).toMatchObject({ code: 1103 });
  expect(await countOf('K99')).toBe(0);
});

test('one wrong row and nothing is created: every row’s problem is told', async () => {
  await send({ key: 'W0', csv: file(bankRow('W-used')) });
  const before = await frozen();
  const csv = file(
    bankRow('W1'),
    bankRow('W2').replace('HDFC0000521', 'HDFC'),
    bankRow('W1'),
    bankRow('W-used'),
    bankRow('W4', 1),
    bankRow('W5').replace('2001', '1010'),
    bankRow('W6'),
  );
  const answer = await send({ key: 'W', csv });
  expect(answer.code).toBe(1303);
  expect(answer.data.rows).toEqual([
    { row: 3, problem: 'Invalid input: ifscCode' },
    { row: 4, problem: 'This order number was used with other content' },
    { row: 5, problem: 'This order number was used with other content' },
    { row: 6, problem: 'Amount outside limits: 1.00 to 1000000.00' },
    { row: 7, problem: 'Product not enabled' },
  ]);
  expect(await countOf('W')).toBe(1);
  expect(await frozen()).toBe(before);
  // The key was not kept either.
  expect(await send({ key: 'W', csv: file(bankRow('W1')) })).toMatchObject({ code: 200 });
});

test('a balance that does not cover all rows creates none of them', async () => {
  const csv = file(bankRow('B1', 90_000_000), bankRow('B2', 90_000_000));
  expect(await send({ key: 'B', csv })).toMatchObject({ code: 1303, data: { rows: [{ row: 3 }] } });
  expect(await countOf('B')).toBe(0);
});

test.each([
  ['not a CSV file', { csv: file(bankRow('X1')), fileName: 'payouts.xlsx' }, 1302],
  ['bytes that are no text', { csv: 'a\u0000b' }, 1302],
  ['501 rows', { csv: file(...numbers('X', 501).map((no) => bankRow(no))) }, 1301],
  ['no rows', { csv: HEADER }, 1303],
  ['an unknown column', { csv: 'mchOrderNo,productId,amount,colour\nX,2001,1,red' }, 1303],
  ['a column missing', { csv: 'mchOrderNo,productId\nX,2001' }, 1303],
  ['cells that are no numbers', { csv: file(bankRow('X1', '1.5')) }, 1303],
  ['another order type', { csv: file(bankRow('X1')), fields: { orderType: '0' } }, 400],
  ['a hash of another file', { csv: file(bankRow('X1')), fields: { fileHash: '0'.repeat(64) } }, 400],
])('%s is refused', async (name, sent, code) => {
  expect(await send({ key: name, ...sent })).toMatchObject({ code });
  expect(await countOf('X')).toBe(0);
});

test('a strong signature covers the file by its hash', async () => {
  const { platform, clock } = world;
  const strong = await makeMerchant(platform, { signType: 'hmac-sha256', products: [2001] });
  await giveFunds(platform, strong.merchantId, 'INR', 1_000_00n);
  const csv = file(bankRow('H1'));
  const fileHash = createHash('sha256').update(csv).digest('hex');
  const fields = { timestamp: String(clock.now().getTime()), nonce: 'n1' };
  const as = { ...strong, signType: 'hmac-sha256' } as const;
  expect(await send({ key: 'H', csv, fields, as })).toMatchObject({ code: 400 });
  const signed = { ...fields, fileHash, nonce: 'n2' };
  expect(await send({ key: 'H', csv, fields: signed, as })).toMatchObject({ code: 200, data: { count: 1 } });
});

test('a body that is no multipart, or has no file, is a 400', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const broken = await app.inject({
    method: 'POST',
    url: '/api/order/createBatch',
    headers,
    payload: 'nothing',
  });
  expect(broken.statusCode).toBe(400);
  const all = { mchId: String(merchant.merchantId), orderType: '1', key: 'F' };
  const plain = await app.inject({
    method: 'POST',
    url: '/api/order/createBatch',
    payload: { ...all, sign: sign(all, 'md5', merchant.secret) },
  });
  expect(plain.json()).toMatchObject({ code: 400 });
});
