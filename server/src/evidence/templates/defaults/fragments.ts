/**
 * Building blocks of the default patterns (RE2, case-insensitive, against normalised text). Only the composed strings reach the table, so
 * nobody needs these blocks to read or edit a template later.
 */
const raw = String.raw;

/** `1,00,000.00`, `100,000`, `0,12,345.67`, `5`, `413940.4`. */
export const NUMBER = raw`(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)(?:\.\d{1,2})?`;

/** `Rs`, `Rs.`, `Rs:`, `INR`, `INR Rs.`, `₹`. */
const RUPEES = raw`(?:(?:\b(?:rs|inr|rupees)|₹)[\s.:]*){1,2}`;
export const AMOUNT = raw`${RUPEES}(?P<amount>${NUMBER})(?:\s?/-)?`;
/** Kenyan shillings: `Ksh1,000.00`. */
export const SHILLINGS = raw`\bk(?:shs?|es)[\s.]*(?P<amount>${NUMBER})`;

/** XX1234, *1234, ...1234, x2451, NN1234, 123xxxx4567, 074-260***-006 and full numbers. */
const MASKED = raw`(?:(?:[x*]{2,6}\s){0,3}[\dx*n#-]{0,24}[x*n#]-?\s?\d{2,18}|\d{3,18})`;
export const ACCOUNT = raw`(?P<account>${MASKED})`;
const NUMBER_WORDS = raw`(?:[\s.:]*(?:no|nos|num|number|ending|ends|with|in)\b)*[\s.:#(-]*`;
/** `a/c`, `A/c No.`, `Acct`, `account ending with`, followed by the number. */
const ACCOUNT_WORD = raw`\b(?:a/?\s?c|accounts?|acct|acc|savings? no)`;
/** Karnataka Bank sets the digits between two letters: x8108x. */
export const OWN_ACCOUNT = raw`${ACCOUNT_WORD}${NUMBER_WORDS}${ACCOUNT}x?`;
export const OWN_CARD = raw`\b[a-z]{0,12}card\b(?:\s(?:member|linked))?${NUMBER_WORDS}${ACCOUNT}`;

/**
 * Words that do not open the clause of the other party. That clause opens with 'from …' or 'debited …' in a credit, and with 'credited …'
 * or 'to …' in a debit.
 */
const CREDIT_WORD = raw`(?:[a-ceg-z][a-z&'/]*|d[a-df-z][a-z&'/]*|f[a-qs-z][a-z&'/]*)`;
const DEBIT_WORD = raw`(?:[abd-su-z][a-z&'/]*|c[a-qs-z][a-z&'/]*|t[a-np-z][a-z&'/]*)`;
export const WORD = { credit: CREDIT_WORD, debit: DEBIT_WORD } as const;

/** `is`, `has been`, `was successfully`. */
export const AUXILIARY = raw`(?:[\s:,-]+(?:is|was|has|have|had|been|hs|bn|got|now|successfully|an?))*`;

const CLOCK = raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b)?`;
const MONTH = raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*`;
const DATE = raw`(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[-/ ]?${MONTH}[-/, ]{0,2}\d{0,4}|\d{4}[-:/]\d{2}[-:/]\d{2})`;
/** `on 12-05-26`, `on 12May26 at 10:30`, anywhere between verb and amount or account. */
export const ON_DATE = raw`(?:[\s,]*(?:on|dt|dated)?(?:\sdate)?[\s:.]*${DATE}(?:[\s,:]*(?:at\s)?${CLOCK})?)`;

/**
 * References, by label and by the slashed forms of the rails. Labels of numbers that are no references (cheque no, UMRN, card ids, a
 * four-digit ATM transaction number) are not listed, and nothing shorter than six characters counts.
 */
const REF_VALUE = raw`(?P<ref>[a-z]{0,8}\d[a-z0-9]{5,30}|(?:txn|trn|trf|ref|utr)\d{3,5}\b)`;
/** `NEFT`, `NEFT INWARD`, `NEFTINWARD`, then the sender's IFSC where the bank prints it before the UTR. */
const BANK_RAIL = raw`\b(?:neft|rtgs)[\s*/:-]*(?:(?:cr|dr|in|inw|inward)\b[\s*/:-]*)?(?:[a-z]{4}0[a-z0-9]{6}[*/:-]+)?`;
const UTR = raw`[a-z]{1,6}\d[a-z0-9]{8,24}`;
const REFERENCES: readonly string[] = [
  raw`\b(?:utr|rrn)\b(?:\.?\s?(?:no|num|number|id|ref)\b)?[\s.:#-]*(?:is\s)?(?P<ref>[a-z0-9]{6,34})\b`,
  raw`\brefno[\s.:#-]*${REF_VALUE}`,
  raw`\bref(?:erence)?(?:\.?\s?(?:no|num|number|id|#)\b)?[\s.:#-]*(?:(?:is|txn|utr|rrn|upi|imps)[\s.:#-]+)?${REF_VALUE}`,
  raw`\b(?:upi|imps|mmt|p2a|p2m)(?:\s(?:txn|ref|transaction))?[\s:/*-]+(?:[a-z0-9]{2,8}[/*-]){0,2}[a-z]?(?P<ref>\d{9,18})\b`,
  raw`\bimps[\s:/-]+(?P<ref>[a-z]{2,6}\d{6,18})\b`,
  // Ten digits at this place are a mobile number.
  raw`\bmtfr/(?P<ref>\d{12})\b`,
  raw`${BANK_RAIL}(?P<ref>${UTR})\b`,
  // HDFC prints the sender's IFSC, name and remark before the reference.
  raw`\b(?:neft|rtgs)\s(?:cr|dr)\b[^.]{0,120}-(?P<ref>(?:[a-z]{4,6}|n)\d[a-z0-9]{8,24})\b`,
  raw`\b(?:txn|transaction|trxn|tran)\s?(?:id|no|number|ref)\b[\s.:#-]*(?P<ref>[a-z]{0,4}\d[a-z0-9]{7,30})\b`,
];

/** Available before clear before the rest, because some banks print two balances. The limit of a card has none of these labels. */
const BALANCE_LINK = raw`[.:-]*(?:\s-\s|[\s.:]|\([^)-]{1,40}\)|(?:is|now|stands at|of|your|for|in|a/c|account|as on\s\S+|as of\s\S+)\b[.:-]*)*`;
const MINUS = raw`(?:-|\(-\)|minus\b)\s?`;
const SIDE = raw`(?:\s?\(?(?:cr|dr)\b)?`;
/** A dash after a space belongs to the sum ('Bal: -Rs.500'). In 'Bal-', 'Bal:-' and 'Bal - ' it only separates the sum. */
const BALANCE = raw`${BALANCE_LINK}(?:${RUPEES})?(?P<balance>(?:${MINUS}(?:${RUPEES})?)?${NUMBER}${SIDE})`;
const BAL = raw`bal(?:ance)?\b`;
const AVAILABLE = raw`(?:available|avail|avlbl|avlb|avbl|avble|aval|avl|avi|avai)`;
const AVAILABLE_BALANCE = raw`\b${AVAILABLE}[\s.:-]*(?:bal(?:ance)?|amt|amount)\b${BALANCE}`;
const BALANCES: readonly string[] = [
  raw`\b${AVAILABLE}[\s.:-]*${BAL}[^.;\d]{0,20}${ACCOUNT_WORD}${NUMBER_WORDS}${MASKED}[\s,:]*(?:is|:)?\s?${RUPEES}(?P<balance>(?:${MINUS})?${NUMBER}${SIDE})`,
  AVAILABLE_BALANCE,
  raw`\b(?:clr|clear|cleared)[\s.:-]*${BAL}${BALANCE}`,
  raw`\b(?:current|curr|cur|new|updated|final|closing|net|remaining|wallet|total|ledger|main)[\s.:-]*(?:a/c\s|account\s)?${BAL}${BALANCE}`,
  raw`\bbal(?:ance)?\b${BALANCE}`,
];

/**
 * Months by name come before months by number, because `06.33.02` is a clock. The form without a year only counts after 'on', which
 * announces a date.
 */
const AT_CLOCK = raw`(?:[\s,;:]+(?:at\s)?${CLOCK})?`;
const TIMES: readonly string[] = [
  raw`\b(?P<time>20\d{2}[-:/]\d{2}[-:/]\d{2}(?:[\s,:T]+(?:at\s)?${CLOCK})?)`,
  raw`\b(?P<time>\d{1,2}(?:st|nd|rd|th)?[-/ ]?${MONTH}(?:[-/, ']{0,2}\d{4}|[-/']?\d{2})\b${AT_CLOCK})`,
  raw`\b(?P<time>${MONTH} \d{1,2},? \d{4}${AT_CLOCK})`,
  raw`\b(?:on|of|dt)\s(?P<time>\d{1,2}[-/ ]?${MONTH}\b${AT_CLOCK})`,
  raw`\b(?P<time>\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})\b${AT_CLOCK})`,
  raw`\bon\s(?P<time>\d{1,2}[-/]\d{1,2}\b${AT_CLOCK})`,
];

/** The handle of a VPA has no dot, and so differs from an e-mail address. A sentence may still end directly after it. */
const VPA = raw`\b(?P<vpa>[a-z0-9][a-z0-9._-]{1,60}@[a-z]{2,20})(?:$|[^a-z0-9.@]|\.(?:$|\s|ref|rrn|utr|upi|imps|not|if|avl|aval|bal|small|info|call))`;

const NAME_END = raw`(?:\s(?:on|to|in|into|at|via|through|thru|ref|refno|utr|rrn|upi|imps|neft|rtgs|info|has|have|is|was|dt|dated|towards|with|for|txn|avl|aval|bal|rs|inr|not you|credited|debited|received|[a-z]{2,20} bank)\b|[,;:(*/\d~-]|\.(?:\s|$)|$)`;
const NAME = raw`(?P<payer>(?:(?:mr|mrs|ms|dr|shri|smt)\.\s?)?[a-z][a-z.'& ]{1,48}?)${NAME_END}`;
const PAYERS: readonly string[] = [
  raw`\bfrom\s(?:[a-z]+\s)?a/c\s\S{3,24}\sof\s${NAME}`,
  raw`\bupi/(?:cr|p2a|p2m|credit)/[a-z]?\d{9,}/${NAME}`,
  // After the reference of a transfer: NEFT-UTR-NAME, NEFTINWARD UTR/NAME, IMPS/123456789012/NAME.
  raw`(?:${BANK_RAIL}${UTR}|\b(?:imps|mmt)[\s/:-]+(?:[a-z0-9]{2,6}[/-])?\d{9,18}|\bmtfr(?:/\d{10,12})?)[*/-]${NAME}`,
  raw`\bneft\s(?:(?:inward|trf):\s?|of\s)${NAME}`,
  raw`\b(?:from|frm)\s${NAME}`,
  raw`\bby\s${NAME}`,
];
const REMARKS: readonly string[] = [
  raw`\b(?:info|remarks?|narration|det)\b[\s.:-]+(?P<remark>[^;]{3,80}?)(?:\.\s|\.?$|\s-\s|\s(?:avl|aval|avail|available|the available|final|total|clear|clr)\b)`,
  raw`\b(?P<remark>(?:upi|imps|neft|rtgs)/[^\s.;]{6,80})`,
];

/** Where verb and account stand apart ('withdrawn with card 3321. A/c XX6767 Avl Bal'), the account next to the balance is the own one. */
const ACCOUNT_OF_BALANCE = raw`${OWN_ACCOUNT}[\s,.:-]{0,3}(?:(?:${AVAILABLE}|clr|clear|total|new|updated|current)[\s.:-]*)?${BAL}`;

/** Searched in every Indian movement. Of the patterns for one field, an earlier one is preferred. */
export const CREDIT_DETAILS: readonly string[] = [
  ...REFERENCES,
  ...BALANCES,
  ...TIMES,
  ACCOUNT_OF_BALANCE,
  VPA,
  ...PAYERS,
  ...REMARKS,
];
/** A debit names a payee, who is no payer. */
export const DEBIT_DETAILS: readonly string[] = [
  ...REFERENCES,
  ...BALANCES,
  ...TIMES,
  ACCOUNT_OF_BALANCE,
  VPA,
  ...REMARKS,
];
/** A credit card prints a limit, which is no balance; a prepaid or debit card prints 'available balance'. */
export const CARD_DETAILS: readonly string[] = [
  ...REFERENCES,
  AVAILABLE_BALANCE,
  // Not 'outstanding balance': there a word stands before 'balance'.
  raw`[.;:)\d]\s?\bbal(?:ance)?\b${BALANCE}`,
  ...TIMES,
  VPA,
];
export const DETAILS = { credit: CREDIT_DETAILS, debit: DEBIT_DETAILS } as const;
