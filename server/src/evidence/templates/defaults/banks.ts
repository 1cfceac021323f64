import type { MessageTemplate } from '../template.ts';
import { ACCOUNT, AMOUNT, CREDIT_DETAILS, DEBIT_DETAILS, NUMBER, OWN_ACCOUNT } from './fragments.ts';
import { headersOf, type BankName } from './headers.ts';
import { indianTemplate, PRIORITY } from './shape.ts';

/** Wordings that only one bank uses and that the shared shapes cannot read. */
const raw = String.raw;

const bank = (name: BankName) =>
  ({ bank: name, senderHeaders: headersOf(name), priority: PRIORITY.bank }) as const;

export const bankTemplates: readonly MessageTemplate[] = [
  // SBI is the only large bank that prints an amount without a currency.
  ...(['credit', 'debit'] as const).map((direction) =>
    indianTemplate(direction, {
      ...bank('SBI'),
      id: `sbi-upi-${direction}`,
      pattern: raw`${OWN_ACCOUNT}[\s-]*${direction}ed by (?P<amount>${NUMBER}) on (?:date )?`,
      samples: [
        {
          text: `Dear UPI user A/C X1357 ${direction}ed by 45.0 on date 04Apr26 trf to A NAME Refno 609412345678. If not u? call 1800111109. -SBI`,
          expected: { amount: '45.00', account: '1357', ref: '609412345678' },
        },
      ],
    }),
  ),
  indianTemplate('debit', {
    ...bank('SBI'),
    id: 'sbi-debit-card',
    pattern: raw`\btransaction number \d+ for ${AMOUNT} by sbi debit card`,
    details: DEBIT_DETAILS,
    samples: [
      {
        text: 'Dear Customer, transaction number 1234 for Rs.383.00 by SBI Debit Card X5151 done at A SHOP on 13Apr26 at 21:38:26. Your updated available balance is Rs.999.92.',
        expected: { amount: '383.00', balance: '999.92' },
      },
    ],
  }),
  // 'from HDFC Bank XX1234', without the words account or a/c.
  ...(['credit', 'debit'] as const).map((direction) =>
    indianTemplate(direction, {
      ...bank('HDFC'),
      id: `hdfc-${direction}-bank-mask`,
      pattern: raw`${AMOUNT} (?:is |has been )?${direction === 'credit' ? '(?:credited|deposited) (?:to|in)' : 'debited from'} hdfc bank (?P<account>[x*]{1,12}\d{4})\b`,
      samples: [
        {
          text: `UPDATE: INR 999.00 ${direction === 'credit' ? 'credited to' : 'debited from'} HDFC Bank XX4512 on 30-APR-26. Info: ACH TEST-00012. Avl bal:INR 1,44,211.10`,
          expected: { amount: '999.00', account: '4512', balance: '144211.10' },
        },
      ],
    }),
  ),
  // UPI on a credit or debit card: the account is the card.
  indianTemplate('debit', {
    ...bank('HDFC'),
    id: 'hdfc-card-txn',
    kind: 'card',
    pattern: raw`\btxn ${AMOUNT} on hdfc bank (?:[a-z]+ )?card ${ACCOUNT}`,
    details: DEBIT_DETAILS,
    samples: [
      {
        text: 'Txn Rs.60.00\nOn HDFC Bank Card 1212\nAt shop@ybl\nby UPI 609412345679\nOn 04-04\nNot You?',
        expected: { amount: '60.00', account: '1212', ref: '609412345679' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...bank('India Post savings'),
    id: 'dop-credit',
    pattern: raw`${OWN_ACCOUNT} credit with amount ${AMOUNT}`,
    details: [raw`\[\s?(?P<ref>[a-z0-9]{6,20})\s?\]`, ...CREDIT_DETAILS],
    samples: [
      {
        text: 'Account No. XXXXXX2121 CREDIT with amount Rs. 350.00 on 12-03-2026. Balance: Rs.9000.00. [IN1234567]',
        expected: { amount: '350.00', account: '2121', balance: '9000.00', ref: 'IN1234567' },
      },
    ],
  }),
  indianTemplate('debit', {
    ...bank('India Post savings'),
    id: 'dop-debit',
    pattern: raw`${OWN_ACCOUNT} debit with amount ${AMOUNT}`,
    details: [raw`\[\s?(?P<ref>[a-z0-9]{6,20})\s?\]`, ...DEBIT_DETAILS],
    samples: [
      {
        text: 'Account No. XXXXXX2121 DEBIT with amount Rs. 500.00 on 12-03-2026. Balance: Rs.8500.00. [S12345678]',
        expected: { amount: '500.00', account: '2121', balance: '8500.00', ref: 'S12345678' },
      },
    ],
  }),
  // IndusInd calls an account a deposit. At other banks that word is a deposit, whose interest goes to no account of ours.
  indianTemplate('credit', {
    ...bank('IndusInd'),
    id: 'indusind-interest-on-deposit',
    pattern: raw`\bnet interest ${AMOUNT} paid on your indusind deposit no[\s.:]*${ACCOUNT}`,
    samples: [
      {
        text: 'Net interest INR 6.10 paid on your IndusInd Deposit No 371***060099 on 30/06/25. Call 1800',
        expected: { amount: '6.10', account: '0099' },
      },
    ],
  }),
  // OneCard addresses its customers in its own style, and prints the issuer's name instead of the word card.
  indianTemplate('debit', {
    ...bank('OneCard'),
    id: 'onecard-payment-on',
    kind: 'card',
    pattern: raw`\bpayment of ${AMOUNT} on .{1,60}? with card ending (?:in |with )?${ACCOUNT}`,
    details: DEBIT_DETAILS,
    samples: [
      {
        text: "You've hit a payment of ₹333 on A SHOP with card ending XX1234",
        expected: { amount: '333.00', account: '1234' },
      },
    ],
  }),
  indianTemplate('credit', {
    ...bank('OneCard'),
    id: 'onecard-payment-received',
    kind: 'card',
    pattern: raw`\bpayment of ${AMOUNT} (?:is |was |has been )?received .{0,40}?\bonecard ending (?:in |with )?${ACCOUNT}`,
    details: DEBIT_DETAILS,
    samples: [
      {
        text: 'Payment of Rs. 5,000.00 received towards your OneCard ending 1234. Thank you!',
        expected: { amount: '5000.00', account: '1234' },
      },
    ],
  }),
];
