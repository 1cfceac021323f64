import type { Direction, MessageTemplate } from '../template.ts';
import { NUMBER, SHILLINGS } from './fragments.ts';
import { PRIORITY } from './shape.ts';

/** M-Pesa (Safaricom Kenya): receipt code first, `Confirmed.`, amount, date `d/m/yy at h:mm AM`, new balance. */
const raw = String.raw;

const RECEIPT = raw`\b(?P<ref>[a-z][a-z0-9]{9})\s?,?\s?(?:confirmed|imethibitishwa)\b[\s.,]*`;
const SENT_ON = raw`\bon (?P<time>\d{1,2}/\d{1,2}/\d{2,4} at \d{1,2}:\d{2} ?[ap]m)`;
const DETAILS: readonly string[] = [
  // Own wallet first: M-Shwari, KCB and Fuliza print their own balance beside it.
  raw`\b(?:salio|baki) (?:[ly]ako )?(?:jipya |mpya )?(?:la|ya|katika) (?:akaunti ya )?m-?pesa (?:yako )?ni k(?:shs?|es)[\s.]*(?P<balance>-?${NUMBER})`,
  raw`\bnew (?:m-?pesa|business|utility|working)?\s?(?:account )?bal(?:ance)? is k(?:shs?|es)[\s.]*(?P<balance>-?${NUMBER})`,
  raw`\bm-?pesa (?:account )?bal(?:ance)? is k(?:shs?|es)[\s.]*(?P<balance>-?${NUMBER})`,
  SENT_ON,
];

function mpesa(
  direction: Direction,
  id: string,
  pattern: string,
  samples: MessageTemplate['samples'],
): MessageTemplate {
  return {
    id: `mpesa-${id}`,
    bank: 'M-Pesa',
    country: 'KE',
    currency: 'KES',
    senderHeaders: ['MPESA', 'SAFARICOM'],
    rule: direction,
    pattern: raw`${RECEIPT}${pattern}`,
    unless: raw`\b(?:failed|insufficient|declined)\b|\b(?:confirmed|imethibitishwa)\b[\s.,]*fuliza m-pesa amount is\b`,
    details:
      direction === 'credit'
        ? [...DETAILS, raw`\bfrom (?P<payer>[a-z][a-z.' -]{1,48}?)(?:\s[\d*+]{6,}|\s?\.? on\b|\.\s|\.?$)`]
        : DETAILS,
    priority: PRIORITY.bank,
    kind: 'wallet',
    enabled: true,
    samples,
  };
}

const OPTIONAL_DATE = raw`(?:on \d{1,2}/\d{1,2}/\d{2,4} at \d{1,2}:\d{2} ?[ap]m[\s.,]*)?`;

const SWAHILI_DATE = raw`(?:tarehe \d{1,2}/\d{1,2}/\d{2,4} saa \d{1,2}:\d{2} ?[ap]m[\s.,]*)?`;

export const mpesaTemplates: readonly MessageTemplate[] = [
  mpesa('credit', 'received', raw`(?:you have received |received )${SHILLINGS} from\b`, [
    {
      text: 'TDA1B2C3D4 Confirmed.You have received Ksh1,250.00 from A NAME 0700000001 on 5/4/26 at 6:34 PM New M-PESA balance is Ksh2,123.11.',
      expected: { amount: '1250.00', balance: '2123.11', ref: 'TDA1B2C3D4' },
    },
  ]),
  mpesa('credit', 'till-received', raw`${OPTIONAL_DATE}${SHILLINGS} (?:has been |was )?received from\b`, [
    {
      text: 'TDA1B2C3D5 Confirmed. on 5/4/26 at 6:34 PM Ksh100.00 received from 254700000001 A NAME. Account Number 12. New Utility balance is Ksh900.00',
      expected: { amount: '100.00', balance: '900.00', ref: 'TDA1B2C3D5' },
    },
  ]),
  mpesa(
    'credit',
    'loan',
    raw`.{0,60}?\bloan of ${SHILLINGS} .{0,40}?\b(?:deposited|credited|transferred|disbursed) (?:to|in|into) your m-?pesa`,
    [
      {
        text: 'TDA1B2C3F6 Confirmed. Your M-Shwari loan of Ksh500.00 has been approved and deposited to your M-PESA account on 5/4/26 at 8:50 AM. New M-PESA balance is Ksh590.00',
        expected: { amount: '500.00', balance: '590.00', ref: 'TDA1B2C3F6' },
      },
    ],
  ),
  mpesa('credit', 'received-swahili', raw`umepokea ${SHILLINGS} kutoka\b`, [
    {
      text: 'TDA1B2C3F7 Imethibitishwa. Umepokea Ksh400.00 kutoka kwa A NAME 0700000001 tarehe 5/4/26 saa 6:34 PM. Salio lako jipya la M-PESA ni Ksh990.00.',
      expected: { amount: '400.00', balance: '990.00', ref: 'TDA1B2C3F7' },
    },
  ]),
  mpesa('debit', 'sent-swahili', raw`(?:umelipa |umetuma )?${SHILLINGS} (?:imetumwa |imelipwa )?kwa\b`, [
    {
      text: 'TDA1B2C3F8 Imethibitishwa. Ksh40.00 imetumwa kwa A NAME 0700000001 tarehe 5/4/26 saa 6:34 PM. Salio lako la M-PESA ni Ksh950.00.',
      expected: { amount: '40.00', balance: '950.00', ref: 'TDA1B2C3F8' },
    },
  ]),
  mpesa('credit', 'cash-deposit', raw`${OPTIONAL_DATE}give ${SHILLINGS} cash to\b`, [
    {
      text: 'TDA1B2C3D6 Confirmed. On 5/4/26 at 10:01 AM Give Ksh500.00 cash to AN AGENT New M-PESA balance is Ksh700.00.',
      expected: { amount: '500.00', balance: '700.00', ref: 'TDA1B2C3D6' },
    },
  ]),
  mpesa(
    'credit',
    'from-savings',
    raw`(?:you have )?(?:transferred )?${SHILLINGS} (?:transferred )?from (?:your )?(?:m-shwari|kcb|lock savings)`,
    [
      {
        text: 'TDA1B2C3D7 Confirmed.Ksh300.00 transferred from M-Shwari account on 5/4/26 at 9:01 AM. M-Shwari balance is Ksh10.00 .M-PESA balance is Ksh310.00 .',
        expected: { amount: '300.00', balance: '310.00', ref: 'TDA1B2C3D7' },
      },
    ],
  ),
  mpesa(
    'credit',
    'reversed-to-you',
    raw`${SHILLINGS} (?:has been |was )reversed to your (?:m-?pesa )?account`,
    [
      {
        text: 'TDA1B2C3G3 Confirmed. Ksh60.00 has been reversed to your account from A NAME 0700000002 on 3/5/26 at 7:12 AM. New M-PESA balance is Ksh91.50.',
        expected: { amount: '60.00', balance: '91.50', ref: 'TDA1B2C3G3' },
      },
    ],
  ),
  mpesa(
    'credit',
    'reversal',
    raw`reversal of (?:the )?transaction.{0,80}?${SHILLINGS} (?:is|has been) credited to your`,
    [
      {
        text: 'TDA1B2C3D8 Confirmed. Reversal of transaction TDA1B2C300 has been successfully reversed on 5/4/26 at 9:15 AM and Ksh40.00 is credited to your M-PESA account. New M-PESA account balance is Ksh60.00.',
        expected: { amount: '40.00', balance: '60.00', ref: 'TDA1B2C3D8' },
      },
    ],
  ),
  mpesa(
    'debit',
    'reversal-out',
    raw`reversal of (?:the )?transaction.{0,80}?${SHILLINGS} (?:is|has been) debited from your`,
    [
      {
        text: 'TDA1B2C3E8 confirmed. Reversal of transaction TDA1B2C301 has been successfully reversed on 5/4/26 at 9:15 AM and Ksh40.00 is debited from your M-PESA account. New M-PESA account balance is Ksh20.00.',
        expected: { amount: '40.00', balance: '20.00', ref: 'TDA1B2C3E8' },
      },
    ],
  ),
  mpesa(
    'debit',
    'sent-or-paid',
    raw`${OPTIONAL_DATE}(?:you have (?:sent|paid|transferred) )?${SHILLINGS} (?:has been )?(?:(?:sent|paid|transferred|withdrawn) )?(?:to|from business)\b`,
    [
      {
        text: 'TDA1B2C3D9 Confirmed. Ksh1,120.00 paid to A SHOP. on 13/4/26 at 8:01 PM.New M-PESA balance is Ksh123.12. Transaction cost, Ksh0.00.',
        expected: { amount: '1120.00', balance: '123.12', ref: 'TDA1B2C3D9' },
      },
      {
        text: 'TDA1B2C3E1 Confirmed. Ksh20.00 sent to A NAME 0700000002 on 13/4/26 at 8:01 PM. New M-PESA balance is Ksh0.12.',
        expected: { amount: '20.00', balance: '0.12', ref: 'TDA1B2C3E1' },
      },
    ],
  ),
  mpesa('debit', 'withdraw', raw`${OPTIONAL_DATE}withdraw ${SHILLINGS} from\b`, [
    {
      text: 'TDA1B2C3E2 Confirmed.on 13/4/26 at 8:01 PMWithdraw Ksh1,000.00 from 123456 - AN AGENT New M-PESA balance is Ksh50.00.',
      expected: { amount: '1000.00', balance: '50.00', ref: 'TDA1B2C3E2' },
    },
  ]),
  mpesa('debit', 'airtime', raw`you (?:have )?bought ${SHILLINGS} of airtime`, [
    {
      text: 'TDA1B2C3E3 confirmed.You bought Ksh50.00 of airtime on 13/4/26 at 8:01 PM.New M-PESA balance is Ksh5.00.',
      expected: { amount: '50.00', balance: '5.00', ref: 'TDA1B2C3E3' },
    },
  ]),
  mpesa('debit', 'withdraw-swahili', raw`${SWAHILI_DATE}(?:toa|umetoa) ${SHILLINGS} kutoka\b`, [
    {
      text: 'TDA1B2C3F9 Imethibitishwa. tarehe 5/4/26 saa 6:34 PM Toa Ksh200.00 kutoka 123456 - WAKALA Salio jipya la M-PESA ni Ksh90.00.',
      expected: { amount: '200.00', balance: '90.00', ref: 'TDA1B2C3F9' },
    },
  ]),
  mpesa(
    'credit',
    'cash-deposit-swahili',
    raw`${SWAHILI_DATE}(?:mpatie|mpe|weka|umeweka) ${SHILLINGS} (?:taslimu|pesa taslimu|kwa|pesa)\b`,
    [
      {
        text: 'TDA1B2C3G1 Imethibitishwa. Tarehe 5/4/26 saa 10:00 AM Mpatie Ksh500.00 taslimu WAKALA Salio lako jipya la M-PESA ni Ksh590.00.',
        expected: { amount: '500.00', balance: '590.00', ref: 'TDA1B2C3G1' },
      },
    ],
  ),
  mpesa(
    'debit',
    'airtime-swahili',
    raw`umenunua ${SHILLINGS} (?:ya|za) (?:muda wa maongezi|airtime|kredi|bundles?)\b`,
    [
      {
        text: 'TDA1B2C3G2 Imethibitishwa. Umenunua Ksh50.00 ya muda wa maongezi tarehe 5/4/26 saa 11:00 AM. Salio lako jipya la M-PESA ni Ksh540.00.',
        expected: { amount: '50.00', balance: '540.00', ref: 'TDA1B2C3G2' },
      },
    ],
  ),
  mpesa('debit', 'fuliza-repaid', raw`${SHILLINGS} from your m-?pesa has been used\b`, [
    {
      text: 'TDA1B2C3E4 Confirmed. Ksh 101.00 from your M-PESA has been used to fully pay your outstanding Fuliza M-PESA. Available Fuliza M-PESA limit is Ksh 500.00. M-PESA balance is Ksh 9.00.',
      expected: { amount: '101.00', balance: '9.00', ref: 'TDA1B2C3E4' },
    },
  ]),
  {
    ...mpesa('debit', 'failed', '', []),
    rule: 'ignore',
    reason: 'failed',
    priority: PRIORITY.guard,
    pattern: raw`^failed\b|\b(?:you do not have enough money|insufficient funds|transaction (?:has )?failed|wrong pin)\b`,
    unless: raw`\breversed\b`,
    samples: [
      {
        text: 'Failed. You do not have enough money in your M-PESA account to send Ksh500.00.',
        expected: null,
      },
    ],
  },
  {
    ...mpesa('debit', 'balance', '', []),
    rule: 'ignore',
    reason: 'balance_only',
    priority: PRIORITY.guard,
    pattern: raw`\byour account balance was\b|\bfuliza m-?pesa amount is\b`,
    unless: raw`\b(?:sent to|paid to)\b`,
    samples: [
      {
        text: 'TDA1B2C3E5 Confirmed.Your account balance was: M-PESA Account : Ksh12.00 on 13/4/26 at 8:01 PM.',
        expected: null,
      },
    ],
  },
];
