import type { MessageTemplate } from '../template.ts';
import { AMOUNT, AUXILIARY, CARD_DETAILS, ON_DATE, OWN_ACCOUNT, OWN_CARD, WORD } from './fragments.ts';
import { indianTemplate, PRIORITY } from './shape.ts';

/** Shapes in which a later word reverses what the first verb says, or a mark stands where the shared shapes expect a word. */
const raw = String.raw;

/** Within one sentence. The point of `500.00` or `Rs.5` ends no sentence. */
const SAME_SENTENCE = raw`(?:[^.;]|\.\S)`;
const SAME_SENTENCE_OR_CLAUSE = SAME_SENTENCE.replace('[^.;]', '[^.]');
const IS_DONE = raw`\s(?:is|are|was|were|has been|have been|stands)\s(?:now\s|successfully\s)?`;
const GIVEN_BACK = raw`(?:reversed|refunded|returned|credited back|re-credited|recredited)\b`;
const TAKEN = raw`(?:debited|deducted|levied|charged|recovered)`;
/** The other party, whose name may say anything, is named after this. */
const TO_SOMEBODY = raw`(?:\s(?:to|towards|by|at|vpa|info|trf)\b|/[a-z]|@|;)`;
const VPA = raw`[a-z0-9._-]{2,60}@[a-z]{2,20}`;

const TO_CARD = raw`(?:credited|received|refunded|posted|paid)`;
const CARD_ACCOUNT = raw`\bcredit[\s-]?card\s${OWN_ACCOUNT}`;
const cardAccount = { kind: 'card', priority: PRIORITY.turned, details: CARD_DETAILS } as const;

export const specialShapes: readonly MessageTemplate[] = [
  // Only what is said to be done counts: 'will be reversed' moves nothing yet.
  indianTemplate('credit', {
    id: 'in-credit-debit-given-back',
    priority: PRIORITY.turned,
    pattern: raw`${AMOUNT}${AUXILIARY}[\s:,-]*${TAKEN}\s(?:[a-z]+\s){0,3}?(?:from|in|on|to)(?:\s[a-z][a-z&']*){0,4}?\s${OWN_ACCOUNT}${SAME_SENTENCE}{0,80}?${IS_DONE}${GIVEN_BACK}`,
    unless: raw`\b${TAKEN}\b.{0,60}?${OWN_ACCOUNT}.*?${TO_SOMEBODY}.*?\b${GIVEN_BACK}`,
    samples: [
      {
        text: 'Rs 700.00 debited from your A/c XX2205 on 11/04/26 for a failed txn has been reversed on 12/04/26. Ref 610212345611',
        expected: { amount: '700.00', account: '2205', ref: '610212345611' },
      },
    ],
  }),
  indianTemplate('credit', {
    id: 'in-credit-given-back-to-account',
    priority: PRIORITY.turned,
    pattern: raw`${AMOUNT}${SAME_SENTENCE_OR_CLAUSE}{0,90}?\b(?:(?:amount|amt|money)\s${AUXILIARY}|(?:is|was|been)\s)?${GIVEN_BACK}\s(?:to|in|into)(?:\s[a-z][a-z&']*){0,5}?\s${OWN_ACCOUNT}`,
    unless: raw`\b(?:will|shall|would|to|may|can|could) (?:be|get)\b|\b(?:${TAKEN}|dr|sent|paid|payment|transferred|withdrawn)\b.*?${TO_SOMEBODY}.*?\b${GIVEN_BACK}|\bspent\b.*?\b${GIVEN_BACK}|\b(?:txn|transaction)\b[^;]*?\sto\b.*?\b${GIVEN_BACK}`,
    samples: [
      {
        text: 'UPI txn of Rs 700 failed; amount credited back to A/c XX2205. Ref 610212345611',
        expected: { amount: '700.00', account: '2205', ref: '610212345611' },
      },
    ],
  }),
  indianTemplate('credit', {
    id: 'in-credit-plain-given-back',
    priority: PRIORITY.turned,
    pattern: raw`${AMOUNT}${AUXILIARY}[\s:,-]*(?:debited|deducted)\b(?:\s[a-z]+\b|${ON_DATE}){0,8}?${IS_DONE}${GIVEN_BACK}`,
    unless: raw`\b${TAKEN}\b.*?${TO_SOMEBODY}.*?\b${GIVEN_BACK}`,
    samples: [
      {
        text: 'Amount of Rs 700 debited on 11-04-26 for your failed txn has been refunded. Ref 610212345611',
        expected: { amount: '700.00', ref: '610212345611' },
      },
    ],
  }),
  // 'Cheque for Rs 5 has been realised and your A/c X is credited'.
  ...(['credit', 'debit'] as const).map((direction) =>
    indianTemplate(direction, {
      id: `in-${direction}-amount-and-account-verb`,
      priority: PRIORITY.looseAccount,
      pattern: raw`${AMOUNT}${SAME_SENTENCE}{0,60}?(?:\s(?:and|&)\s(?:your|ur)|:)(?:\s[a-z][a-z&']*){0,3}?\s${OWN_ACCOUNT}${AUXILIARY}\s${direction}ed\b`,
      unless: direction === 'credit' ? raw`\b(?:debited|dr|sent|paid)\b` : raw`\b(?:credited|cr|received)\b`,
      samples: [
        {
          text: `Instruction for Rs 500.00 has been carried out and your A/c XX2205 is ${direction}ed on 12-04-26. Avl Bal Rs 900.00`,
          expected: { amount: '500.00', account: '2205', balance: '900.00' },
        },
      ],
    }),
  ),
  // 'Dr. to A/c X' is the wording of a ledger. With another account in the text, 'to' may lead there.
  indianTemplate('debit', {
    id: 'in-debit-to-account',
    priority: PRIORITY.looseAccount,
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}\sdr\.?\sto(?:\s[a-z][a-z&']*){0,3}?\s${OWN_ACCOUNT}`,
    unless: raw`\b(?:from|frm|credited|cr|reversed|refunded)\b`,
    samples: [
      {
        text: 'Rs.110.00 Dr. to A/c XX2205 on 12-04-26 by UPI/610212345617. Avl Bal Rs.890.00',
        expected: { amount: '110.00', account: '2205', balance: '890.00', ref: '610212345617' },
      },
    ],
  }),
  // Written from the other party's view: what somebody sent to us came in.
  indianTemplate('credit', {
    id: 'in-credit-somebody-sent-to-account',
    priority: PRIORITY.ownAccount,
    pattern: raw`\b(?:sent|transferred|paid|remitted)\s(?:you\s)?${AMOUNT}\s(?:to|in|into)\s(?:your|ur)(?:\s[a-z&']+){0,5}?\s${OWN_ACCOUNT}`,
    unless: raw`\bfrom (?:your|ur|[a-z]+ balance)\b|\bdebited\b`,
    samples: [
      {
        text: 'A NAME has sent Rs 500 to your A/c XX2205 via UPI. Ref 610212345615',
        expected: { amount: '500.00', account: '2205', ref: '610212345615' },
      },
    ],
  }),
  indianTemplate('credit', {
    id: 'in-credit-plain-somebody-sent-you',
    priority: PRIORITY.noAccount,
    pattern: raw`\b(?:sent|transferred|paid)\syou\s${AMOUNT}`,
    unless: raw`\brequest`,
    samples: [
      {
        text: 'A NAME sent you Rs 500. UPI Ref 610212345616',
        expected: { amount: '500.00', ref: '610212345616' },
      },
    ],
  }),
  ...(['credit', 'debit'] as const).map((direction) =>
    indianTemplate(direction, {
      id: `in-${direction}-account-amount-verb`,
      priority: PRIORITY.looseAccount,
      // Not 'Cr', which also follows a balance.
      pattern: raw`${OWN_ACCOUNT}[\s:,-]{1,3}${AMOUNT}${AUXILIARY}\s(?:${direction === 'credit' ? 'credited|deposited' : 'debited|deducted|withdrawn'})\b`,
      samples: [
        {
          text: `Txn alert: A/c XX2205: Rs 500.00 ${direction}ed on 12-04-26. Bal Rs 1,000.00`,
          expected: { amount: '500.00', account: '2205', balance: '1000.00' },
        },
      ],
    }),
  ),
  indianTemplate('credit', {
    id: 'in-credit-vpa-of-account',
    priority: PRIORITY.looseAccount,
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}\s(?:credited|cr\.?|received)\s(?:to|in|on)\s(?:(?:your|ur)\s)?(?:vpa\s|upi id\s)?${VPA}[\s,(-]*(?:of\s|for\s|linked to\s)?(?:your\s|ur\s)?${OWN_ACCOUNT}`,
    unless: raw`\b(?:debited|dr|sent|paid|transferred|from (?:your|ur|a/c|account))\b`,
    samples: [
      {
        text: 'Rs.310.00 Cr. to a.name@okbank A/c XX2205 on 12-04-26. UPI Ref 610212345612',
        expected: { amount: '310.00', account: '2205', ref: '610212345612' },
      },
    ],
  }),
  // Not 'debited; A/c X credited': there the account is the other party's.
  ...(['credit', 'debit'] as const).map((direction) =>
    indianTemplate(direction, {
      id: `in-${direction}-amount-verb-mark-account`,
      priority: PRIORITY.looseAccount,
      pattern: raw`${AMOUNT}${AUXILIARY}\s(?:${direction}ed|${direction === 'credit' ? 'cr' : 'dr'})\s?;(?:\s${WORD[direction]}){0,4}?\s${OWN_ACCOUNT}(?:$|[\s.,;:()-]+(?:${direction === 'credit' ? '[a-ce-z]|d[a-df-z]' : '[abd-z]|c[a-qs-z]'}|[\d(@]|$))`,
      samples: [
        {
          text: `Rs.1250.00 ${direction}ed; SB A/c XX2205 on 12-04-26. Bal Rs.440.00 CR`,
          expected: { amount: '1250.00', account: '2205', balance: '440.00' },
        },
      ],
    }),
  ),
  indianTemplate('debit', {
    id: 'in-debit-verb-mark-account-amount',
    priority: PRIORITY.looseAccount,
    pattern: raw`\b(?:debited|dr)\s?;(?:\s${WORD.debit}){0,5}?\s${OWN_ACCOUNT}[\s,:;-]*(?:(?:for|with|by|of|amt)\s)?${AMOUNT}`,
    samples: [
      {
        text: 'Debited; A NAME SB A/c XX2205 Rs.75.00 on 12-04-26. Bal Rs.365.00',
        expected: { amount: '75.00', account: '2205', balance: '365.00' },
      },
    ],
  }),
  // The name of a machine and its town follow the verb: 'withdrawn@TEST ATM. A/c X'.
  indianTemplate('debit', {
    id: 'in-debit-withdrawn-at',
    priority: PRIORITY.looseAccount,
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}\s(?:withdrawn|wdl|spent)\s?@.{0,60}?${OWN_ACCOUNT}`,
    unless: raw`\b(?:credited|reversed)\b`,
    samples: [
      {
        text: 'Rs.900 withdrawn@TEST ATM MAIN ROAD. A/c XX2205 Avl Bal Rs.100.00',
        expected: { amount: '900.00', account: '2205', balance: '100.00' },
      },
    ],
  }),
  // A card has an account of its own, which receives no money for others.
  indianTemplate('credit', {
    ...cardAccount,
    id: 'in-credit-amount-card-account',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}\s${TO_CARD}(?:\s${WORD.credit}){1,6}?\s${CARD_ACCOUNT}`,
    samples: [
      {
        text: 'INR 640.00 credited to your Test Bank Credit Card A/c XX4747 on 12-04-26',
        expected: { amount: '640.00', account: '4747' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...cardAccount,
    id: 'in-credit-card-account-amount',
    pattern: raw`${CARD_ACCOUNT}[\s,;:()-]*${AUXILIARY}[\s:,-]*${TO_CARD}(?:\s(?:with|by|for|of|an?|amount))*[\s:]*${AMOUNT}`,
    samples: [
      {
        text: 'Your Credit Card account XX4747 has been credited with Rs 640.00 on 12-04-26',
        expected: { amount: '640.00', account: '4747' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-card-thanks',
    kind: 'card',
    priority: PRIORITY.card,
    details: CARD_DETAILS,
    pattern: raw`\bthank(?:s| you) for (?:using|shopping|swiping|paying|purchas|your purchase).{0,60}?${OWN_CARD}.{0,60}?${AMOUNT}`,
    unless: raw`\b(?:credited|refunded|reversed|received|due|emi)\b`,
    samples: [
      {
        text: 'Dear Customer, thank you for using your Debit Card no. XX4747. Rs 500.00 at A SHOP on 12-04-26',
        expected: { amount: '500.00', account: '4747' },
      },
    ],
  }),
  // Written from the holder's view: the money left, whatever words follow.
  indianTemplate('debit', {
    id: 'in-debit-plain-sent',
    priority: PRIORITY.noAccount,
    pattern: raw`(?:^|[.!:]\s|\byou(?:'ve| have)?\s)(?:successfully\s)?sent[\s:!]*${AMOUNT}(?:\ssuccessfully\b)?[\s.,|-]+[a-z]`,
    unless: raw`\b(?:sent you|to you|to (?:your|ur)|request(?:ed)?|if you)\b`,
    samples: [
      {
        text: 'Sent Rs.35.00 by UPI on 12-04-26. Ref 610212345614',
        expected: { amount: '35.00', ref: '610212345614' },
      },
    ],
  }),
];
