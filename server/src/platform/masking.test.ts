import { expect, test } from 'vitest';
import { maskAccountNumber, maskName, maskPayee, maskText, maskVpa } from './masking.ts';

test('account numbers keep their last four digits, VPAs their first character and bank', () => {
  expect(maskAccountNumber('50100123456789')).toBe('**** 6789');
  expect(maskVpa('merchant.store.98765@hdfcbank')).toBe('m***@hdfcbank');
});

test.each([
  ['by 9000000001_axl. Total Bal:Rs.33438.48CR', 'by *******001_axl. Total Bal:Rs.33438.48CR'],
  ['Not you? SMS BLOCKCARD XX0192 to +919951860002', 'Not you? SMS BLOCKCARD XX0192 to *******002'],
  ['SMS BLOCK 9646 to 919951860002, if not you', 'SMS BLOCK 9646 to *******002, if not you'],
  ['or 09449112211 to block', 'or *******211 to block'],
  ['from JANE DOE 0712345678 on 5/10/25', 'from JANE DOE *******678 on 5/10/25'],
  ['from JANE DOE 254712345678 on 5/10/25', 'from JANE DOE *******678 on 5/10/25'],
  ['to VPA john.doe123@okbank.Ref No 987654321098.', 'to VPA j***@okbank.Ref No 987654321098.'],
  [
    'PhonePe/Q12345444@ybl/YESB0YBLUPI/4172120251128000100004392',
    'PhonePe/Q***@ybl/YESB0YBLUPI/4172120251128000100004392',
  ],
  [
    'A/cX9709 credited by Rs519 on 03Dec23 (Ref no 333785625735)',
    'A/cX9709 credited by Rs519 on 03Dec23 (Ref no 333785625735)',
  ],
  ['Rs.9876543210.50 credited', 'Rs.9876543210.50 credited'],
  ['UPI-632012345678 from 9812345678@ybl', 'UPI-632012345678 from 9***@ybl'],
])('masks phones and VPAs in %j, amounts and references stay', (text, masked) => {
  expect(maskText(text, null)).toBe(masked);
});

test.each([
  ['UPI/.first@ybl-second.one@okaxis', 'UPI/.f***@ybl-s***@okaxis'],
  ['a@1.example @b ..@c', 'a@1.example @b ..@c'],
])('every VPA of %j, and nothing else', (text, masked) => {
  expect(maskText(text, null)).toBe(masked);
});

test.each(['a', '7', '.', '-a', 'a@', '+91', '0'])(
  'a text of 300,000 letters without a space, all %j, is masked in the time of any other',
  (letters) => {
    const long = letters.repeat(300_000 / letters.length);
    expect(maskText(`${long} x.y@ybl`, null).endsWith(' x***@ybl')).toBe(true);
    expect(maskName(`${long} Rao`)).toMatch(/ R\*\*\*$/);
  },
);

test.each([
  ['Ravi Kumar 50100012345678', 'R*** K*** **** 5678'],
  ['王小明 6222020200012345678', '王*** **** 5678'],
  ['Asha, IFSC HDFC0001234, a/c 5010-0012', 'A***, I*** H***1234, a***/c*** **** 0012'],
  ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'T***bLSE'],
  ['anna@okbank 12', 'a***@o*** ***'],
])('the payee %j is masked word by word', (payee, masked) => {
  expect(maskPayee(payee)).toBe(masked);
});

test('the reference of the message itself stays, even when it looks like a phone number', () => {
  expect(maskText('Txn ID 9876543210 from 9812345678', '9876543210')).toBe(
    'Txn ID 9876543210 from *******678',
  );
  expect(maskText('Ref 919876543210.', '919876543210')).toBe('Ref 919876543210.');
});
