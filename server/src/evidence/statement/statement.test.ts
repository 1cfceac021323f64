import * as contract from '@sangam/contract/endpoints/bank-statement.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, askRefused } from '../../testing/ask.ts';
import { creditSms, createOne, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { receiveMessages } from '../matching/receive.ts';
import { compareStatement, type ReportedMovement } from './compare.ts';
import { dayOf, readStatement, type StatementLine } from './read-statement.ts';
import { compareApart, readApart } from './statement-work.ts';

describe('reading', () => {
  test('columns are found by the names banks give them, under whatever stands above', () => {
    const text = [
      'TEST BANK,,,,,,',
      'Account No : XX4821,,,,,,',
      'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
      '08/05/26,"UPI-A NAME-a@okbank-612812345601-PAY",0000612812345601,08/05/26,,"1,500.00","12,345.67"',
      '08/05/26,ATM WDL,,08/05/26,500.00,,"11,845.67"',
      ',,,,,,',
      'Closing,,,,,,"11,845.67"',
    ].join('\r\n');
    expect(readStatement(text, 'IN')).toEqual([
      {
        row: 4,
        day: '2026-05-08',
        narration: 'UPI-A NAME-a@okbank-612812345601-PAY',
        reference: '612812345601',
        direction: 'credit',
        amount: 150_000n,
        balance: 1_234_567n,
      },
      {
        row: 5,
        day: '2026-05-08',
        narration: 'ATM WDL',
        reference: null,
        direction: 'debit',
        amount: 50_000n,
        balance: 1_184_567n,
      },
    ]);
  });

  test('one amount with a side beside it', () => {
    const text =
      'Txn Date,Description,Amount (INR),Dr/Cr,Balance\n08-May-2026,NEFT SBIN426128123456 X,2000,CR,9000';
    expect(readStatement(text, 'IN')).toMatchObject([
      { direction: 'credit', amount: 200_000n, reference: 'SBIN426128123456' },
    ]);
  });

  test('a row that cannot be read is named, and the whole file is refused', () => {
    expect(readStatement('a,b\n1,2', 'IN')).toMatchObject([{ problem: 'statementColumns' }]);
    expect(readStatement('Date,Debit,Credit\nsoon,,5', 'IN')).toMatchObject([
      { row: 2, problem: 'dateUnreadable', detail: 'soon' },
    ]);
    expect(readStatement('Date,Debit,Credit\n08/05/26,5,5', 'IN')).toMatchObject([
      { row: 2, problem: 'bothSides' },
    ]);
    expect(readStatement('"never ends', 'IN')).toMatchObject([{ problem: 'unreadable' }]);
  });

  test.each(['1.500,00', '1500,00', '1,5,00', '1e3', '１５００', '5,000.00 *', '1,500.005'])(
    'an amount %s is told with its row, and not left out',
    (amount) => {
      const rows = ['Date,Debit,Credit', '08/05/26,,55', `08/05/26,,"${amount}"`, 'Total,Debits,Credits'];
      expect(readStatement(rows.join('\n'), 'IN')).toEqual([
        { row: 3, problem: 'amountUnreadable', detail: amount },
      ]);
    },
  );

  test('a side that is neither is told with its row: a way to pay is none', () => {
    const text = 'Date,Amount,Type\n08/05/26,5,Deposit\n08/05/26,5,NEFT\n08/05/26,5,Debit';
    expect(readStatement(text, 'IN')).toEqual([{ row: 3, problem: 'sideUnknown', detail: 'NEFT' }]);
    expect(readStatement(text.replace('NEFT', 'Cheque'), 'IN')).toMatchObject([{ row: 3 }]);
    expect(readStatement(text.replace('NEFT', '(Dr.)'), 'IN')).toMatchObject([
      { direction: 'credit' },
      { direction: 'debit' },
      { direction: 'debit' },
    ]);
  });

  test('a deposit that is negative was taken back; M-Pesa writes what was withdrawn with a minus', () => {
    const text =
      'Receipt No.,Completion Time,Details,Paid In,Withdrawn,Balance\nUG5QRTZHBW,2026-07-05 10:00:00,X,,-50.00,1\nUKGQWERTYZ,2026-11-16 10:00:00,X,-20.00,,1';
    expect(readStatement(text, 'KE')).toMatchObject([
      { direction: 'debit', amount: 50_00n, reference: 'UG5QRTZHBW' },
      { direction: 'debit', amount: 20_00n, reference: 'UKGQWERTYZ' },
    ]);
  });
});

describe('comparing', () => {
  const line = (fields: object) => ({
    row: 2,
    day: '2026-05-08',
    narration: '',
    reference: null,
    direction: 'credit' as const,
    amount: 100n,
    balance: null,
    ...fields,
  });
  const told = (messageId: bigint, fields: Partial<ReportedMovement>): ReportedMovement => ({
    messageId,
    orderId: null,
    day: '2026-05-08',
    direction: 'credit',
    amount: 100n,
    balance: null,
    reference: null,
    text: '',
    ...fields,
  });
  const outcomes = (lines: Parameters<typeof compareStatement>[0], messages: readonly ReportedMovement[]) =>
    compareStatement(lines, messages).map(({ outcome, messageId }) => [outcome, messageId]);

  test('a reference decides before an amount, and each message serves one line', () => {
    const lines = [line({}), line({ row: 3, reference: 'A12345678901' })];
    expect(outcomes(lines, [told(1n, { reference: 'A12345678901' })])).toEqual([
      ['missingHere', null],
      ['agrees', 1n],
    ]);
  });

  test('the same reference with another sum differs; another direction is another movement', () => {
    const lines = [line({ reference: 'A12345678901' })];
    expect(outcomes(lines, [told(1n, { reference: 'A12345678901', amount: 90n })])).toEqual([
      ['amountDiffers', 1n],
    ]);
    expect(outcomes(lines, [told(1n, { reference: 'A12345678901', direction: 'debit' })])).toEqual([
      ['missingHere', null],
      ['missingAtBank', 1n],
    ]);
  });

  test('of several alike the balance decides, then the day; two references that differ never agree', () => {
    const lines = [line({ balance: 700n })];
    expect(outcomes(lines, [told(1n, { balance: 600n }), told(2n, { balance: 700n })])[0]).toEqual([
      'agrees',
      2n,
    ]);
    expect(outcomes([line({})], [told(1n, { day: '2026-05-09' }), told(2n, {})])[0]).toEqual(['agrees', 2n]);
    const other = outcomes([line({ reference: 'A12345678901' })], [told(1n, { reference: 'B12345678901' })]);
    expect(other[0]).toEqual(['missingHere', null]);
  });

  test('messages of days the statement does not show are not missing at the bank', () => {
    expect(outcomes([line({})], [told(1n, {}), told(2n, { day: '2026-05-09' })])).toEqual([['agrees', 1n]]);
  });
});

describe('importing', () => {
  let node: TestPlatform;
  let shop: Shop;
  let viewer: Viewer;
  beforeAll(async () => {
    node = await createTestPlatform();
    shop = await makeShop(node.platform);
    const { id } = await makeUser(node.platform, { role: 'superAdmin' });
    viewer = { ...viewerOf(node.platform, { role: 'superAdmin' }), userId: id };
  });
  afterAll(() => node.close());

  test('an account’s statement shows what agrees, what is missing here and what the bank does not know', async () => {
    const { platform } = node;
    const order = await createOne(platform, shop.merchantId, { amount: 431_00n });
    await receiveMessages(platform, shop.monitor, [
      creditSms(platform, shop, order.payable!, { reference: '632512345678' }),
      creditSms(platform, shop, 99_50n, { reference: '632512345679' }),
    ]);
    const [year, month, day] = dayOf(node.clock.now(), 'IN').split('-');
    const date = `${day}/${month}/${year}`;
    const csv = `Date,Description,Ref No,Debit,Credit,Balance\n${date},UPI,632512345678,,${Number(order.payable) / 100},1\n${date},UPI,632512345670,,55,1\n`;
    const file = { fileName: 'may.csv', content: Buffer.from(csv).toString('base64') };
    const input = { resourceId: String(shop.accountId), file };
    const { importId, counts } = await ask(platform, viewer, contract.importBankStatement, input);
    expect(counts.map(({ outcome, count }) => [outcome, count])).toEqual([
      ['agrees', 1],
      ['amountDiffers', 0],
      ['missingHere', 1],
      ['missingAtBank', 1],
    ]);
    const { list } = await ask(platform, viewer, contract.getBankStatementImportLines, { importId });
    expect(list).toMatchObject([
      { row: 2, outcome: 'agrees', orderCode: String(order.id) },
      { row: 3, outcome: 'missingHere', amount: 5500, messageId: null },
      { row: null, outcome: 'missingAtBank', amount: 9950, reference: '632512345679' },
    ]);
    expect((await ask(platform, viewer, contract.getBankStatementImportList)).list).toMatchObject([
      { id: importId, agrees: 1, missingHere: 1, missingAtBank: 1, fileName: 'may.csv' },
    ]);

    const other = await makeShop(platform);
    const stranger = {
      ...viewerOf(platform, { role: 'supplier', supplierId: other.supplierId }),
      userId: viewer.userId,
    };
    expect((await askRefused(platform, stranger, contract.importBankStatement, input)).code).toBe('notFound');
    expect(
      (await askRefused(platform, stranger, contract.getBankStatementImportLines, { importId })).code,
    ).toBe('notFound');
    const headless = { ...input, file: { ...file, content: Buffer.from('a,b\n1,2').toString('base64') } };
    const reader = { ...viewer, locale: 'zh-CN' as const };
    const refused = await askRefused(platform, reader, contract.importBankStatement, headless);
    const [{ problem: told }] = (refused.data as { rows: [{ problem: string }] }).rows;
    expect(told.startsWith('未找到对账单的列：需要日期')).toBe(true);
    const picture = { ...input, file: { ...file, fileName: 'may.png' } };
    expect((await askRefused(platform, viewer, contract.importBankStatement, picture)).code).toBe(
      'wrongFileType',
    );
  });

  test('files are read and compared in another thread, one per user at a time; others wait their turn', async () => {
    const { platform } = node;
    const { id: other } = await makeUser(platform, { role: 'superAdmin' });
    const text = 'Date,Debit,Credit\n08/05/26,,5';
    const lines = readStatement(text, 'IN') as StatementLine[];
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const pieces: readonly ((userId: bigint) => Promise<object>)[] = [
      (userId) => readApart(platform, userId, text, 'IN'),
      (userId) => compareApart(platform, userId, lines, []),
    ];
    for (const work of pieces) {
      turns = 0;
      const [one, again, another] = await Promise.all([viewer.userId, viewer.userId, other].map(work));
      // On the node's main thread no call would wait for another, and no timer would run meanwhile.
      expect(again).toMatchObject({ code: 'tooMany' });
      expect([one, another]).toMatchObject([[{ amount: 500n }], [{ amount: 500n }]]);
      expect(turns).toBeGreaterThan(1);
    }
    clearInterval(timer);
  });
});
