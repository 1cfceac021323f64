import { describe, expect, test } from 'vitest';
import { defaultTemplates } from '../evidence/templates/defaults/default-templates.ts';
import { compileTemplates, parseMessage } from '../evidence/templates/engine.ts';
import { bankText } from './bank-text.ts';
import { BANKS, type CastBank } from './cast.ts';

const templates = compileTemplates(defaultTemplates);
const banks = Object.keys(BANKS) as CastBank[];
const movements = banks.flatMap((bank) =>
  (['credit', 'debit'] as const).map((direction) => ({ bank, direction })),
);

describe('bankText', () => {
  test.each(movements)(
    'what is stored of a $direction of $bank is what the templates read',
    ({ bank, direction }) => {
      const movement = {
        bank,
        direction,
        amount: 1_234_50n,
        tail: '4512',
        balanceAfter: 5_00_000_05n,
        reference: '632418128926',
        at: new Date('2026-11-20T12:43:10.250Z'),
      };
      const told = bankText(movement);
      const parsed = parseMessage(templates, {
        sender: told.sender,
        text: told.text,
        receivedAt: new Date(movement.at.getTime() + 2_000),
      });
      expect(parsed, told.text).toMatchObject({
        outcome: 'parsed',
        templateId: told.templateId,
        direction,
        amountMinor: movement.amount,
        accountTail: movement.tail,
        timePrecision: told.timePrecision,
        bankTime: told.bankTime,
      });
      if (parsed.outcome !== 'parsed') return;
      expect(parsed.ref ?? null, told.text).toBe(told.reference);
      expect(parsed.balanceMinor ?? null, told.text).toBe(told.balance);
    },
  );
});
