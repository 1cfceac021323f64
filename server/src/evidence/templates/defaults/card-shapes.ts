import type { MessageTemplate } from '../template.ts';
import { AMOUNT, AUXILIARY, CARD_DETAILS, ON_DATE, OWN_CARD } from './fragments.ts';
import { indianTemplate, PRIORITY } from './shape.ts';

/**
 * Cards. The available limit of a credit card is no balance, so the patterns do not look for a limit. A debit card moves the money of an
 * account: its number is not the account's and is left out, but the balance counts.
 */
const raw = String.raw;

const SPENT = raw`(?:spent|used|charged|debited|withdrawn|paid|dr|done|made|debit)`;
const RETURNED = raw`(?:credited|received|refunded|reversed|cr|paid|posted)`;
const NOT_SPENT = raw`\b(?:credited|refunded|reversed|received|payment of|due|emi|limit (?:is|has|set|of)|(?:will|can|may) be)\b`;
const card = { priority: PRIORITY.card, kind: 'card', details: CARD_DETAILS } as const;

export const cardShapes: readonly MessageTemplate[] = [
  indianTemplate('debit', {
    id: 'in-debit-card-of-account',
    priority: PRIORITY.debitCard,
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*(?:${SPENT}\b)?.{0,40}?\b(?:via|using|from|on|by|through|thru|with)\s(?:[a-z]+\s){0,4}?(?:debit|atm)[\s-]*(?:cum debit )?card\b`,
    unless: raw`\b(?:credited|refunded|reversed|received)\b`,
    samples: [
      {
        text: 'Rs.500 spent via Test Debit Card XX1234 at A SHOP on 12/04/2026. Avl bal Rs.1000.10',
        expected: { amount: '500.00', balance: '1000.10' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-via-card',
    priority: PRIORITY.debitCard,
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*debited\s(?:via|through|by|using)\s(?:your\s)?card\b`,
    unless: raw`\b(?:lmt|limit)\b`,
    samples: [
      {
        text: 'Rs 15.00 debited via card XX**3434 at A SHOP on 14-04-2026 15:30:45. Current Bal: Rs.250.75',
        expected: { amount: '15.00', balance: '250.75' },
      },
    ],
  }),
  indianTemplate('debit', {
    ...card,
    id: 'in-debit-card-amount-spent',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*${SPENT}\b.{0,60}?${OWN_CARD}`,
    unless: raw`\bpaid\b.{0,80}?\b(?:has been|is|was) received\b`,
    samples: [
      {
        text: 'INR 404.36 spent on TEST BANK Card X8349 @UPI_A SHOP 24-04-2026 06:17:25 pm. Avl Lmt INR 211,476.24.',
        expected: { amount: '404.36', account: '8349' },
      },
      {
        text: 'Rs.1,234 spent on your Test Credit Card ending with 5511 at A SHOP on 12/04/26.',
        expected: { amount: '1234.00', account: '5511' },
      },
    ],
  }),
  indianTemplate('debit', {
    ...card,
    id: 'in-debit-card-spent-amount',
    pattern: raw`\b(?:spent|txn|transaction|purchase|paid|withdrawn)\b[\s:!]*(?:of\s|for\s|worth\s)?${AMOUNT}.{0,80}?${OWN_CARD}`,
    unless: NOT_SPENT,
    samples: [
      {
        text: 'Spent Rs.99 On TEST Bank Card 6677 At A SHOP On 2026-04-12:10:10:10 Not You?',
        expected: { amount: '99.00', account: '6677' },
      },
    ],
  }),
  indianTemplate('debit', {
    ...card,
    id: 'in-debit-card-first',
    pattern: raw`${OWN_CARD}[\s,:)-]*${AUXILIARY}[\s,:-]*(?:(?:${SPENT}|dr)\b)?(?:\s(?:for|with|by|at|of|a|transaction|txn|purchase))*(?:\s[a-z0-9&.'*]+){0,5}?[\s:,-]*${AMOUNT}`,
    unless: NOT_SPENT,
    samples: [
      {
        text: 'Spent\nCard no. XX9090\nINR 95\n02-04-26 20:31:00\nA Shop\nAvl Lmt INR 413940.4',
        expected: { amount: '95.00', account: '9090' },
      },
      {
        text: 'a@testcred linked to Credit Card XX4455 is Dr with INR.26.00 by VPA b@ybl (UPI Ref no 610212345670)',
        expected: { amount: '26.00', account: '4455', ref: '610212345670' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...card,
    id: 'in-credit-card-amount-returned',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*${RETURNED}\b.{0,80}?${OWN_CARD}`,
    unless: raw`\bdebited\b`,
    samples: [
      {
        text: 'Rs 3300 has been credited on your credit card ending 4747 from A SHOP on 02/APR/2026.',
        expected: { amount: '3300.00', account: '4747' },
      },
      {
        text: 'Payment of Rs 5,000.00 has been received towards your Test Bank Credit Card XX3030 through BBPS on 12-Apr-26.',
        expected: { amount: '5000.00', account: '3030' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...card,
    id: 'in-credit-card-from-somebody',
    pattern: raw`${AMOUNT}\sfrom\s.{2,60}?\b(?:credited|refunded)\s(?:to|on|in).{0,60}?${OWN_CARD}`,
    unless: raw`\bdebited\b`,
    samples: [
      {
        text: 'Refund processed: Rs.199.00 from A SHOP credited to Test Bank Credit Card xx7788 on 10-05-26',
        expected: { amount: '199.00', account: '7788' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...card,
    id: 'in-credit-card-first',
    pattern: raw`${OWN_CARD}[\s,:)-]*${AUXILIARY}[\s,:-]*(?:credited|refunded)(?:\s(?:with|by|for|a|an|refund|payment|of))*[\s:]*${AMOUNT}`,
    unless: raw`\bdebited\b`,
    samples: [
      {
        text: 'Your Test Credit Card ending 4747 has been credited with Rs.1,750.00 on 12/04/26 towards refund from A SHOP.',
        expected: { amount: '1750.00', account: '4747' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...card,
    id: 'in-credit-card-payment-received',
    pattern: raw`\b(?:received|refund|reversal|credit)\b[\s:!]*(?:(?:an?|the|your)\s)?(?:payment\s)?(?:of\s|for\s)?${AMOUNT}.{0,100}?(?:${OWN_CARD}|\bcard(?:member)?\b)`,
    unless: raw`\b(?:debited|spent)\b`,
    samples: [
      {
        text: 'We have received payment of Rs.5,000.00 via UPI & the same has been credited to your Test Credit Card. Your available limit is Rs.95,000.',
        expected: { amount: '5000.00' },
      },
    ],
  }),
];
