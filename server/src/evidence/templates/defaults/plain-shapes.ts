import type { MessageTemplate } from '../template.ts';
import { AMOUNT, AUXILIARY, ON_DATE } from './fragments.ts';
import { indianTemplate, PRIORITY } from './shape.ts';

/** Messages that do not print the own account: wallets, and the short forms of some banks. */
const raw = String.raw;

const HOLDING = raw`(?:account|a/c|acct|wallet|balance|card)`;
const plain = { priority: PRIORITY.noAccount } as const;

export const plainShapes: readonly MessageTemplate[] = [
  indianTemplate('credit', {
    ...plain,
    id: 'in-credit-plain-amount-to-holding',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*(?:credited|added|deposited|received|refunded|loaded)\b(?:\s[a-z]+)?\s(?:to|in|into|on)\s(?:[a-z&'/]+\s){0,6}?${HOLDING}\b`,
    unless: raw`\bdebited\b`,
    samples: [
      { text: 'Rs.45 credited to your test wallet for an invitation.', expected: { amount: '45.00' } },
    ],
  }),
  indianTemplate('credit', {
    ...plain,
    id: 'in-credit-plain-received',
    pattern: raw`\b(?:you(?:'ve| have)?(?:\sjust)?\s)?received(?:\s(?:a|an))?(?:\s(?:payment|credit|amount|money))?(?:\sof)?[\s:!]+${AMOUNT}.{0,40}?\b(?:from|by|in|via)\b`,
    unless: raw`\b(?:debited|request|order|claim|invoice|policy|premium)\b`,
    samples: [
      {
        text: "You've received Rs. 75 from A NAME via UPI. Ref 610212345671",
        expected: { amount: '75.00', ref: '610212345671' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...plain,
    id: 'in-credit-plain-holding-credited',
    pattern: raw`\b(?:(?:your|ur)\s(?:[a-z&']+\s){0,5}?|bank\s)${HOLDING}${AUXILIARY}[\s:,-]*(?:credited|topped up|loaded|recharged)(?:\s(?:with|by|for|an?|amount|of))*[\s:]*${AMOUNT}`,
    samples: [
      {
        text: 'Your account is credited with INR 500.00 on 2026-04-12 10:10:10 AM by UPI Ref No 610212345672; AvlBal: Rs1000.00',
        expected: { amount: '500.00', balance: '1000.00', ref: '610212345672' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...plain,
    id: 'in-credit-plain-amount-received',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*received(?:\s(?:on|via|through|by|in)\s[a-z]+)?\s(?:from|by|via|in)\b`,
    unless: raw`\b(?:debited|request|requested|order|claim|invoice|policy|premium|bill)\b`,
    samples: [
      {
        text: 'Rs.25 received from A NAME. UPI Ref 610712345673. - Test Wallet',
        expected: { amount: '25.00', ref: '610712345673' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...plain,
    id: 'in-credit-plain-amount-by-rail',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*credited\s(?:via|by|through|thru|using)\s(?:upi|imps|neft|rtgs)\b`,
    unless: raw`\bdebited\b`,
    samples: [
      {
        text: 'Rs 20.00 credited via UPI on 26-05-2026 10:11:12 from VPA a.name@okbank. Ref No 614833445566',
        expected: { amount: '20.00', ref: '614833445566' },
      },
    ],
  }),
  indianTemplate('debit', {
    ...plain,
    id: 'in-debit-plain-holding-debited',
    pattern: raw`\b(?:(?:your|ur)\s(?:[a-z&']+\s){0,5}?|bank\s)${HOLDING}${AUXILIARY}[\s:,-]*(?:debited|charged)(?:\s(?:with|by|for|an?|amount|of))*[\s:]*${AMOUNT}`,
    samples: [
      {
        text: 'Your account has been successfully debited with Rs 149.00 on 17-Apr-26 towards A SERVICE, RRN 610712345672',
        expected: { amount: '149.00', ref: '610712345672' },
      },
    ],
  }),
  indianTemplate('debit', {
    ...plain,
    id: 'in-debit-plain-amount-out',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*(?:debited|withdrawn|deducted|spent|sent|paid|transferred)\b\s(?:from|via|at|on|to|using|towards|for|by|through|thru|in)\b`,
    unless: raw`\bcredited to (?:your|ur)\b`,
    samples: [
      {
        text: 'Rs 150.00 debited via UPI on 15-04-2026 10:30:25 to VPA a.name@okbank.Ref No 610512345678.',
        expected: { amount: '150.00', ref: '610512345678' },
      },
      { text: 'Rs. 2000 withdrawn from ATM at MAIN STREET on 09/04/2026.', expected: { amount: '2000.00' } },
    ],
  }),
  indianTemplate('debit', {
    ...plain,
    id: 'in-debit-plain-out-amount',
    pattern: raw`\b(?:sent|paid|spent|debited|withdrawn)\b[\s:!]*${AMOUNT}${ON_DATE}?\s(?:to|at|on|from|via|using|for|towards)\b`,
    unless: raw`\bcredited to (?:your|ur)\b|\b(?:to|sent) (?:you|your|ur)\b`,
    samples: [
      {
        text: 'Paid Rs.40 to A SHOP from Test Wallet. Updated Balance: Rs 60',
        expected: { amount: '40.00', balance: '60.00' },
      },
    ],
  }),
  indianTemplate('debit', {
    ...plain,
    id: 'in-debit-plain-payment-using',
    kind: 'wallet',
    pattern: raw`\b(?:payment|txn|transaction|purchase)\sof\s${AMOUNT}\s(?:is |was |has been )?(?:using|from|via|through|with|at|to|on|successful)\b.{0,80}?\b(?:success(?:ful|fully)?|balance|wallet)\b`,
    unless: raw`\b(?:received|credited|regards)\b`,
    samples: [
      {
        text: 'Payment of Rs 150.50 using Test Balance successful at shop. Updated Balance is Rs 850.00',
        expected: { amount: '150.50', balance: '850.00' },
      },
    ],
  }),
];
