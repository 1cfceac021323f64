import { AMOUNT } from './defaults/fragments.ts';
import { parseMinor } from './fields.ts';
import { search, sharedPattern, type Line } from './search.ts';
import type { Direction } from './template.ts';

const MONEY = sharedPattern(AMOUNT);
const STATED = /\b(?:credited|debited|sent|paid|transferred)\b/i;
const NAMES_SOMEBODY = /\b(?:from|frm|by)\b/i;
const SENT = /\b(?:sent|paid|transferred|remitted) (?:you )?$/i;

/**
 * Whether strangers may have written what was read as the movement. Banks print names and remarks, and these may say anything. But a bank
 * states its movement once, and before it no other sum. A sum that comes later is a stranger's, unless the bank names the payer first:
 * 'transfer from A NAME for Rs 5 …', 'A NAME has sent Rs 5 …'.
 */
export function isDoubtful(
  { direction, start, amountMinor }: { direction: Direction; start: number; amountMinor: bigint },
  line: Line,
): boolean {
  const before = line.text.slice(0, start);
  if (STATED.test(before)) return true;
  const isNamed = NAMES_SOMEBODY.test(before);
  for (const { start: at, fields } of search(MONEY, line)) {
    if (at < start) return true;
    if (parseMinor(fields.get('amount')!.text) === amountMinor) continue;
    if (isNamed || (direction === 'credit' && SENT.test(line.text.slice(start, at)))) return true;
  }
  return false;
}
