import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import { refuse, type Refusal } from '../platform/refusal.ts';

/** Words that attackers try first on us, in addition to the lists of common passwords. */
const OWN_WORDS = ['sangam', 'payment', 'payout', 'merchant', 'supplier', 'admin'];
/** On zxcvbn's scale of 0 to 4. Scores 0 and 1 mean fewer than a million guesses. */
const LEAST_SCORE = 2;

let estimator: ZxcvbnFactory | undefined;

/** Created at first use: the lists cost 60 ms and some megabytes, which a node that sets no password does not need. */
function check(password: string, words: readonly string[]): number {
  estimator ??= new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  return estimator.check(password, [...words]).score;
}

/** Why a password must not be set: it is common, a pattern, or contains the account's name. */
export function passwordProblem(password: string, account: string, field = 'password'): Refusal | undefined {
  return check(password, [...OWN_WORDS, account]) >= LEAST_SCORE
    ? undefined
    : refuse('conflict', {}, { reason: 'passwordCommon', fields: [{ path: field }] });
}
