import type { IgnoreReason, MessageTemplate, TemplateSample } from '../template.ts';
import { AMOUNT } from './fragments.ts';
import { PRIORITY } from './shape.ts';

/**
 * Texts that are no movement, whoever sent them. A guard that is too wide loses a payment; one that is too narrow books an offer. Guards
 * that could match a genuine movement have an `unless`.
 */
const raw = String.raw;

/** States a movement as done. It saves genuine messages that quote an offer, or a failure that the bank has just made good. */
const MONEY = AMOUNT.replace('?P<amount>', '?:');
const MOVED = raw`(?:credited|debited|deposited|withdrawn|deducted|spent|sent)\b`;
const DONE = raw`\b(?:is|was|been|has|have)\s(?:successfully\s)?(?:credited|debited)\b|${MONEY}(?:\s(?:is|was|has been|have been))?\s?${MOVED}|[x*\d]{3,}\s${MOVED}|\b(?:sent|spent|received)\s${MONEY}`;

/** Like DONE, with the number of the own account beside it. Messages about units or points do not print that number. */
const DONE_TO_ACCOUNT = raw`\b(?:a/c|account|acct)\s(?:no\.?\s?)?[x*]*\d{3,}\s(?:is |has been |was )?${MOVED}|${MONEY}(?:\s(?:is|was|has been))?\s(?:credited|debited) (?:to|from|in) .{0,30}?\b(?:a/c|account|acct)\b`;

const OWN = raw`(?:(?:your|ur|to|in|into)\s(?:[a-z]{2,20}\s){0,4}|[a-z]{2,20}\s)?(?:a/?c|acct?|account|savings)s?[\s.:]*(?:(?:no|number|ending|with)\b[\s.:]*)*(?:[x*n#.\d-]*\d{2,}[x*\d-]*|\b)`;
const BANK_OPENS = raw`dear|hi|hello|customer|client|sir|madam|user|member|alert|update|your|ur|you|you've|we|ha[sd]|have|been|is|was|an?|the|there|amount|amt|of|for|by|with|to|in|into|from(?: [a-z]{2,20}){0,3}|via|thru|through|on|at|upi|imps|neft|rtgs|cash|payment|transfer|sb|savings|current|monthly|salary|interest|refund|cashback|money|deposit|cheque|transaction|successfully|credit|[a-z]{2,20} bank|boi|bob|hsbc|sbi|pnb|esaf|kotak|iob|tjsb|digibank`;
const OPENING = raw`(?:(?:(?:${BANK_OPENS})\b|\d{1,2}[/-]?(?:\d{1,2}|[a-z]{3})[/-]?\d{2,4}|\d\d?:\d\d(?::\d\d)?|${OWN})[\s.,:;!~*-]*)*`;
const CREDIT_STATED = raw`(?:credit(?:ed)?|cr|deposited|received)\b`;
const STATED = raw`${CREDIT_STATED}|(?:debited|dr|withdrawn|deducted|sent)\b|debit(?: with|:)`;
const SUM = raw`(?:rs|inr|₹)[\s.:]*\d[\d,.]*(?:/-)?[\s,:;~-]*`;
/**
 * The message opens by stating a movement as done, before anybody else's words. What follows is a payer's remark or a footer, and may say
 * anything. Only words that banks open with may stand around the statement, the own account among them. So no 'Beware:' comes before it and
 * no 'will be' stands within. The templates of movements check everything else that a movement must say.
 */
function opensWith(stated: string): string {
  const done = raw`(?:${stated})[\s.,:;!~-]*`;
  return raw`^(?:[a-z]{2,20}(?:\s[a-z]{2,20})?, you've )?${OPENING}(?:${SUM}${OPENING}${done}|${done}${OPENING}${SUM})|^(?:congratulations!\s)?[a-z\d]{10}\s(?:confirmed|imethibitishwa)\b`;
}
export const OPENS_WITH_MOVEMENT = opensWith(STATED);

export function guard(
  id: string,
  reason: IgnoreReason,
  pattern: string,
  samples: readonly string[],
  extra: Partial<MessageTemplate> = {},
): MessageTemplate {
  return { ...anySender(id, pattern, samples), rule: 'ignore', reason, priority: PRIORITY.guard, ...extra };
}

function anySender(
  id: string,
  pattern: string,
  samples: readonly string[],
): Omit<MessageTemplate, 'rule' | 'reason' | 'priority'> {
  return {
    id,
    bank: '*',
    country: 'IN',
    currency: 'INR',
    senderHeaders: ['*'],
    pattern,
    kind: 'account',
    enabled: true,
    samples: samples.map((text): TemplateSample => ({ text, expected: null })),
  };
}

const CODE = raw`\d{3}[\s-]?\d{3}|\d{4,8}`;
const OTP_WORD = raw`(?:otp|one[\s-]?time[\s-]?(?:password|passcode|pin|code)|(?:verification|authentication|security|secret|secure|dynamic) (?:code|pin|password)|passcode)`;
/** A code must stand in the text. A bare warning such as 'do not share your OTP' must not match, or a real payment would be thrown away. */
const otpTemplates: readonly MessageTemplate[] = [
  {
    ...anySender(
      'otp-code-first',
      raw`(?:^|[^\d.,x*])(?:${CODE})\s(?:is|as)\s(?:the|your|ur|an?)?\s?(?:[a-z/-]+\s){0,6}?${OTP_WORD}\b|^(?:dear [a-z ]{2,30}, )?(?:${CODE})[\s:(-]{1,3}(?:the |your )?${OTP_WORD}\b`,
      [
        '512903 is your OTP for a Dr. INR 500.00 transaction on your card. Do not share it.',
        '4410 is the one time password for adding a payee.',
        '512903 - OTP for Rs 500 on your card.',
      ],
    ),
    unless: OPENS_WITH_MOVEMENT,
    rule: 'otp',
    priority: PRIORITY.otp,
  },
  {
    ...anySender(
      'otp-word-first',
      raw`\b${OTP_WORD}\b(?:\s(?:for|to|is|of|as|at|on|code|sent)\b|\s?[:(=-]).{0,180}?(?:\b(?:is|use|enter)\b\s?:?|[:(=-])\s*(?:${CODE})(?:$|[^\d.,x*]|[.,](?:$|\D))`,
      ['OTP for your order of Rs. 720.25 at A SHOP thru Debit Card 4315*****08 is 660431. Keep it secret.'],
    ),
    unless: raw`\bnever share\b.{0,40}\botp\b.{0,60}\bbal|${OPENS_WITH_MOVEMENT}`,
    rule: 'otp',
    priority: PRIORITY.otp,
  },
  {
    ...anySender(
      'otp-is-code',
      raw`\b${OTP_WORD}\s?(?:is|:)?\s?(?:${CODE})\b|\b(?:${OTP_WORD}|password)\)?[\s:=#-]{1,3}(?:(?:is|no|code)[\s.:]+)?\d{4,6}\b|\botp\b[^\d]{0,30}\d{4,8} is valid\b|\b(?:use|enter)\s(?:${CODE})\s(?:as|for|to)\b.{0,60}?\b(?:otp|log ?in|verif|authori[sz]e|complete|confirm|approve)|\buse (?:otp|code) (?:${CODE})\b`,
      [
        'Use OTP 551290 to approve the payment of Rs 200.',
        'Your bank OTP is 120934. Never share it.',
        'OTP: 5512 to log in.',
        'OTP-551290 for Rs 500 from A/c XX1313',
        'Purchase of Rs 500 at A SHOP. Use 551290 to authorise.',
      ],
    ),
    // A payer writes remarks, so a credit may contain any words. 'debited …, OTP 551290' asks for a debit.
    unless: opensWith(CREDIT_STATED),
    rule: 'otp',
    priority: PRIORITY.otp,
  },
];

const FUTURE_VERB = raw`(?:auto[\s-]?debited|debited|deducted|credited|charged|collected|processed|presented|transferred|initiated|refunded|reversed|paid)`;
const RAIL = raw`(?:neft|rtgs|imps|upi|fund transfer|funds transfer|transfer|remittance)`;

const guards: readonly MessageTemplate[] = [
  guard(
    'will-be-debited',
    'future_or_due',
    raw`\b(?:will|shall|would|to|'ll|would get|may|can|could)\s(?:be|get)\s(?:[a-z]+\s)?${FUTURE_VERB}\b|\b(?:scheduled|due) (?:to be|for) (?:debit|payment|deduction)|\bupcoming (?:mandate|payment|debit|auto)|\bget ${FUTURE_VERB}\b|\bset to be\b|\b(?:is|are|falls) due\b`,
    [
      'Alert: INR.1950.00 will be debited on 27/04/2026 from Test Bank Card 4477 for A SERVICE',
      'The refund of Rs 640 will be credited to your account ending 1212 in two days.',
    ],
    { unless: DONE },
  ),
  guard(
    'under-process',
    'future_or_due',
    raw`\b(?:under|in|being) process(?:ed|ing)?\b|\bcredited (?:[a-z]+\s){0,6}shortly\b|\b(?:initiated|in progress) and will\b`,
    ['Your deposit of Rs 400 to A/c 12345678 is under process.'],
    {
      unless: DONE,
    },
  ),
  guard(
    'declined-or-failed',
    'failed',
    raw`\b(?:is|was|were|been|has|have|be|got|stands|:|could)\s(?:not\s(?:be\s|been\s)?)?(?:declined|failed|unsuccessful|rejected|cancelled|canceled|not (?:be )?(?:processed|completed|successful)|returned unpaid|bounced|dishonou?red|timed out|blocked)\b|\b(?:txn|transaction|payment|transfer|debit|withdrawal)[\s:-]+(?:declined|failed|unsuccessful|rejected)\b|\b(?:txn|transaction|payment|transfer|debit|request)\s(?:of|for)\s${MONEY}[^.;]{0,60}?\s(?:failed|declined|unsuccessful)\b|\b(?:txn|transaction|payment|transfer|debit|upi|imps|neft)\s(?:is |status is |status:? )pending\b|\bcould not be done\b|\bunable to (?:process|confirm|complete|debit)\b|^(?:declined|failed)\b|\binsufficient (?:funds|balance|bal|limit)\b|\bnot (?:successful|processed|completed|gone through|hono?ured)\b|\b(?:txn|transaction|payment|transfer|debit|ecs|nach|ach|mandate|autopay|withdrawal|purchase|upi|imps|neft|rtgs)\b(?:[^.;]|\.\S){0,80}?\s(?:bounced|failed|declined|rejected|dishono?ured|returned unpaid)\b`,
    [
      'Your transaction on Test Bank card for 245.00 at A SHOP is declined due to wrong CVV.',
      'TXN DECLINED: Rs.5527.50 on 12-04-2026 at A SHOP on Test Credit Card 1234.',
      'Hi, Payment of Rs. 33.0 has failed. Any amount, if debited will be refunded.',
      'Your UPI transaction of Rs 500 from A/c XX1234 could not be processed.',
    ],
    // Except a failure that was made good ('credited … as reversal of failed txn') or charged for: those moved money.
    {
      unless: raw`\breversal\b|\b(?:towards|for|as|being)\s[^.;,]{0,30}(?:charges?|chgs?|chrg|penalty|fee)\b|\b(?:has been|is|was) (?:reversed|refunded)\b|\bcredited back\b|\b(?:is|was|been|has|a/c) (?:[x*\d]+ )?(?:credited|debited) (?:with|for|by|back|to|in|from)\b|${MONEY}\s(?:credited|debited) (?:to|from|in)\b|[x*\d]{3,}\s(?:credited|debited)\s(?:for|by|with|rs|inr)\b`,
    },
  ),
  guard(
    'collect-request',
    'collect_request',
    raw`\bcollect request\b|\brequested (?:money|payment|you|to pay|a payment|${MONEY})|\b(?:is|has been|are) request(?:ing|ed)\b.{0,40}?(?:${MONEY}|money|payment)|\b(?:money|payment|pay) request\b|\brequest (?:of|for) ${MONEY}|\bapprove (?:the )?(?:payment|request|transaction)|\bto (?:approve|authori[sz]e|pay),? (?:open|click|log|tap)`,
    [
      'You have received UPI mandate collect request from A SERVICE for INR 149.00. Log in to authorize',
      'a.name@okbank has requested money Rs. 500 from you on a UPI app. On approving, it will be debited.',
    ],
    { unless: DONE },
  ),
  guard(
    'mandate-change',
    'other',
    raw`\b(?:e-?mandate|auto[\s-]?pay|mandate|standing instruction|e-?nach|nach mandate|umrn)\b.{0,90}?\b(?:active|activated|created|set[\s-]?up|registered|approved|accepted|revoked|cancelled|paused|modified|updated|received|initiated|expired?)\b`,
    [
      'AutoPay (E-mandate) Active! Merchant: A SERVICE On Test Credit Card xx1313',
      'Your UPI mandate of Rs 500 towards A SERVICE has been successfully created. UMN 1234@okbank',
    ],
    { unless: DONE },
  ),
  guard(
    'credited-to-beneficiary',
    'outgoing_confirmation',
    raw`\b(?:credited|deposited|received|transferred)(?:\ssuccessfully)?\s(?:to|in|into|by|at)\s(?:the\s|your\s)?(?:beneficiary|beneficiaries|benef|bene|payee|recipient|receiver|remitter)|\b(?:beneficiary|payee|bene)\b.{0,40}?\b(?:has been|is|was)\s(?:successfully\s)?credited\b|\b(?:beneficiary|payee|bene)\s(?:a/c\s|account\s)?credited\b|\bsent by you\b.{0,60}?\bcredited\b|\byour\s${RAIL}\b.{0,140}?\bcredited\sto\s(?:[^y\s]|y[^o])`,
    [
      'Dear Customer, Your NEFT of Rs 20,000.00 with UTR SBIN426127845277 DTD 07/04/2026 credited to Beneficiary AC NO. XX6983 at HDFC0000075.',
      'Your IMPS transfer of Rs 500 has been credited to A NAME, A/c XX1212.',
    ],
    {
      unless: raw`\b(?:debited|deducted) (?:from|for|by|with)\b|\b(?:credited|deposited) (?:to|in|into) (?:your|ur)\b`,
    },
  ),
  guard(
    'transfer-initiated',
    'outgoing_confirmation',
    raw`\b(?:neft|rtgs|imps)\s(?:txn|transaction|transfer)?\s?(?:initiated|request|registered|scheduled)\b|\b(?:neft|rtgs|imps)\smoney deposited\b|\b(?:neft|rtgs|imps)\b.{0,60}?\b(?:has been|is)\s(?:initiated|submitted|accepted for processing)\b`,
    [
      'RTGS Money Deposited~INR 3,00,000.00~To A NAME~Txn No: HDFCR52026041560739217',
      'RTGS txn initiated: Of Rs.200020 from your Test Bank A/c XX1313 using Online Banking.',
    ],
    { unless: raw`\b(?:is|been|was|has|a/c) debited\b|\bdebited from\b` },
  ),
  guard(
    'payee-change',
    'other',
    raw`\badded/modified\b|\b(?:payee|beneficiary)\b.{0,60}?\b(?:added|modified|registered|activated|deleted|approved)\b|\byou(?:'ve| have) (?:added|registered)\b.{0,20}?\b(?:payee|beneficiary|biller|device)`,
    ["You've added/modified payee A NAME with A/c XX8385 via Test Bank Online Banking."],
    { unless: DONE },
  ),
  guard(
    'offer',
    'promo',
    raw`\bpre-?\s?(?:approved|qualified|sanctioned)\b|\b(?:apply|avail|claim|withdraw|shop|invest|buy|book|join) (?:now|here|today)\b|\bhurry\b|\bup\s?to (?:${MONEY}|\d+%)|\bflat (?:\d+%|${MONEY})|\beligible for\b|\b(?:instant|personal|gold|home|car|business) loan (?:of|upto|up to|offer|at|for)\b|\b(?:offer|code|coupon)s? (?:valid|ends|expires)\b|\bvalid till\b|\bwin (?:${MONEY}|cash|prizes?|a|upto)\b|\b(?:get|earn|enjoy) (?:[a-z]+\s){0,3}?(?:cashback|${MONEY}|\d+% )|\blucky draw\b|\brummy\b|\bconvert (?:your |this |the )?(?:[a-z]+ ){0,4}?${MONEY}.{0,90}?\b(?:emi|instal?lments?)\b|\bpersonal loan\b`,
    [
      'Get a pre-approved Personal Loan of Rs.5,00,000 credited to your A/c XX1212 in 10 seconds! Apply now',
      'FLAT Rs 200 OFF on your next order with Test Bank cards. T&C',
    ],
    {
      unless: raw`\b(?:is|was|been|has) (?:successfully )?(?:credited|debited)\b(?: with| by| for| to| from| in)|\b(?:credited|debited|deposited|received|spent|withdrawn|sent|paid)\b.{0,120}?\b(?:bal|balance|lmt|limit|ref|rrn|utr|txn)\b`,
    },
  ),
  guard(
    'reward-points',
    'promo',
    raw`\b(?:reward|bonus|loyalty|cash)\s?points?\b.{0,40}?\b(?:credited|earned|added|expir)|\bpoints credited\b|\b\d+ (?:[a-z]+ )?(?:points|coins|miles)\b.{0,40}?\b(?:credited|earned|added)\b`,
    ['Reward Points Credited: 368 To Test Bank Credit Card 1122 On 01/APR/2026'],
    { unless: raw`\b(?:debited|spent)\b|${DONE_TO_ACCOUNT}` },
  ),
  guard(
    'securities',
    'other',
    raw`\b(?:shares|units|nav-|folio|pran|demat|bonus allotment|allotment)\b.{0,80}?\b(?:credited|allotted|debited|bonus)|\bcredited\b.{0,60}?\b(?:pran|shares|units|demat)\b`,
    ['Units against Voluntary Contribution Rs.5,000.00 credited to PRAN XX1083 at NAV-02/04/26'],
    {
      unless: DONE_TO_ACCOUNT,
    },
  ),
  guard(
    'passbook',
    'balance_only',
    raw`\bpassbook balance\b|\bcontribution of ${MONEY}.{0,60}?\breceived\b`,
    [
      'Dear Member, your passbook balance against TEST0099 is Rs. 1,12,300/-. Contribution of Rs. 1,800/- for Apr-26 has been received.',
    ],
  ),
  guard(
    'cheque-inward',
    'future_or_due',
    raw`\b(?:cheque|chq)\b.{0,80}?\b(?:received|presented|lodged|submitted|deposited) (?:for|in|today|and is)\b.{0,30}?\b(?:clearing|collection)\b`,
    ['Cheque no 123456 for Rs 5000 presented for clearing in your A/c XX1313.'],
    { unless: DONE },
  ),
  // Does not match 'cheque deposits are subject to clearing', which ends every credit of some banks.
  guard(
    'cheque-not-yet',
    'future_or_due',
    raw`\b(?:cheque|chq)\b(?: no| of).{0,120}?\b(?:under clearing|(?:sent|accepted|taken) for (?:clearing|collection)|(?:after|on|upon) reali[sz]ation)\b`,
    [
      'Cheque of Rs.1,000.00 deposited in your A/c XX1313 has been received and is under clearing.',
      'Cheque no. 123456 for Rs 1,000.00 deposited in a/c XX1313; credit will be given after realisation.',
    ],
  ),
  guard(
    'cheque-returned',
    'failed',
    raw`\b(?:cheque|chq)\b.{0,90}?\b(?:returned|bounced|dishonou?red|unpaid|stopped)\b`,
    ['Cheque no. 123456 for Rs 25,000 debited from A/c XX1313 has been returned unpaid.'],
    { unless: raw`\b(?:charges?|chgs?|chrg|reversal)\b|\bdebited\b.{0,60}?\b(?:being|towards)\b` },
  ),
  // The words alone are not enough: genuine messages end in 'dial 1930 for cyber fraud', and a payer may have any name.
  guard(
    'awareness',
    'other',
    raw`\b(?:is|are|may be|could be) (?:an? )?(?:fake|scam|fraud|phishing)\b|^(?:if you (?:did|have) not|never|do not)\b|\b(?:sms|calls?|messages?|e-?mails?) (?:like|claiming|saying)\b`,
    ['BEWARE! SMS like "Rs 5000 credited to A/c XX1313" with a link may be fake.'],
  ),
  guard(
    'beware',
    'other',
    raw`\bbeware\b|\bfraudsters?\s(?:may|might|can|will|are|send|call|claim)\b`,
    ['Beware of calls that ask for your card number.', 'Fraudsters may ask you to approve Rs 500.'],
    { unless: OPENS_WITH_MOVEMENT },
  ),
  guard(
    'hold',
    'other',
    raw`\b(?:lien|hold) (?:of|for|marked|placed)\b|\b(?:blocked|earmarked|lien marked) (?:in|on|from|for|towards)\b|\b${MONEY} (?:is |has been )?(?:blocked|earmarked|put on hold)\b`,
    ['Rs 15,000 has been blocked in your A/c XX1313 for IPO application.'],
    { unless: DONE },
  ),
];

/** Only for texts that no movement template matched, so these guards may be wide. */
const lateGuards: readonly MessageTemplate[] = [
  guard(
    'late-due',
    'future_or_due',
    raw`\b(?:due (?:on|date|for|by|is)|is due|are due|overdue|total due|min(?:imum)? (?:amt|amount)? ?due|amount due|payment due|e-?statement|statement (?:for|of|is)|bill (?:for|of|is|dated)|repayment|emi)\b`,
    ['Your Test Bank Credit Card statement is ready. Total due Rs 5,400, min due Rs 270, due on 12/05/26.'],
  ),
  guard(
    'late-balance',
    'balance_only',
    raw`\b(?:available|avl|current|ledger|clear|a/c|account)?\s?bal(?:ance)?\b.{0,60}?(?:${MONEY}|\d)`,
    ['Your available balance in A/c XX1313 as on 12-APR-26 is Rs 5,000.00.'],
    // A movement in words that no template knows, and a text with two sums, must be shown and not filed away.
    {
      unless: raw`\b(?:credited|debited|received|deposited|withdrawn|sent|paid|transferred|spent|deducted)\b|${MONEY}.*${MONEY}`,
    },
  ),
  guard(
    'late-offer',
    'promo',
    raw`\b(?:offer|cashback|discount|loan|reward|congrat\w*|sale|off on|win|t&c|tnc)\b`,
    ['Shop with your card this weekend and enjoy a discount. TnC'],
  ),
  guard(
    'late-card-service',
    'other',
    raw`\b(?:request (?:received|no|id)|sr#|sr no|kyc|pin (?:has been|changed|is)|password|registered|activated|fastag|complaint|logged in|login)\b`,
    ['Request Received! Address change SR#TEST1234'],
  ),
].map((template) => ({ ...template, priority: PRIORITY.lateGuard }));

export const guardTemplates: readonly MessageTemplate[] = [...otpTemplates, ...guards, ...lateGuards];
