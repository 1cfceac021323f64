import type { Direction, MessageTemplate } from '../template.ts';
import { ACCOUNT, AMOUNT, AUXILIARY, ON_DATE, OWN_ACCOUNT, WORD } from './fragments.ts';
import { indianTemplate, PRIORITY } from './shape.ts';

/**
 * Shapes that most Indian banks share and that print the own account. Each takes the direction from the clause with the account: 'A/c X
 * debited …; SHOP credited' is a debit, because account and verb stand side by side. All have the same priority, so the clause that comes
 * first in the text decides.
 */
const raw = String.raw;

/** Past participles, and the nouns some banks use in their place. */
const VERB = {
  credit: raw`(?:credited|deposited|received|added|refunded|reversed|credit|cr)\b`,
  debit: raw`(?:(?:auto[\s-]?)?debited|deducted|withdrawn|recovered|charged|levied|debit|dr)\b`,
} as const;
/** Canara debits 'to your account'; any other 'to' in a debit leads to somebody else. */
const TO_YOUR = { credit: raw`\s(?:to|in)\s(?:your|ur)`, debit: raw`\sto\s(?:your|ur)` } as const;
/** The own account follows 'from' or 'through': 'sent to A/c X' names somebody else's. */
const OUTWARD = raw`\b(?:sent|paid|transferred|spent|remitted|trf|trfd)\b`;
const FROM = raw`\b(?:from|frm|fm|thru|through|via|using)\b`;

const FILLER_WORD =
  '(?:for|by|with|of|amt|amount|an|a|the|via|through|thru|upi|imps|neft|rtgs|ach|nach|ecs|cash|cheque|clearing|deposit|refund|interest|cashback|salary|transfer|transaction|txn|payment|to|extent|sum|net|value|back|date)';
const FILLER = raw`(?:[\s:;,.-]+(?:${FILLER_WORD}\b|${ON_DATE}))*[\s:;,.-]*`;
/** What moved, between amount and verb: 'Rs 75 cashback received'. */
const WHAT = raw`(?:\s(?:cash|cashback|refund|reversal|interest|dividend|salary|pension|subsidy|payment))?`;

const MONEY = AMOUNT.replace('?P<amount>', '?:');

const patterns: Readonly<Record<string, (direction: Direction) => string>> = {
  'amount-verb-account': (direction) =>
    raw`${AMOUNT}${ON_DATE}?${WHAT}${AUXILIARY}[\s:,-]*${VERB[direction]}(?:[\s,.:!()-]+${WORD[direction]}|${ON_DATE}|${TO_YOUR[direction]}){0,8}?[\s,.:!()-]*${OWN_ACCOUNT}`,
  'account-verb-amount': (direction) =>
    raw`${OWN_ACCOUNT}[\s,;:()-]*${AUXILIARY}[\s:,-]*${VERB[direction]}${FILLER}${AMOUNT}`,
  'verb-amount-account': (direction) =>
    raw`\b${VERB[direction]}[\s:!.-]*(?:an?\s)?(?:payment\s|amount\s|amt\s|sum\s)?(?:of\s|for\s|with\s|by\s)?${AMOUNT}${AUXILIARY}(?:[\s,.:-]+${WORD[direction]}|${ON_DATE}){0,7}?[\s,.:-]*${OWN_ACCOUNT}`,
  'verb-account-amount': (direction) =>
    raw`\b${VERB[direction]}(?:\s(?:to|from|in|into))?\s(?:your|ur)(?:\s${WORD[direction]}){0,5}?\s${OWN_ACCOUNT}[\s,:-]*(?:for|with|by|of)?[\s:]*${AMOUNT}`,
};

const samples: Readonly<Record<string, MessageTemplate['samples']>> = {
  'credit-amount-verb-account': [
    {
      text: 'INR 12,500.00 has been CREDITED to your A/c XX0921 on 03/04/2026 towards NEFT. Avl Bal INR 1,40,233.05 - Test Bank',
      expected: { amount: '12500.00', account: '0921', balance: '140233.05' },
    },
    {
      text: 'Rs.250credited to A/cX0412 on 05Apr26 (UPI Ref no 609512345678)',
      expected: { amount: '250.00', account: '0412', ref: '609512345678' },
    },
  ],
  'debit-amount-verb-account': [
    {
      text: 'Rs 918 debited from A/C XXXXXX4410 and credited to shop@okbank UPI Ref:609512345679. Not you? Call 18000000',
      expected: { amount: '918.00', account: '4410', ref: '609512345679' },
    },
    {
      text: 'INR 75.50 debited A/c no. XX3321 05-04-26, 10:20:30 UPI/P2M/609512345680/TEA STALL Not you? SMS BLOCK',
      expected: { amount: '75.50', account: '3321', ref: '609512345680' },
    },
  ],
  'credit-account-verb-amount': [
    {
      text: 'Your A/C XXXXXXX7788 is credited by INR 2,750.00 on 06/04/26 09:14. New Bal :INR 13,250.00',
      expected: { amount: '2750.00', account: '7788', balance: '13250.00' },
    },
    {
      text: 'Your a/c no. XXXXXXXX1212 is credited for Rs.10.00 on 24-04-26 and debited from a/c no. XXXXXXXX3434 (UPI Ref no 611498765432)',
      expected: { amount: '10.00', account: '1212', ref: '611498765432' },
    },
  ],
  'debit-account-verb-amount': [
    {
      text: 'Test Bank Acct XX512 debited for Rs 240.00 on 28-Apr-26; CORNER CAFE credited. UPI: 611855443322. Call 1800 for dispute.',
      expected: { amount: '240.00', account: '512', ref: '611855443322' },
    },
    {
      text: 'Ac XX6650 Debited with Rs.1180, 09-04-2026 13:20:41. Aval Bal Rs.3020.5 CR.',
      expected: { amount: '1180.00', account: '6650', balance: '3020.50' },
    },
  ],
  'credit-verb-amount-account': [
    {
      text: 'Received Rs.329 on 15-04-26 in your Test Bank A/C x8181 by UPI. UPI Ref:610511412345',
      expected: { amount: '329.00', account: '8181', ref: '610511412345' },
    },
    {
      text: 'Dear Customer, there is an RTGS credit of INR 2,00,000.00 in your account 456xxxx9090 on 15/04/2026.Available Balance:INR 2,50,000.00',
      expected: { amount: '200000.00', account: '9090', balance: '250000.00' },
    },
  ],
  'debit-verb-amount-account': [
    {
      text: 'Debited INR 84.00 from A/c 7716209876 on 15-APR-2026. Bal INR 2916.00. -Test Bank',
      expected: { amount: '84.00', account: '9876', balance: '2916.00' },
    },
  ],
  'credit-verb-account-amount': [
    {
      text: 'We have credited your Test Bank Account XX345 with INR 5,000.00 on 12-Apr-26.',
      expected: { amount: '5000.00', account: '345' },
    },
  ],
  'debit-verb-account-amount': [
    {
      text: 'We have debited your savings account XX345 with INR 17.70 on 12-Apr-26.',
      expected: { amount: '17.70', account: '345' },
    },
  ],
};

const shared = (['credit', 'debit'] as const).flatMap((direction) =>
  Object.entries(patterns).map(([shape, pattern]) =>
    indianTemplate(direction, {
      id: `in-${direction}-${shape}`,
      pattern: pattern(direction),
      samples: samples[`${direction}-${shape}`] ?? [],
    }),
  ),
);

const singular: readonly MessageTemplate[] = [
  // The sender's account may be printed first: 'credited by NEFT from A/c X of NAME to your A/c Y'.
  indianTemplate('credit', {
    id: 'in-credit-to-your-account',
    priority: PRIORITY.ownAccount,
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*${VERB.credit}.{0,160}?\b(?:to|in|into)\s(?:your|ur)(?:\s[a-z&']+){0,5}?\s${OWN_ACCOUNT}`,
    samples: [
      {
        text: 'Rs 4,000 credited by RTGS from A/c XX7711 of TEST TRADERS to your A/c XX2205 on 12/04/26 UTR UTIBR72026041200000001',
        expected: { amount: '4000.00', account: '2205', ref: 'UTIBR72026041200000001' },
      },
    ],
  }),
  indianTemplate('credit', {
    id: 'in-credit-sent-to-your-account',
    priority: PRIORITY.ownAccount,
    pattern: raw`${AMOUNT}${AUXILIARY}\s(?:sent|transferred|paid|remitted|processed)\s(?:(?:to|in|into)\s(?:your|ur)|into)(?:\s[a-z&']+){0,5}?\s${OWN_ACCOUNT}`,
    // 'Rs.50 paid to A NAME via Paytm UPI' is a payment out, whatever the name.
    unless: raw`\bpaid\sto\b.*?\svia\s`,
    samples: [
      {
        text: 'Cashback of Rs.50 has been sent to your Test Bank A/c x5151. UPI Ref 611855443323',
        expected: { amount: '50.00', account: '5151', ref: '611855443323' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-amount-sent-from-account',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}\s${OUTWARD}(?:\s(?:via|by|through|on|using)\s[a-z]+)?${ON_DATE}?[\s,]+${FROM}(?:\s[a-z][a-z&'/]*){0,5}?\s?${OWN_ACCOUNT}`,
    samples: [
      {
        text: 'IMPS INR 5,000.00 sent from TEST Bank A/c XX4321 on 12-04-26 To A/c xxxxxxxx5678 Ref-610212345678',
        expected: { amount: '5000.00', account: '4321', ref: '610212345678' },
      },
      {
        text: 'Rs.65 paid thru A/C XX6060 on 12-4-26 10:11:12 to CHAI POINT, UPI Ref 610212345679.',
        expected: { amount: '65.00', account: '6060', ref: '610212345679' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-sent-amount-from-account',
    pattern: raw`${OUTWARD}[\s:!.-]*${AMOUNT}.{0,70}?\s${FROM}(?:\s[a-z][a-z&'/]*){0,5}?\s?${OWN_ACCOUNT}`,
    samples: [
      {
        text: 'Sent Rs.80.00 From TEST Bank A/C *4512 To FRUIT SHOP On 17/04/26 Ref 610712345670',
        expected: { amount: '80.00', account: '4512', ref: '610712345670' },
      },
      {
        text: 'You paid Rs 10 to A SHOP from your a/c XX77. RRN 610712345671',
        expected: { amount: '10.00', account: '77', ref: '610712345671' },
      },
    ],
  }),
  // The number of a machine or a merchant comes first: 'withdrawn at ATM S1BD0113 from A/c X'.
  indianTemplate('debit', {
    id: 'in-debit-out-somewhere-from-account',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*(?:withdrawn|debited|spent|deducted)\b.{0,90}?\b(?:from|frm|fm)(?:\s[a-z][a-z&'/]*){0,5}?\s${OWN_ACCOUNT}`,
    samples: [
      {
        text: 'Rs.20000 withdrawn at TEST ATM S1XX01 from A/cX0707 on 07Apr26. Available Balance Rs.1349.16',
        expected: { amount: '20000.00', account: '0707', balance: '1349.16' },
      },
    ],
  }),
  indianTemplate('credit', {
    id: 'in-credit-somewhere-to-account',
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}[\s:,-]*${VERB.credit}.{0,90}?\b(?:to|in|into)(?:\s[a-z][a-z&']*){0,5}?\s${OWN_ACCOUNT}`,
    unless: raw`\bdebited\b|\bfrom (?:your|ur) `,
    samples: [
      {
        text: 'INR 600 credited via UPI/609412345671 in Test Bank A/c X2468. Bal INR 1,600.00',
        expected: { amount: '600.00', account: '2468', balance: '1600.00', ref: '609412345671' },
      },
    ],
  }),
  // Who paid, or what for, stands between amount and verb: 'Rs 5 from A NAME credited to your A/c X'.
  indianTemplate('credit', {
    id: 'in-credit-from-somebody-to-account',
    priority: PRIORITY.looseAccount,
    pattern: raw`${AMOUNT}${WHAT}\s(?:from|towards|for|as|being)\s.{2,60}?\b(?:credited|deposited|received|refunded)\s(?:to|in|into)(?:\s[a-z][a-z&']*){0,5}?\s${OWN_ACCOUNT}`,
    unless: raw`\bdebited\b|\bfrom (?:your|ur) `,
    samples: [
      {
        text: 'Rs.75 from A NAME credited to your Test Bank A/c XX7610 on 10-05-26. RRN 613012345601',
        expected: { amount: '75.00', account: '7610', ref: '613012345601' },
      },
    ],
  }),
  // For interest, 'paid' and 'earned' mean a credit; elsewhere they are words of a debit.
  indianTemplate('credit', {
    id: 'in-credit-interest-on-account',
    priority: PRIORITY.ownAccount,
    pattern: raw`\binterest\s(?:of\s|amount\s|amt\s){0,2}${AMOUNT}${ON_DATE}?${AUXILIARY}\s(?:earned|paid|credited|posted|accrued)\s(?:on|to|in|into|for)\s(?:[a-z][a-z&']*\s){0,5}?(?:a/?\s?c|account|acct)(?:[\s.:]*(?:no|number|ending|with)\b)*[\s.:#-]*${ACCOUNT}`,
    unless: raw`\b(?:debited|due|overdue|loan|emi|penal)\b`,
    samples: [
      {
        text: 'Monthly interest of Rs. 2.00 earned on your Savings A/c XX2275 has been credited on 31/08/25. New Bal: Rs. 10.00',
        expected: { amount: '2.00', account: '2275', balance: '10.00' },
      },
    ],
  }),
  indianTemplate('credit', {
    id: 'in-credit-received-from-somebody',
    priority: PRIORITY.looseAccount,
    pattern: raw`\breceived\s${AMOUNT}\sfrom\s.{2,60}?\s(?:to|in|into)\s(?:your|ur)(?:\s[a-z][a-z&']*){0,5}?\s${OWN_ACCOUNT}`,
    unless: raw`\bdebited\b`,
    samples: [
      {
        text: 'You have received INR 22.00 from A NAME to your Test Bank account ending 9912 (UPI Ref: 613822334455)',
        expected: { amount: '22.00', account: '9912', ref: '613822334455' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-towards-something-from-account',
    priority: PRIORITY.looseAccount,
    pattern: raw`${AMOUNT}\s(?:towards|for|at)\s.{2,70}?\s${AUXILIARY}\s?(?:debited|deducted|recovered)\s(?:from|to)(?:\s[a-z][a-z&'/]*){0,5}?\s${OWN_ACCOUNT}`,
    unless: raw`\bcredited to (?:your|ur)\b`,
    samples: [
      {
        text: 'Payment of Rs 120.00 towards Test Credit Card XX4006 debited from your A/c XX9912 on 03-06-26. Avl Bal Rs 561.12',
        expected: { amount: '120.00', account: '9912', balance: '561.12' },
      },
    ],
  }),
  // Nouns in place of verbs: 'Cash deposit of … in your A/c X', 'Refund of … to your A/c X'.
  indianTemplate('credit', {
    id: 'in-credit-deposit-of',
    priority: PRIORITY.looseAccount,
    pattern: raw`\b(?:deposit|credit|refund|reversal|cashback|interest|salary|remittance|transfer|payment)(?:\s(?:[a-z]+\s){0,2}?of\s|[\s:!-]+)${AMOUNT}.{0,60}?\b(?:to|in|into)\s(?:(?:your|ur)\s)?(?:[a-z][a-z&']*\s){0,5}?${OWN_ACCOUNT}`,
    unless: raw`\b(?:debited|from (?:your|ur)|due|emi)\b`,
    samples: [
      {
        text: 'Cash deposit of INR 1,800.00 in your Test Bank A/c XX7610 on 08-MAY-26 is successful. Avl bal INR 1,901.10',
        expected: { amount: '1800.00', account: '7610', balance: '1901.10' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-transfer-from-account',
    priority: PRIORITY.looseAccount,
    pattern: raw`\b(?:money transfer|transfer|neft|rtgs|imps|payment|recharge|withdrawal|wdl|purchase|txn|transaction|debit)[\s:!-]*(?:of\s|for\s)?${AMOUNT}\s(?:[a-z]+\s){0,5}?${FROM}(?:\s[a-z][a-z&'/]*){0,5}?\s?${OWN_ACCOUNT}`,
    unless: raw`\b(?:credited to (?:your|ur)|due|emi|initiated|received)\b`,
    samples: [
      {
        text: 'Money Transfer:Rs 2,500.00 from Test Bank A/c **7610 on 08-05-26 to A NAME UPI: 612812345604 Not you? Call 1800',
        expected: { amount: '2500.00', account: '7610', ref: '612812345604' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-out-to-somebody-from-account',
    priority: PRIORITY.looseAccount,
    pattern: raw`${AMOUNT}${ON_DATE}?${AUXILIARY}\s(?:sent|paid|transferred|remitted|debited)\sto\s.{2,70}?\b(?:from|frm|via|using|thru)(?:\s[a-z][a-z&'/]*){0,5}?\s?${OWN_ACCOUNT}`,
    unless: raw`\b(?:sent|paid|transferred|credited) to (?:your|ur)\b`,
    samples: [
      {
        text: 'Rs.40 sent to shop@ybl from TPB a/c 91XX5511.UPI Ref:612812345655;Balance:Rs.770.',
        expected: { amount: '40.00', account: '5511', balance: '770.00', ref: '612812345655' },
      },
    ],
  }),
  // The other party stands between verb and amount: 'debited for payee A SHOP for Rs 32'.
  ...(['credit', 'debit'] as const).map((direction) =>
    indianTemplate(direction, {
      id: `in-${direction}-account-verb-somebody-amount`,
      priority: PRIORITY.looseAccount,
      pattern: raw`${OWN_ACCOUNT}[\s,;:()-]*${AUXILIARY}[\s:,-]*${VERB[direction]}(?:[\s,.:;()/-]+(?:${WORD[direction]}|[a-z0-9._-]+@[a-z]+|to|towards|from|by|${ON_DATE})){1,9}?[\s,:-]+(?:for|with|of|by|amount|amt|amt of)?[\s:]*${AMOUNT}`,
      // A name with a sum in it: nobody knows which sum is the bank's.
      unless: raw`\b(?:due|emi)\b.{0,20}$|\b${VERB[direction]}.{0,160}?${MONEY}.{0,80}?\s(?:for|with|of|by)\s${MONEY}`,
      samples: [
        {
          text: `Your a/c XXXXX3021 ${direction}ed for payee A SHOP for Rs. 32.00 on 2026-05-08, ref 612812345637.If not you, call 1800`,
          expected: { amount: '32.00', account: '3021', ref: '612812345637' },
        },
      ],
    }),
  ),
  indianTemplate('credit', {
    id: 'in-credit-amount-to-mask',
    pattern: raw`${AMOUNT}${AUXILIARY}\scredited\sto\s(?:your\s)?(?P<account>[x*]{2,}\d{3,6})\b`,
    samples: [
      {
        text: 'An amount of INR 300.00 has been credited to XXXX7761 on 16/06/2026 towards NEFT by Sender A FIRM, IFSC CITI0000001. Total Avail Bal INR 870.00',
        expected: { amount: '300.00', account: '7761', balance: '870.00' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-sent-amount-from-mask',
    pattern: raw`${OUTWARD}\s${AMOUNT}\sfrom\s(?P<account>[x*]{2,}\d{3,6})\b`,
    samples: [
      {
        text: 'Sent Rs.10 from XXXXXX9191 to A NAME on 01/04/2026. UPI ref no. 609112345678',
        expected: { amount: '10.00', account: '9191', ref: '609112345678' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-transaction-from-account',
    pattern: raw`\b(?:transaction|txn|payment|transfer)\sof\s${AMOUNT}.{0,80}?\bfrom(?:\s[a-z][a-z&']*){0,5}?\s${OWN_ACCOUNT}.{0,40}?\b(?:success(?:ful|fully)?|completed|processed)\b`,
    samples: [
      {
        text: 'Your transaction of Rs. 2.07 at A SHOP from a/c xx2121 is successful.',
        expected: { amount: '2.07', account: '2121' },
      },
    ],
  }),
  indianTemplate('debit', {
    id: 'in-debit-paid-from-account-to',
    pattern: raw`${AMOUNT}\s(?:is|was|has been)\spaid\sfrom\s(?:your\s)?(?:account|a/c)\s${ACCOUNT}`,
    samples: [
      {
        text: 'INR 1000.50 is paid from account XXXXXX2323 to A BOARD on 20APR with ref 611022222222.',
        expected: { amount: '1000.50', account: '2323', ref: '611022222222' },
      },
    ],
  }),
];

export const accountShapes: readonly MessageTemplate[] = [...shared, ...singular];
