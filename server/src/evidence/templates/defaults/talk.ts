import type { MessageTemplate } from '../template.ts';
import { AMOUNT } from './fragments.ts';
import { guard, OPENS_WITH_MOVEMENT } from './guards.ts';

/** Texts about movements that were announced, attempted, disputed or reported before. They use the words of a movement, but report none. */
const raw = String.raw;

const MONEY = AMOUNT.replace('?P<amount>', '?:');
/** Within one sentence. The point of `500.00` or `Rs.5` ends no sentence. */
const SAME_SENTENCE = raw`(?:[^.;]|\.\S)`;
const GIVEN_BACK = raw`\b(?:been|is|was) (?:reversed|refunded)\b|\b(?:credited|refunded) back\b`;
const CHARGED_FOR = raw`\b(?:charges?|chgs?|chrg|penalty|fees?|fine)\b`;

export const talkGuards: readonly MessageTemplate[] = [
  guard(
    'out-but-failed',
    'failed',
    raw`${MONEY}\s(?:is |was |has been )?(?:debit(?:ed)?|withdrawn|sent|paid|spent|transferred|deducted)\b${SAME_SENTENCE}{0,90}?\s(?:has|have|is|was|got)\s(?:been )?(?:failed|declined|unsuccessful|not successful|pending|rejected|blocked|on hold)\b`,
    ['Rs 500 debited from A/c XX1313 has failed and will be reversed.'],
    { unless: raw`${GIVEN_BACK}|${CHARGED_FOR}` },
  ),
  guard(
    'announced',
    'future_or_due',
    raw`^(?:dear [a-z]+, )?(?:reminder|upcoming|scheduled)\b|\b(?:debit|debited|payment|deduction)\b${SAME_SENTENCE}{0,60}?\s(?:scheduled|tomorrow)\b|\byou(?:'ve| have) authori[sz]ed\b|\bis being (?:credited|debited|transferred|refunded)\b|\b(?:refund|credit|payment|transfer|reversal|redemption|salary) (?:amount )?of ${MONEY} (?:is|was|has been) (?:initiated|sanctioned|scheduled)\b|\bapplicable (?:on|for)\b.{0,80}?\bw\.?e\.?f\b|\b(?:si|standing instruction|mandate)\b${SAME_SENTENCE}{0,70}?\sis (?:registered|active)\b`,
    [
      'Reminder: Rs 500 debit from A/c XX1313 for a SIP',
      'Auto-debit of Rs.500 from A/c XX1313 scheduled for 01-12-26',
      'Your refund of Rs 500 is initiated to A/c XX1313',
    ],
    { unless: OPENS_WITH_MOVEMENT },
  ),
  guard(
    'asked-or-disputed',
    'other',
    raw`^(?:[a-z]+[!:,]? ){0,3}?did you\b|\bsuspicious\b|\battempted\b|\b(?:complaint|dispute|chargeback|grievance)\b.{0,90}?\b(?:registered|closed|raised|received|logged|under)\b|\brequest (?:to|for) (?:credit|debit|transfer)\b`,
    [
      'Did you make a transaction of Rs 500 on card XX1313? Reply NO to block it.',
      'Complaint no 123 about Rs 500 debited from A/c XX1313 is registered.',
    ],
    {
      unless: raw`${OPENS_WITH_MOVEMENT}|\bcredited (?:to|in) (?:your |ur )?(?:[a-z]+ ){0,3}?(?:a/?c|acct?|account)\b`,
    },
  ),
  guard(
    'told-before',
    'balance_only',
    raw`\blast (?:\d+ )?(?:txns?|transactions?)\b|\bmini[\s-]?statement\b|\bsummary\b.{0,40}?${MONEY}|\bview (?:your )?(?:e-?)?statement\b|\b(?:tax|interest|balance) certificate\b`,
    ['Balance in A/c XX1313 is Rs 500. Last txn: Rs 50 debited on 12-05-26'],
    { unless: OPENS_WITH_MOVEMENT },
  ),
  guard(
    'credited-to-somebody',
    'outgoing_confirmation',
    raw`\b(?:beneficiary|payee|bene)\b.{0,60}?\bcredited\b|\bcredited (?:to|in|into) (?:[a-z.]+ ){0,3}?[a-z]+'s (?:bank )?(?:a/?c|acct?|account)\b|\bcredited (?:to|in|into)\b.{0,60}?\bfrom (?:your|ur) (?:[a-z]+ ){0,3}?(?:a/?c|acct?|account)\b|\b(?:your|ur) payment of ${MONEY} to\b.{0,100}?\bcredited\b|\b(?:transferred|remitted|paid) by you\b.{0,60}?\bcredited\b`,
    [
      'Beneficiary A NAME A/c XX1313 credited with Rs 500 for your NEFT txn',
      "Money sent! Rs 500 has been credited to A NAME's account XX1313",
    ],
    { unless: raw`\b(?:debited|deducted)\b|\b(?:credited|deposited) (?:to|in|into) (?:your|ur)\b` },
  ),
];
