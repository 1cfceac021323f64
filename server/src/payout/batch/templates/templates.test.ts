import { templateFormat, type TemplateFormat } from '@sangam/contract/payout-templates.ts';
import { expect, test } from 'vitest';
import { DEFAULT_TEMPLATES } from './defaults.ts';
import { isProblems, readResult } from './read-result.ts';
import { type FileRow, modeOf, type PayingAccount, renderFile } from './render.ts';

const formatOf = (name: string): TemplateFormat =>
  DEFAULT_TEMPLATES.find((each) => each.name === name)!.format;

const PAY_AT = new Date('2026-11-16T08:30:00.000Z');

/**
 * The same three payouts for every bank: one within the bank whose name looks like a formula, a large one, one elsewhere with special
 * signs.
 */
const PAYEES = [
  {
    payeeName: '=Asha, "Rao"',
    payeeAccount: '001234567890',
    bank: 'own',
    payeeBank: 'Own Bank',
    amount: 1_500_00n,
  },
  {
    payeeName: 'Vikram Shah',
    payeeAccount: '50100123456789',
    bank: 'HDFX',
    payeeBank: 'Other',
    amount: 2_00_000_00n,
  },
  {
    payeeName: 'José\nDe–Souza',
    payeeAccount: '302010',
    bank: 'SBIN',
    payeeBank: 'State Bank',
    amount: 1_99_999_99n,
  },
] as const;

function fileOf(name: string, parameters: Record<string, string> = {}) {
  const found = formatOf(name);
  const format = { ...found, parameters: { ...found.parameters, ...parameters } };
  const bank = format.bank || 'YESB';
  const account: PayingAccount = {
    accountNumber: '777705000001',
    ifsc: `${bank}0000777`,
    ownerName: 'Sangam',
    currency: 'INR',
  };
  const rows = PAYEES.map(({ bank: payeeBankCode, ...payee }, index): FileRow => {
    const payeeIfsc = `${payeeBankCode === 'own' ? bank : payeeBankCode}0000${index + 1}AB`;
    const row = { ...payee, payeeIfsc, payeeVpa: null, row: index + 1, reference: `B80001R00${index + 1}` };
    return { ...row, mode: modeOf(format, account, row) ?? 'none' };
  });
  return renderFile(format, { account, payAt: PAY_AT, serial: 7, rows });
}

test.each(DEFAULT_TEMPLATES.map(({ name, format }) => [name, format] as const))(
  '%s is a valid template',
  (_, format) => {
    expect(templateFormat.parse(format)).toEqual(format);
  },
);

test('ICICI CIB', () => {
  expect(fileOf('ICICI CIB')).toEqual({
    fileName: 'ICICI_16112026_007.csv',
    content: [
      'PYMT_PROD_TYPE_CODE,PYMT_MODE,DEBIT_ACC_NO,BNF_NAME,BENE_ACC_NO,BENE_IFSC,AMOUNT,DEBIT_NARR,CREDIT_NARR,MOBILE_NUM,EMAIL_ID,REMARK,PYMT_DATE,REF_NO,ADDL_INFO1,ADDL_INFO2,ADDL_INFO3,ADDL_INFO4,ADDL_INFO5',
      "PAB_VENDOR,FT,777705000001,'=Asha Rao,001234567890,ICIC00001AB,1500.00,B80001R001,B80001R001,,,B80001R001,16-11-2026,B80001R001,,,,,",
      'PAB_VENDOR,RTGS,777705000001,Vikram Shah,50100123456789,HDFX00002AB,200000.00,B80001R002,B80001R002,,,B80001R002,16-11-2026,B80001R002,,,,,',
      'PAB_VENDOR,NEFT,777705000001,Jose De-Souza,302010,SBIN00003AB,199999.99,B80001R003,B80001R003,,,B80001R003,16-11-2026,B80001R003,,,,,',
      '',
    ].join('\r\n'),
  });
});

test('HDFC ENet: no header, 28 columns, read by a program: no apostrophe', () => {
  const { fileName, content } = fileOf('HDFC ENet', { clientCode: 'SANG' });
  expect(fileName).toBe('SANG1611.007');
  expect(content).toBe(
    [
      'I,,001234567890,1500.00,=Asha Rao,,,,,,,,,B80001R001,,,,,,,,,16/11/2026,,HDFC00001AB,Own Bank,,',
      'R,,50100123456789,200000.00,Vikram Shah,,,,,,,,,B80001R002,,,,,,,,,16/11/2026,,HDFX00002AB,Other,,',
      'N,,302010,199999.99,Jose De-Souza,,,,,,,,,B80001R003,,,,,,,,,16/11/2026,,SBIN00003AB,State Bank,,',
      '',
    ].join('\r\n'),
  );
});

test('Axis Bank', () => {
  const { fileName, content } = fileOf('Axis Bank');
  expect(fileName).toBe('AXIS_20261116_007.csv');
  expect(content.split('\r\n').slice(0, 3)).toEqual([
    'Debit Account Number,Transaction Amount,Transaction Currency,Beneficiary Name,Beneficiary Account Number,Beneficiary IFSC Code,Transaction Date,Payment Mode,Customer Reference Number,Beneficiary Nickname/Code,Bank Account Type,Debit Narration,Credit Narration,Beneficiary Address 1,Beneficiary Address 2,Beneficiary Address 3,City,State,Pin Code,Beneficiary Bank Name,Email Id 1,Email Id 2,Mobile Number,Add Info 1,Add Info 2,Add Info 3,Add Info 4,Add Info 5,Add Info 6',
    "777705000001,1500.00,INR,'=Asha Rao,001234567890,UTIB00001AB,16/11/2026,IFT,B80001R001,B80001R001,,B80001R001,B80001R001,,,,,,,Own Bank,,,,,,,,,",
    '777705000001,200000.00,INR,Vikram Shah,50100123456789,HDFX00002AB,16/11/2026,RTGS,B80001R002,B80001R002,,B80001R002,B80001R002,,,,,,,Other,,,,,,,,,',
  ]);
});

test('IDFC FIRST BLKPAY', () => {
  const { fileName, content } = fileOf('IDFC FIRST BLKPAY');
  expect(fileName).toBe('BLKPAY_20261116_007.csv');
  expect(content.split('\r\n').slice(0, 2)).toEqual([
    'Beneficiary Name,Beneficiary Account Number,IFSC,Transaction Type,Debit Account Number,Transaction Date,Amount,Currency,Beneficiary Email ID,Remarks,Custom Header - 1,Custom Header - 2,Custom Header - 3,Custom Header - 4,Custom Header - 5',
    "'=Asha Rao,001234567890,IDFB00001AB,IFT,777705000001,16/11/2026,1500.00,INR,,B80001R001,B80001R001,,,,",
  ]);
});

test('Union Bank: a file header, then rows without names', () => {
  const { fileName, content } = fileOf('Union Bank', { corpId: 'CORP9' });
  expect(fileName).toBe('CORP9_16112026_007.txt');
  expect(content.split('\r\n').slice(0, 3)).toEqual([
    'FILEHDR,CORP9,7,N,PAYOUT',
    'NEFT,UBIN0000777,777705000001,UBIN00001AB,001234567890,INR,1500.00,B80001R001,=Asha Rao,,B80001R001',
    'RTGS,UBIN0000777,777705000001,HDFX00002AB,50100123456789,INR,200000.00,B80001R002,Vikram Shah,,B80001R002',
  ]);
});

test('RazorpayX: IMPS where it takes the amount, a VPA by UPI', () => {
  const { fileName, content } = fileOf('RazorpayX bulk');
  expect(fileName).toBe('razorpayx_20261116_007.csv');
  expect(content.split('\n').slice(0, 2)).toEqual([
    'RazorpayX Account Number,Payout Amount (in Rupees),Payout Currency,Payout Mode,Payout Purpose,Payout Narration,Payout Reference Id,Fund Account Id,Fund Account Type,Fund Account Name,Fund Account Ifsc,Fund Account Number,Fund Account Vpa,Contact Type,Contact Name,Contact Email,Contact Mobile,Contact Reference Id',
    "777705000001,1500.00,INR,IMPS,payout,B80001R001,B80001R001,,bank_account,'=Asha Rao,YESB00001AB,001234567890,,customer,'=Asha Rao,,,",
  ]);
  const vpa = {
    payeeName: null,
    payeeAccount: null,
    payeeIfsc: null,
    payeeBank: null,
    payeeVpa: 'a@ybl',
    amount: 1_00n,
  };
  expect(modeOf(formatOf('RazorpayX bulk'), { ifsc: null }, vpa)).toBe('UPI');
  expect(modeOf(formatOf('ICICI CIB'), { ifsc: 'ICIC0000001' }, vpa)).toBeUndefined();
});

const read = (name: string, text: string) => {
  const rows = readResult(formatOf(name).result!, text);
  if (isProblems(rows)) throw new Error(JSON.stringify(rows));
  return rows.map(({ reference, amount, outcome, utr, reason }) => [reference, amount, outcome, utr, reason]);
};

test('ICICI’s report: words of status in any case, columns in any order, amounts grouped', () => {
  const text = [
    'UTR NO,status,Reference_No,AMOUNT,Rejection reason',
    'icicn52026111600000001,SUCCESS,B1R001,"1,23,456.50",',
    ',Rejected,B1R002,10,Account closed',
    'ICICN52026111600000003,Reversed,B1R003,5.5,Returned',
    ',In Progress,B1R004,7.00,',
  ].join('\n');
  expect(read('ICICI CIB', text)).toEqual([
    ['B1R001', 123_456_50n, 'completed', 'ICICN52026111600000001', null],
    ['B1R002', 10_00n, 'failed', null, 'Account closed'],
    ['B1R003', 5_50n, 'reversed', 'ICICN52026111600000003', 'Returned'],
    ['B1R004', 7_00n, 'inProgress', null, null],
  ]);
});

test('HDFC’s reverse file: no header, the upload’s columns and four more', () => {
  const { content } = fileOf('HDFC ENet', { clientCode: 'SANG' });
  const ends = [
    '16/11/2026,HDFCN52026111600000001,E,',
    '16/11/2026,,R,Invalid account',
    '16/11/2026,HDFCN52026111600000003,E,',
  ];
  const lines = content.trimEnd().split('\r\n');
  expect(read('HDFC ENet', lines.map((line, index) => `${line},${ends[index]}`).join('\r\n'))).toEqual([
    ['B80001R001', 1_500_00n, 'completed', 'HDFCN52026111600000001', null],
    ['B80001R002', 2_00_000_00n, 'failed', null, 'Invalid account'],
    ['B80001R003', 1_99_999_99n, 'completed', 'HDFCN52026111600000003', null],
  ]);
});

test('IDFC’s names the bank’s number, RazorpayX’s what it did not take: neither says that money arrived', () => {
  const idfc = 'Custom Header – 1,Reference Number,Amount\nB1R001,IDFBN52026111600000001,9.00\n';
  expect(read('IDFC FIRST BLKPAY', idfc)).toEqual([
    ['B1R001', 9_00n, 'inProgress', 'IDFBN52026111600000001', null],
  ]);
  const razorpay =
    'Payout Reference Id,Payout Amount (in Rupees),Payout Id,Error Description\nB1R001,9,pout_1,\nB1R002,8,,Invalid IFSC\n';
  expect(read('RazorpayX bulk', razorpay)).toEqual([
    ['B1R001', 9_00n, 'inProgress', null, null],
    ['B1R002', 8_00n, 'failed', null, 'Invalid IFSC'],
  ]);
});

const HEADER = 'Reference_no,Amount,STATUS,UTR NO,Rejection Reason';
test.each([
  ['no text', '', [[1, 'noHeader', '']]],
  ['an open quote', `${HEADER}\n"B1`, [[0, 'unreadable', '']]],
  ['a header alone', HEADER, [[0, 'empty', '']]],
  [
    'a column missing',
    'Reference_no,Amount,STATUS,Rejection Reason\nB1R001,1,Paid,',
    [[1, 'columnMissing', 'UTR NO']],
  ],
  ['an amount that is none', `${HEADER}\nB1R001,1.234,Paid,,`, [[2, 'amountUnreadable', '1.234']]],
  ['no amount', `${HEADER}\n\nB1R001,,Paid,,`, [[3, 'amountUnreadable', '']]],
  ['no reference', `${HEADER}\n,1,Paid,,`, [[2, 'referenceMissing', '']]],
  ['a word nobody knows', `${HEADER}\nB1R001,1,Perhaps,,`, [[2, 'statusUnknown', 'Perhaps']]],
])('%s is told with its row', (_, text, problems) => {
  const rows = readResult(formatOf('ICICI CIB').result!, text);
  expect(isProblems(rows) && rows.map(({ row, problem, detail }) => [row, problem, detail])).toEqual(
    problems,
  );
});

test('a placeholder nobody fills, and a result column by name without a header, are refused', () => {
  const format = formatOf('ICICI CIB');
  const wrong = {
    ...format,
    columns: [{ name: 'X', value: '{{nobody}}' }],
    result: { ...format.result!, leadRows: 0 },
  };
  const paths = templateFormat.safeParse(wrong).error?.issues.map((issue) => issue.path.join('.'));
  expect(paths).toContain('columns.0.value');
  expect(paths).toContain('result.reference');
});

test('words and headers of any script are told apart, and an empty status is no word', () => {
  const result = {
    ...formatOf('ICICI CIB').result!,
    status: '状态',
    reason: '原因',
    words: { completed: ['成功'], failed: ['失败', 'विफल'] },
  };
  const text = [
    'Reference_no,Amount,UTR NO,原因,状态',
    'B1R001,1,,,失败',
    'B1R002,1,,,विफल',
    'B1R003,1,,,成功',
  ].join('\n');
  const rows = readResult(result, text);
  expect(isProblems(rows) ? rows : rows.map(({ outcome }) => outcome)).toEqual([
    'failed',
    'failed',
    'completed',
  ]);
  expect(readResult(result, `${text}\nB1R004,1,,,`)).toEqual([
    { row: 5, problem: 'statusUnknown', detail: '' },
  ]);
});

test('a file with two columns of one name is refused: nobody knows which of them counts', () => {
  const text = 'Reference_no,Amount,STATUS,UTR NO,Rejection Reason,Status *\nB1R001,1,Rejected,,,Success';
  expect(readResult(formatOf('ICICI CIB').result!, text)).toEqual([
    { row: 1, problem: 'columnTwice', detail: 'STATUS' },
  ]);
});

test('a reason that only says that there is none is none: without a status column it would be a failure', () => {
  const text =
    'Payout Reference Id,Payout Amount (in Rupees),Payout Id,Error Description\nB1R001,9,pout_1,NA\nB1R002,8,pout_2,-\nB1R003,7,pout_3,null\n';
  expect(read('RazorpayX bulk', text).map(([, , outcome]) => outcome)).toEqual([
    'inProgress',
    'inProgress',
    'inProgress',
  ]);
});

test('a status that is a word of two outcomes, or of signs alone, is unknown', () => {
  const words = { completed: ['Processed', '***'], inProgress: ['PROCESSED.'], failed: ['Rejected'] };
  const text = `${HEADER}\nB1R001,1,Processed,,\nB1R002,1,***,,\nB1R003,1,Rejected,,`;
  expect(readResult({ ...formatOf('ICICI CIB').result!, words }, text)).toMatchObject([
    { row: 2, problem: 'statusUnknown' },
    { row: 3, problem: 'statusUnknown' },
  ]);
});
