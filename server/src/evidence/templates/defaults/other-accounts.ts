import type { MessageTemplate } from '../template.ts';
import { AMOUNT } from './fragments.ts';
import { guard } from './guards.ts';
import { PRIORITY } from './shape.ts';

/**
 * Money that reached something other than a receiving account: a loan, a deposit, somebody's bill. Read as a movement, it would be compared
 * with orders, and the number of the loan or deposit would be taken for an account's.
 */
const raw = String.raw;

const MONEY = AMOUNT.replace('?P<amount>', '?:');
const DEPOSIT = raw`(?: deposit| fd| rd| tdr| stdr| ppf| nps| samriddhi| fastag|[ /](?:demat|trading))`;
const NUMBER = raw`(?:\s(?:a/?\s?c|acct?|account))?(?:[\s.:#-]*(?:no|number|ending|with)\b)*[\s.:#-]*[x*]{0,20}\d`;
/** Any word but 'account', because 'credited to your savings account towards FD 12' reached the account. */
const WORD = raw`(?:[b-z][a-z&']*|a[abd-z][a-z&']*|an?)`;
/** The text names an account that is none of these. */
const OWN_NAMED = raw`\bdebited\b|\b(?:your|ur|bank|in|to|into|savings|current|sb)\s(?:a/?c|acct?|account)\b`;

export const otherAccountGuards: readonly MessageTemplate[] = [
  guard(
    'other-account-credited',
    'other',
    raw`\b(?:credited|deposited|received|posted|added)\s(?:to|in|into|on|towards|for|against)(?:\s${WORD}){0,4}?(?: loan|${DEPOSIT})${NUMBER}|\b(?:\bloan|${DEPOSIT})${NUMBER}[x*\d-]*[\s,:-]+(?:(?:is|was|has been|have been)\s)?credited\s(?:with|by|for)\b|\b(?:charged|levied|debited)\s(?:to|in)(?:\s${WORD}){0,4}? loan${NUMBER}`,
    [
      'Rs 5,000.00 credited to your Loan A/c XX1313 on 12-04-26.',
      'Your FD account XX1313 is credited with Rs 310.00 as interest.',
    ],
    {
      priority: PRIORITY.otherAccount,
      unless: raw`\b(?:from|in|to|into) (?:your |ur )(?:[a-z]+ ){0,3}?(?:savings|current|bank) (?:a/?c|account)\b|\bcredited (?:to|in|into) (?:your |ur )?(?:a/?c|acct?|account)\b|\bdebited from\b`,
    },
  ),
  guard(
    'interest-on-deposit',
    'other',
    raw`\bint(?:erest|\.)?\s.{0,60}?\b(?:paid|earned|credited|accrued|capitali[sz]ed|added|posted)\s(?:on|to|for|in|into|against|towards)(?:\s${WORD}){0,3}?${DEPOSIT}\b|\btds\b.{0,60}?\b(?:on|from) interest\b.{0,40}?${DEPOSIT}\b`,
    ['Interest of Rs 310.00 has been paid on Fixed Deposit no. 0712300000 on 12-Apr-26.'],
    {
      priority: PRIORITY.otherAccount,
      unless: raw`\b(?:credited|paid|transferred) (?:to|in|into) (?:your |ur )?(?:[a-z]+ ){0,3}?(?:a/?c|acct?|account)\b|\b(?:savings?|sb)\b`,
    },
  ),
  guard(
    'received-for-a-bill',
    'outgoing_confirmation',
    raw`\breceive(?:d|ipt)\b.{0,50}?\b(?:towards|for|against|to)\s(?:your |ur |the )?(?:[a-z]+ ){0,3}?(?:loan|emi|premium|policy|bill|recharge)\b|\b(?:received|receipt of)\b.{0,50}?\b(?:for|against)\s(?:your |ur |the )?(?:[a-z]+ ){0,3}?credit card\b|\bpayment\b.{0,30}?\bfor (?:your |ur |the )?(?:[a-z]+ ){0,3}?credit card\b.{0,60}?\breceived\b|\b(?:emi|instal?lment|premium|bill) (?:of |for |amount )?(?:${MONEY}|[a-z ]{0,20})[^.;]{0,40}?\breceived\b|\bcredit card\b.{0,30}?\byour payment\b.{0,40}?\breceived\b`,
    [
      'We have received payment of Rs.500.00 for your Test Bank Credit Card ending 1313. Thank you.',
      'Your EMI of Rs.500 is received. Loan no. XX1313',
    ],
    { unless: OWN_NAMED },
  ),
];
