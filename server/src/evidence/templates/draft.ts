import { bankOf } from './current.ts';
import { compileTemplate, matchMovement } from './engine.ts';
import { CREDIT_DETAILS, DEBIT_DETAILS } from './defaults/fragments.ts';
import { formatMinor } from './fields.ts';
import { normaliseText, parseSender } from './normalise.ts';
import type { BankHeader } from './store.ts';
import type { Direction, MessageTemplate, MovementSample } from './template.ts';

const AMOUNT = String.raw`(?P<amount>\d[\d,]*(?:\.\d{1,2})?)`;
const ACCOUNT = String.raw`(?P<account>[\dx*.-]*\d{2,})`;

/** What varies from message to message, and the pattern that replaces it. The first kind that fits at a place wins. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/\b[a-z0-9][\w.-]*@[a-z][\w.]*/i, String.raw`\S+@\S+`],
  [/https?:\/\/\S+/i, String.raw`\S+`],
  [/[x*]+[\dx*-]*\d{2,}/i, String.raw`[\dx*-]+`],
  [
    /\d{1,4}[-/.:]\d{1,2}[-/.:]\d{2,4}|\d{1,2}[-/ ]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-/ ]?\d{0,4}/i,
    String.raw`[\w/:. -]{3,20}`,
  ],
  [/(?:[a-z]{3,5})?\d[\da-z,]*(?:\.\d+)?/i, String.raw`[a-z0-9,.]+`],
];
const anyVariable = new RegExp(VARIABLE.map(([form]) => `(?:${form.source})`).join('|'), 'gi');

/**
 * A template that reads this message: fixed words stay, what varies is left open, amount and account become groups. It is a start for the
 * editor and never in force by itself. Undefined if the text shows no amount.
 */
export function draftTemplate(
  message: { readonly sender: string; readonly text: string; readonly receivedAt: Date },
  added: readonly BankHeader[],
): MessageTemplate | undefined {
  const text = normaliseText(message.text);
  const money = /(?:\brs|\binr|₹|\bkshs?|\bkes)[\s.:]*(\d[\d,]*(?:\.\d{1,2})?)/i.exec(text);
  if (!money) return undefined;
  const amountAt = money.index + money[0].length - money[1]!.length;
  const account = /\b(?:a\/?c|acct?|account|card)\b[^\d]{0,24}?([x*.\d-]*\d{2,})/i.exec(text);
  const accountAt = account ? account.index + account[0].length - account[1]!.length : -1;
  // Up to the end of the clause with both. The details read what follows (balance, reference, date).
  const until = Math.max(amountAt + money[1]!.length, accountAt + (account?.[1]?.length ?? 0));
  const from = Math.max(0, Math.min(money.index, account?.index ?? money.index, firstWord(text)));
  const places = [
    { at: amountAt, length: money[1]!.length, pattern: AMOUNT },
    ...(account && !(accountAt <= amountAt && amountAt < accountAt + account[1]!.length)
      ? [{ at: accountAt, length: account[1]!.length, pattern: ACCOUNT }]
      : []),
  ].toSorted((a, b) => a.at - b.at);
  let pattern = '';
  let at = from;
  for (const place of places) {
    pattern += openWords(text.slice(at, place.at)) + place.pattern;
    at = place.at + place.length;
  }
  pattern += openWords(text.slice(at, until));
  const sender = parseSender(message.sender);
  const header = sender.type === 'header' ? sender.header : 'NEWBANK';
  const direction: Direction =
    /\b(?:credit|received|deposit|refund)/i.test(text.slice(0, until + 40)) &&
    !/\bdebit/i.test(text.slice(0, until))
      ? 'credit'
      : 'debit';
  const country = header === 'MPESA' ? 'KE' : 'IN';
  const template: MessageTemplate = {
    id: `own-${header.toLowerCase()}-${direction}`,
    bank: bankOf(header, added) ?? header,
    country,
    currency: country === 'KE' ? 'KES' : 'INR',
    senderHeaders: [header],
    rule: direction,
    pattern,
    details: direction === 'credit' ? CREDIT_DETAILS : DEBIT_DETAILS,
    priority: 600,
    kind: 'account',
    enabled: true,
    samples: [],
  };
  return {
    ...template,
    samples: [{ text: message.text, expected: sampleOf(template, text, message.receivedAt) }],
  };
}

/** Where the first verb stands: it belongs to the pattern ('Received Rs 5', 'You have been paid …'). */
function firstWord(text: string): number {
  const verb = /\b(?:received|credited|debited|paid|sent|deposited|withdrawn|credit|debit)\b/i.exec(text);
  return verb?.index ?? text.length;
}

/** Escapes the words, and leaves white space, numbers and addresses open. */
function openWords(words: string): string {
  let open = '';
  let at = 0;
  for (const variable of words.matchAll(anyVariable)) {
    open += escape(words.slice(at, variable.index));
    open +=
      VARIABLE.find(([form]) => new RegExp(`^(?:${form.source})$`, 'i').test(variable[0]))?.[1] ??
      String.raw`\S+`;
    at = variable.index + variable[0].length;
  }
  return open + escape(words.slice(at));
}

const escape = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function sampleOf(template: MessageTemplate, text: string, at: Date): MovementSample | null {
  const movement = matchMovement(compileTemplate(template), text, at)?.movement;
  if (!movement) return null;
  return {
    amount: formatMinor(movement.amountMinor),
    ...(movement.accountTail !== undefined && { account: movement.accountTail }),
    ...(movement.balanceMinor !== undefined && { balance: formatMinor(movement.balanceMinor) }),
    ...(movement.ref !== undefined && { ref: movement.ref }),
  };
}
