import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultTemplates } from './defaults/default-templates.ts';
import { compileTemplates, parseMessage, PROMOTIONAL_SENDER, type ParseResult } from './engine.ts';
import { formatMinor, isWholeNumber, parseMinor } from './fields.ts';
import { MAX_TEXT_LENGTH, normaliseText, parseSender } from './normalise.ts';
import { parseBankTime } from './bank-time.ts';
import type { MessageTemplate } from './template.ts';
import { validateTemplate } from './validate.ts';

const receivedAt = new Date('2026-04-06T06:00:00Z');
const compiled = compileTemplates(defaultTemplates);
const parse = (sender: string, text: string): ParseResult =>
  parseMessage(compiled, { sender, text, receivedAt });

const credit =
  'Rs.2,000.00 credited to HDFC Bank A/c XX4512 on 04-04-26 from VPA a.name@okbank (UPI 609412345690)';

const own: MessageTemplate = {
  id: 'own-credit',
  bank: 'Own',
  country: 'IN',
  currency: 'INR',
  senderHeaders: ['OWNBNK'],
  rule: 'credit',
  pattern: String.raw`got (?P<amount>\d+) in (?P<account>[x\d]+)`,
  priority: 600,
  kind: 'account',
  enabled: true,
  samples: [{ text: 'Got 500 in XX1234', expected: { amount: '500.00', account: '1234' } }],
};

describe('sender', () => {
  test.each([
    ['VM-HDFCBK', { type: 'header', header: 'HDFCBK' }],
    ['vm-hdfcbk-s', { type: 'header', header: 'HDFCBK', suffix: 'S' }],
    ['MPESA', { type: 'header', header: 'MPESA' }],
    ['SBI Card', { type: 'header', header: 'SBICARD' }],
    ['9876543210', { type: 'other' }],
    ['+919876543210', { type: 'other' }],
    ['AD-1234567', { type: 'other' }],
    ['HDFC_BK', { type: 'other' }],
    ['', { type: 'other' }],
  ])('%s', (sender, expected) => expect(parseSender(sender)).toEqual(expected));

  test('the header is matched exactly, never by its parts', () => {
    expect(parse('VM-HDFCBK-S', credit).outcome).toBe('parsed');
    for (const sender of ['VM-XHDFCBK', 'VM-HDFCBKX-S', '9876543210', '+919876543210', 'HDFCBK-VM']) {
      expect(parse(sender, credit).outcome).toBe('unparsed');
    }
  });

  test('an unknown header yields a proposal, a phone number none', () => {
    expect(parse('VM-NEWBNK-S', credit)).toMatchObject({
      outcome: 'unparsed',
      proposal: { direction: 'credit', amountMinor: 200_000n },
    });
    expect(parse('9876543210', credit)).toEqual({ outcome: 'unparsed' });
  });

  test('promotional traffic is never a payment', () => {
    expect(parse('VM-HDFCBK-P', credit)).toEqual({
      outcome: 'ignored',
      templateId: PROMOTIONAL_SENDER,
      reason: 'promo',
    });
  });
});

describe('parseMessage', () => {
  test('reads every field of a full message', () => {
    const text =
      'INR 4,000.00 credited to your A/c XX2205 on 12-04-26 at 10:20:30 by UPI from ASHA TEST, VPA asha.t@okbank. UPI Ref No 610212345678. Info: ORDER 7731. Avl Bal INR 1,06,000.50';
    expect(parse('AX-CANBNK-S', text)).toEqual({
      outcome: 'parsed',
      templateId: 'in-credit-to-your-account',
      direction: 'credit',
      amountMinor: 400_000n,
      currency: 'INR',
      kind: 'account',
      accountTail: '2205',
      balanceMinor: 10_600_050n,
      ref: '610212345678',
      refFamily: 'UPI',
      payer: 'ASHA TEST',
      vpa: 'asha.t@okbank',
      remark: 'ORDER 7731',
      bankTime: new Date('2026-04-12T04:50:30Z'),
      timePrecision: 'second',
    });
  });

  test('M-Pesa is read in Nairobi time and shillings', () => {
    const text =
      'TDA1B2C3D4 Confirmed.You have received Ksh1,250.00 from ASHA TEST 0700000001 on 5/4/26 at 6:34 PM New M-PESA balance is Ksh2,123.11.';
    expect(parse('MPESA', text)).toMatchObject({
      outcome: 'parsed',
      currency: 'KES',
      refFamily: 'MPESA',
      payer: 'ASHA TEST',
      bankTime: new Date('2026-04-05T15:34:00Z'),
      timePrecision: 'minute',
    });
  });

  test.each([
    [
      'debited … and credited to another',
      'Rs 918 debited from A/C XX4410 and credited to A/c XX7777',
      'debit',
      '4410',
    ],
    [
      'account debited; shop credited',
      'ICICI Bank Acct XX123 debited for Rs 500 on 04-Apr-26; A SHOP credited',
      'debit',
      '123',
    ],
    [
      'credited … and debited from another',
      'Your a/c no. XX1212 is credited for Rs.10 on 24-04-26 and debited from a/c no. XX3434',
      'credit',
      '1212',
    ],
    [
      'sender account printed first',
      'Rs 5,000 credited by NEFT from A/c XX9999 of TEST LTD to your A/c XX2205',
      'credit',
      '2205',
    ],
    ['Cr. to a VPA inside a debit', 'Rs.71.52 Dr. from A/C XX1236 and Cr. to shop@okbank', 'debit', '1236'],
  ])('direction belongs to the own account: %s', (_, text, direction, accountTail) => {
    expect(parse('AX-CANBNK', text)).toMatchObject({ outcome: 'parsed', direction, accountTail });
  });

  test('a date in a name or remark does not become the time of the payment', () => {
    const time = (text: string): string | undefined => {
      const result = parse('AX-CANBNK', text);
      return result.outcome === 'parsed' ? (result.bankTime?.toISOString() ?? 'none') : undefined;
    };
    const credited = 'Rs 10 credited to your A/c XX1234';
    expect(time(`${credited} on 05-04-26. Info: PAID 2026-01-01 10:10:10`)).toBe('2026-04-04T18:30:00.000Z');
    expect(time(`${credited} on 05-04-26. Remark: 2026-01-01 10:10:10`)).toBe('2026-04-04T18:30:00.000Z');
    expect(time(`${credited} from A 2026-01-01 10:10:10 on 05-04-26`)).toBe('none');
  });

  test('a limit is no balance, available comes before total, DR is negative', () => {
    const balance = (rest: string): bigint | undefined => {
      const result = parse('AX-CANBNK', `Rs 10 debited from A/c XX1234. ${rest}`);
      return result.outcome === 'parsed' ? result.balanceMinor : undefined;
    };
    expect(balance('Avl Lmt INR 5,000.00')).toBeUndefined();
    expect(balance('Total Bal:Rs.900CR. Avlbl Amt:Rs.800')).toBe(80_000n);
    expect(balance('Avl Bal Rs 20.5 DR')).toBe(-2_050n);
    expect(balance('Avl Bal INR 1xxx')).toBeUndefined();
  });

  test('an amount cut in two is no amount', () => {
    for (const amount of ['15,OOO', '1.234', '0', '0.00']) {
      expect(parse('AX-CANBNK', `Rs ${amount} credited to your A/c XX1234`).outcome, amount).not.toBe(
        'parsed',
      );
    }
  });

  test('a one-time password is discarded, a warning about passwords is not one', () => {
    expect(parse('AX-CANBNK', '551290 is your OTP for Rs 500 from A/c XX1234')).toEqual({ outcome: 'otp' });
    expect(parse('9876543210', 'Your OTP is 551290')).toEqual({ outcome: 'otp' });
    expect(
      parse('AX-CANBNK', 'Rs 500 debited from A/c XX1234. Never share OTP. Avl bal is 12345.').outcome,
    ).toBe('parsed');
  });

  test('long text is cut before matching', () => {
    const text = `${'a/c xx1 rs 5 credited on '.repeat(400)}${credit}`;
    expect(normaliseText(text).length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
    expect(parse('VM-HDFCBK', text)).toMatchObject({
      outcome: 'parsed',
      direction: 'credit',
      amountMinor: 500n,
    });
  });

  test('any text gets an outcome, and no movement without a bank sender (seed is printed on failure)', () => {
    const word = fc.constantFrom(
      'Rs',
      '500',
      'credited',
      'debited',
      'A/c',
      'XX1234',
      'to',
      'your',
      'from',
      'Avl Bal',
      'OTP',
      'is',
      '.',
      ',',
      'ref',
      '\u20b9',
      '\u00a0',
      '𝟓',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(' ')),
        ),
        (text) => {
          parse('AX-CANBNK', text);
          expect(parse('9876543210', text).outcome).not.toBe('parsed');
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('fields', () => {
  test('amounts survive printing and reading', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), (minor) => parseMinor(formatMinor(minor)) === minor),
    );
    expect(parseMinor('0,12,345.67')).toBe(1_234_567n);
    expect(parseMinor('413940.4')).toBe(41_394_040n);
    expect(parseMinor('12x')).toBeUndefined();
    expect(parseMinor('9'.repeat(15))).toBe(10n ** 17n - 100n);
    expect(parseMinor('9'.repeat(16))).toBeUndefined();
  });

  test('a number ends where the pattern stops', () => {
    expect(isWholeNumber('500credited', 0, 3)).toBe(true);
    expect(isWholeNumber('5000.00,20-02-2026', 0, 7)).toBe(true);
    expect(isWholeNumber('5000.00,20.02.2026', 0, 7)).toBe(true);
    expect(isWholeNumber('5000.00,20 Feb', 0, 7)).toBe(true);
    expect(isWholeNumber('11,753.11,753.11 on', 0, 9)).toBe(false);
    expect(isWholeNumber('11,753.11,753 on', 0, 9)).toBe(false);
    expect(isWholeNumber('1,23,4567', 0, 4)).toBe(false);
  });

  test.each([
    ['07/08/25', '2025-08-06T18:30:00Z', 'day'],
    ['13Sep25', '2025-09-12T18:30:00Z', 'day'],
    ['13-09-2025 11:02', '2025-09-13T05:32:00Z', 'minute'],
    ['2026-01-31:05:20:26', '2026-01-30T23:50:26Z', 'second'],
    ['2025:11:05 10:43:12', '2025-11-05T05:13:12Z', 'second'],
    ['24-08-2025 06:17:25 pm', '2025-08-24T12:47:25Z', 'second'],
    ['27NOV at 06.33.02', '2025-11-27T01:03:02Z', 'second'],
    ['March 19, 2025', '2025-03-18T18:30:00Z', 'day'],
    ['31-12', '2025-12-30T18:30:00Z', 'day'],
  ])('bank time %s', (printed, at, precision) => {
    expect(parseBankTime(printed, 'IN', receivedAt)).toEqual({ at: new Date(at), precision });
  });

  test('impossible dates are no dates', () => {
    for (const printed of ['31-02-2026', '10.15.30', 'soon'])
      expect(parseBankTime(printed, 'IN', receivedAt)).toBeUndefined();
  });
});

describe('templates', () => {
  test('an edited template works once compiled, and not when disabled', () => {
    const message = { sender: 'AX-OWNBNK-S', text: 'Got 500 in XX1234', receivedAt };
    expect(parseMessage(compileTemplates([own]), message)).toMatchObject({
      outcome: 'parsed',
      templateId: 'own-credit',
      amountMinor: 50_000n,
    });
    expect(parseMessage(compileTemplates([{ ...own, enabled: false }]), message).outcome).toBe('unparsed');
    expect(parseMessage(compileTemplates([{ ...own, suffixes: ['T'] }]), message).outcome).toBe('unparsed');
  });

  test.each<[string, Partial<MessageTemplate>, RegExp]>([
    ['a pattern RE2 refuses', { pattern: '(?=x)(?P<amount>1)' }, /pattern: error parsing/],
    ['no amount', { pattern: 'got' }, /needs the group amount/],
    ['an unknown group', { pattern: '(?P<amount>1)(?P<when>2)' }, /unknown group when/],
    ['a movement from anybody', { senderHeaders: ['*'] }, /ignore and otp only/],
    ['no samples', { samples: [] }, /samples: at least one/],
    [
      'a sample that reads otherwise',
      { samples: [{ text: 'Got 500 in XX1234', expected: { amount: '501.00', account: '1234' } }] },
      /amount is 500.00, expected 501.00/,
    ],
    [
      'a sample with an invented field',
      { samples: [{ text: 'Got 500 in XX1234', expected: { amount: '500.00' } }] },
      /account is 1234, expected absent/,
    ],
    ['ignore without a reason', { rule: 'ignore' }, /reason/],
    [
      'a pattern that explodes',
      { pattern: String.raw`(?P<amount>\d)(?:${'(?:abcdefghij){90}'.repeat(20)})?` },
      /too large/,
    ],
  ])('refused: %s', (_, change, error) => {
    expect(validateTemplate({ ...own, ...change }).join('\n')).toMatch(error);
  });

  test('compileTemplates names the template that fails', () => {
    expect(() => compileTemplates([{ ...own, pattern: '(' }])).toThrow(
      'message template own-credit does not compile',
    );
  });
});
