import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import { refuse, type Refusal } from '../platform/refusal.ts';

/** Words every attacker tries first on us, beside the lists of common passwords. */
const OWN_WORDS = ['sangam', 'payment', 'payout', 'merchant', 'supplier', 'admin'];
/** zxcvbn's scale of 0 to 4: 0 and 1 fall to fewer than a million guesses. */
const LEAST_SCORE = 2;

let estimator: ZxcvbnFactory | undefined;

/** The lists cost 60 ms and some megabytes, which nodes where nobody sets a password need not spend. */
function check(password: string, words: readonly string[]): number {
  estimator ??= new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  return estimator.check(password, [...words]).score;
}

/** Why a password must not be set: it is common, a pattern, or made of the account's own name. */
export function passwordProblem(password: string, account: string, field = 'password'): Refusal | undefined {
  return check(password, [...OWN_WORDS, account]) >= LEAST_SCORE
    ? undefined
    : refuse('conflict', {}, { reason: 'passwordCommon', fields: [{ path: field }] });
}
