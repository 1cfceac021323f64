import { randomInt } from 'node:crypto';

// No vowels and no 0/O, 1/I: a payer can hear the code and type it into a remark field without mistakes.
const LETTERS = '23456789BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Finds our identify codes in a bank's text. */
export const IDENTIFY_CODE = /\bS[2-9BCDFGHJKLMNPQRSTVWXZ]{8}\b/g;

/** The identify code of an order: used in UPI's `tr` and in transfer remarks. A unique index keeps it unique among waiting orders. */
export function newIdentifyCode(): string {
  let code = 'S';
  for (let i = 0; i < LENGTH; i += 1) code += LETTERS[randomInt(LETTERS.length)];
  return code;
}
