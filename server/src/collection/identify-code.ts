import { randomInt } from 'node:crypto';

// No vowels and no 0/O, 1/I: read aloud and typed into a remark field without mistakes.
const LETTERS = '23456789BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Finds our codes in a bank's text. */
export const IDENTIFY_CODE = /\bS[2-9BCDFGHJKLMNPQRSTVWXZ]{8}\b/g;

/** Our order key in UPI's `tr` and in transfer remarks. Unique among waiting orders by index. */
export function newIdentifyCode(): string {
  let code = 'S';
  for (let i = 0; i < LENGTH; i += 1) code += LETTERS[randomInt(LETTERS.length)];
  return code;
}
