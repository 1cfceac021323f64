import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultTemplates } from '@sangam/server/evidence/templates/defaults/default-templates.ts';
import { compileTemplates, parseMessage } from '@sangam/server/evidence/templates/engine.ts';
import { groupedRupees, shortRupees } from './indian-format.ts';
import { simulatedBanks } from './sms-shape.ts';
import { writeNoise } from './write-noise.ts';
import { writeSms, type SmsRequest } from './write-sms.ts';

const compiled = compileTemplates(defaultTemplates);
const at = new Date('2026-04-05T20:15:30Z');

const base = {
  amountMinor: 12_345_678n,
  accountTail: '4512',
  balanceMinor: 98_765_432_10n,
  payerName: 'Asha Rao',
  payerVpa: 'asha.rao@okbank',
  at,
} as const;
const requests: SmsRequest[] = simulatedBanks.flatMap((bank) =>
  (['credit', 'debit'] as const).flatMap((direction) =>
    ['609512345678', 'UTIBN62026040500012345', undefined].flatMap((ref) =>
      [0, 1, 2, 3].map((variant) => ({
        bank,
        direction,
        ...base,
        ...(ref !== undefined && { ref }),
        variant,
      })),
    ),
  ),
);

/** A field that the text does not print must be absent; a printed one must be read as it was given. */
function expectRoundTrip(request: SmsRequest): void {
  const { sender, text } = writeSms(request);
  const result = parseMessage(compiled, { sender, text, receivedAt: new Date(request.at.getTime() + 5_000) });
  expect(result, text).toMatchObject({
    outcome: 'parsed',
    direction: request.direction,
    amountMinor: request.amountMinor,
  });
  if (result.outcome !== 'parsed') return;
  expect(request.accountTail.endsWith(result.accountTail ?? 'absent'), text).toBe(true);
  const printsBalance = /\bbal/i.test(text);
  expect(result.balanceMinor, text).toBe(printsBalance ? request.balanceMinor : undefined);
  expect(result.ref, text).toBe(
    request.ref !== undefined && text.includes(request.ref) ? request.ref : undefined,
  );
  const day = 24 * 3_600_000;
  expect(Math.abs((result.bankTime?.getTime() ?? 0) - request.at.getTime()), text).toBeLessThan(day);
}

describe('writeSms', () => {
  test.each(requests)('$bank $direction variant $variant ref $ref', expectRoundTrip);

  test('any amount, tail and balance is parsed as written (seed is printed on failure)', () => {
    const request = fc.record({
      bank: fc.constantFrom(...simulatedBanks),
      direction: fc.constantFrom('credit' as const, 'debit' as const),
      amountMinor: fc.bigInt(1n, 10n ** 11n),
      accountTail: fc.stringMatching(/^\d{4}$/),
      balanceMinor: fc.bigInt(0n, 10n ** 12n),
      ref: fc.stringMatching(/^6\d{11}$/),
      payerName: fc.constantFrom('Ravi Kumar', 'M/s Test Traders', 'A B'),
      at: fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
      variant: fc.nat(50),
    });
    fc.assert(fc.property(request, expectRoundTrip), { numRuns: 300 });
  }, 30_000);

  test('each bank has wordings with and without balance, with and without reference', () => {
    for (const bank of simulatedBanks) {
      const texts = requests
        .filter((request) => request.bank === bank)
        .map((request) => writeSms(request).text);
      expect(
        texts.some((text) => /609512345678|UTIBN6/.test(text)),
        bank,
      ).toBe(true);
      expect(new Set(texts).size, bank).toBeGreaterThanOrEqual(4);
    }
  });

  test('amounts are grouped the Indian way', () => {
    expect([100n, 99_999n, 100_000n, 10_000_000n, 1_234_567_890n].map(groupedRupees)).toEqual([
      '1.00',
      '999.99',
      '1,000.00',
      '1,00,000.00',
      '1,23,45,678.90',
    ]);
    expect([shortRupees(50_000n), shortRupees(50_050n)]).toEqual(['500', '500.50']);
  });
});

describe('writeNoise', () => {
  test('no noise is parsed as a movement (seed is printed on failure)', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true })), (stream) => {
        const { sender, text } = writeNoise(() => Number(stream.next().value));
        expect(parseMessage(compiled, { sender, text, receivedAt: at }).outcome, text).not.toBe('parsed');
      }),
      { numRuns: 300 },
    );
  });
});
