import { crc32, deflateSync } from 'node:zlib';
import * as contract from '@sangam/contract/endpoints/account.ts';
import { getResourceDetailInfo } from '@sangam/contract/endpoints/party.ts';
import { REVEALS_A_DAY } from '@sangam/contract/personal-data.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAUSES } from '../alerts/causes.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { qrPng } from '../platform/files/qr-code.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestUser } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeAccount, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { uploadQrCode } from './qr-code.ts';
import { pays, readQrPicture } from './qr-picture.ts';

let node: TestPlatform;
let owner: Viewer;
let admin: Viewer;
let id: string;
const VPA = 'asha.rao@okhdfcbank';
beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  const { supplierId, userId } = await makeSupplier(platform);
  owner = viewerOf(platform, { role: 'supplier', userId, supplierId });
  admin = viewerOf(platform, { role: 'admin', userId: (await createTestUser(platform, 'admin')).id });
  id = String((await makeAccount(platform, { supplierId, monitorId: null, vpa: VPA })).accountId);
});
afterAll(() => node.close());

const png = qrPng;
const upload = (picture: Buffer, viewer = owner) =>
  ask(node.platform, viewer, contract.uploadQrCode, { id, picture: picture.toString('base64') });
const refusedFor = async (picture: Buffer) => {
  const refusal = await askRefused(node.platform, owner, contract.uploadQrCode, {
    id,
    picture: picture.toString('base64'),
  });
  return (refusal.data as { reason: string }).reason;
};
const detail = (viewer: Viewer) =>
  ask(node.platform, viewer, getResourceDetailInfo, { resourceId: id, productId: 1010 });

test('the owner sees the uploaded code of the account’s VPA; JPEG is allowed too', async () => {
  const picture = await png(`upi://pay?pa=${VPA.toUpperCase()}&pn=Asha%20Rao&mc=0000`);
  await upload(picture);
  expect((await detail(owner)).qrCode).toBe(`data:image/png;base64,${picture.toString('base64')}`);
  const photo = await sharp(picture).jpeg({ quality: 80 }).toBuffer();
  await upload(photo, admin);
  expect((await detail(owner)).qrCode).toMatch(/^data:image\/jpeg;base64,/);
});

test('the pictures of one user are read one at a time', async () => {
  const picture = (await png(`upi://pay?pa=${VPA}`)).toString('base64');
  const send = (viewer = owner) => uploadQrCode(node.platform, viewer, { id, picture });
  const answers = await Promise.all([send(), send(), send(), send(admin)]);
  const isBusy = (answer: object) => 'code' in answer && answer.code === 'tooMany';
  expect(answers.slice(0, 3).filter(isBusy)).toHaveLength(2);
  expect(answers.filter((answer) => !isBusy(answer))).toEqual([{}, {}]);
  expect(await send()).toEqual({});
});

test('a code may hold the bare address or number, also of a wallet or a chain', async () => {
  await upload(await png(VPA));
  const address = 'TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFh';
  const chain = { accountNumber: address, vpa: null };
  expect(
    [` ${address}\n`, address.toLowerCase(), `tron:${address}?to=other`].map((text) => pays(text, chain)),
  ).toEqual([true, false, false]);
  const till = { accountNumber: '5712345', vpa: null };
  expect(['5712345', '57123456', 'upi://pay?pa=5712345'].map((text) => pays(text, till))).toEqual([
    true,
    false,
    false,
  ]);
});

test('others see a code of the masked link, and the whole picture only for a reason', async () => {
  await upload(await png(`upi://pay?pa=${VPA}`));
  const shown = await detail(admin);
  expect(shown).toMatchObject({ masked: true, link: expect.stringContaining('pa=a***@okhdfcbank') });
  const reveal = { id, field: 'qrCode', reason: 'payer cannot scan it' };
  const { value } = await ask(node.platform, admin, contract.revealAccount, reveal);
  expect(value).toBe((await detail(owner)).qrCode);
});

test.each([
  ['otherPayee', () => png('upi://pay?pa=somebody.else@okaxis&pn=Asha%20Rao')],
  // The right address stands only in the note.
  ['otherPayee', () => png(`upi://pay?pa=thief@okaxis&tn=${VPA}`)],
  // A link that we do not read, though some app may.
  ['otherPayee', () => png(`upi:pay?pa=thief@okaxis&tn=${VPA}`)],
  ['otherPayee', () => png(`upi://pay/?pa=thief@okaxis&tn=${VPA}`)],
  ['otherPayee', () => png(`upi://mandate?pa=thief@okaxis&tn=${VPA}`)],
  ['otherPayee', () => png(`phonepe://pay?pa=thief@okaxis&tn=${VPA}`)],
  ['otherPayee', () => png(`https://pay.example/?to=${VPA}`)],
  ['otherPayee', () => png(`${VPA} or thief@okaxis`)],
  // Two payees, however the second is written.
  ['otherPayee', () => png(`upi://pay?pa=${VPA}&pa=thief@okaxis`)],
  ['otherPayee', () => png(`upi://pay?pa=${VPA}&PA=thief@okaxis`)],
  ['otherPayee', () => png(`upi://pay?pn=Asha;pa=thief@okaxis&pa=${VPA}`)],
  ['otherPayee', () => png(`upi://pay?%70a=thief@okaxis&pa=${VPA}`)],
  [
    'noQrCode',
    () =>
      sharp({ create: { width: 64, height: 64, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
  ],
  ['notAPicture', async () => Buffer.from('GIF89a, says its name .png')],
  ['notAPicture', async () => Buffer.from('ffd8ffe0000000000000', 'hex')],
  ['tooLarge', async () => bombOf(60_000)],
])('%s', async (reason, picture) => {
  expect(await refusedFor(await picture())).toBe(reason);
});

/** A PNG whose header claims so many pixels a side. */
async function bombOf(side: number): Promise<Buffer> {
  const picture = Buffer.from(await png('x'));
  picture.writeUInt32BE(side, 16);
  picture.writeUInt32BE(side, 20);
  return picture;
}

/** A PNG of these chunks. */
function pngOf(...chunks: (readonly [type: string, data: Buffer])[]): Buffer {
  const parts = chunks.map(([type, data]) => {
    const [length, sum, named] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), data])];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  });
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** A header with eight bits a colour. */
function headerOf(side: number, isInterlaced: boolean): readonly [string, Buffer] {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, isInterlaced ? 1 : 0]);
  data.writeUInt32BE(side, 0);
  data.writeUInt32BE(side, 4);
  return ['IHDR', data];
}

test('data beyond the size in the header is not read; a second header, or a file cut off, is no picture', async () => {
  const bytes = (count: number) => ['IDAT', deflateSync(Buffer.alloc(count))] as const;
  const end = ['IEND', Buffer.alloc(0)] as const;
  // 192 bytes of pixels and one byte for each of the passes' 15 rows: all of it is read, and it holds no code.
  for (const count of [192 + 15, 64 * 1024 * 1024])
    expect(await readQrPicture(pngOf(headerOf(8, true), bytes(count), end))).toBe('noQrCode');
  const twoHeaders = pngOf(headerOf(8, false), headerOf(8, true), bytes(64 * 1024 * 1024), end);
  expect(await readQrPicture(twoHeaders)).toBe('notAPicture');
  const whole = await png(`upi://pay?pa=${VPA}`);
  expect(await readQrPicture(whole.subarray(0, whole.length / 2))).toBe('notAPicture');
});

test.each(['svg', 'gif', 'webp', 'tiff'] as const)(
  'where strangers’ pictures are read, a %s meets no reader',
  async (format) => {
    const raw = { width: 4, height: 4, channels: 3 } as const;
    const picture =
      format === 'svg'
        ? Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>')
        : await sharp(Buffer.alloc(48), { raw }).toFormat(format).toBuffer();
    await expect(sharp(picture).metadata()).rejects.toThrow('unsupported image format');
  },
);

test('a picture of more than 512 KiB is refused by the contract and is not decoded', async () => {
  expect(await readQrPicture(Buffer.concat([await png('x'), Buffer.alloc(512 * 1024)]))).toBe('tooLarge');
  const picture = Buffer.alloc(512 * 1024 + 3).toString('base64');
  expect(contract.uploadQrCode.input.safeParse({ id, picture }).error?.issues[0]?.path).toEqual(['picture']);
});

test('without the uploaded picture, the code is made from the fields again', async () => {
  await upload(await png(`upi://pay?pa=${VPA}`));
  const before = (await detail(owner)).qrCode;
  await ask(node.platform, owner, contract.removeQrCode, { id });
  expect((await detail(owner)).qrCode).not.toBe(before);
});

test('a reveal shows one value for a reason and is audited; suppliers, merchants and maintenance may not', async () => {
  const { platform } = node;
  const reveal = (viewer: Viewer, field: string) =>
    ask(platform, viewer, contract.revealAccount, { id, field, reason: 'payer disputes the name' });
  const service = viewerOf(platform, { role: 'customerService' });
  expect(await reveal(service, 'vpa')).toEqual({ value: VPA });
  expect((await reveal(admin, 'accountNumber')).value).toMatch(/^\d{14}$/);
  const rows = await platform.db.query(sql`
    select user_id as "userId", after, reason from audit_log where subject = ${`account:${id}`} and action = 'account.reveal' order by id desc limit 2`);
  expect(rows).toMatchObject([
    { userId: admin.userId, after: { field: 'accountNumber' }, reason: 'payer disputes the name' },
    { userId: service.userId, after: { field: 'vpa' } },
  ]);
  for (const viewer of [
    owner,
    viewerOf(platform, { role: 'merchant', merchantId: 1n }),
    viewerOf(platform, { role: 'technicalMaintenance' }),
  ]) {
    const refusal = await askRefused(platform, viewer, contract.revealAccount, {
      id,
      field: 'vpa',
      reason: 'x',
    });
    expect(refusal.code).toBe('forbidden');
  }
  expect(contract.revealAccount.input.safeParse({ id, field: 'vpa', reason: ' ' }).success).toBe(false);
});

test('a user of the desk is shown a limited number of values a day, then the admins are alerted', async () => {
  const { platform, clock } = node;
  const input = { id, field: 'vpa', reason: 'payer disputes the name' } as const;
  const { id: userId } = await makeUser(platform, { role: 'customerService' });
  const service = viewerOf(platform, { role: 'customerService', userId });
  for (let shown = 0; shown < REVEALS_A_DAY; shown += 1)
    await ask(platform, service, contract.revealAccount, input);
  expect(await askRefused(platform, service, contract.revealAccount, input)).toMatchObject({
    code: 'tooMany',
    data: { reason: 'revealsSpent' },
  });
  const alerted = async () => {
    await CAUSES.find(({ kind }) => kind === 'valuesRevealed')!.look(platform);
    return platform.db.query(
      sql`select subject from alerts where kind = 'valuesRevealed' and closed_at is null`,
    );
  };
  expect(await alerted()).toEqual([{ subject: String(userId) }]);
  clock.advance(DAY + 1);
  expect(await alerted()).toEqual([]);
  expect(await ask(platform, service, contract.revealAccount, input)).toEqual({ value: VPA });
});
