import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';

export interface Instruction {
  /** In minor units. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly payee: string;
  readonly purpose: string;
}

const LINE =
  /^\/transfer(?:@\w+)?\s+([\d,]{1,15}(?:\.\d{1,6})?)\s*(INR|KES|USDT)?\s+(?:to\s+)?(\S.{0,199}?)\s+(?:for|用途)[:：]?\s+(\S.{0,199})$/i;
const FIELDS = {
  amount: /^(?:amount|金额|金額)\s*[:：]\s*([\d,]{1,15}(?:\.\d{1,6})?)\s*(INR|KES|USDT)?$/i,
  payee: /^(?:payee|收款人)\s*[:：]\s*(\S.{0,199})$/i,
  purpose: /^(?:purpose|用途)\s*[:：]\s*(\S.{0,199})$/i,
};

/** Commas may group thousands or lakhs. Any other comma could be a decimal comma. */
const GROUPED = /^\d{1,3}(?:,\d{3})+$|^\d{1,2}(?:,\d{2})*,\d{3}$/;

/** Whether a text is meant as an instruction. Other messages in the group are ignored. */
export function isInstruction(text: string): boolean {
  return /^\/transfer\b/i.test(text.trim());
}

/**
 * Reads an instruction: `/transfer 5000 INR to NAME ACCOUNT for PURPOSE`, or `/transfer` with a line each for amount, payee and purpose.
 * Undefined when anything is missing or could be read in two ways.
 */
export function readInstruction(text: string): Instruction | undefined {
  const trimmed = text.trim();
  const line = LINE.exec(trimmed);
  if (line) return of(line[1]!, line[2], line[3]!, line[4]!);
  const [head, ...rest] = trimmed.split(/\r?\n/).map((each) => each.trim());
  if (!/^\/transfer(?:@\w+)?$/i.test(head!)) return undefined;
  const found = (field: keyof typeof FIELDS) => rest.flatMap((each) => FIELDS[field].exec(each) ?? []);
  const [amounts, payees, purposes] = [
    rest.filter((each) => FIELDS.amount.test(each)),
    found('payee'),
    found('purpose'),
  ];
  if (amounts.length !== 1 || payees.length !== 2 || purposes.length !== 2) return undefined;
  const amount = FIELDS.amount.exec(amounts[0]!)!;
  return of(amount[1]!, amount[2], payees[1]!, purposes[1]!);
}

function of(
  amountText: string,
  currencyText: string | undefined,
  payee: string,
  purpose: string,
): Instruction | undefined {
  const currency = (currencyText?.toUpperCase() ?? 'INR') as Currency;
  const [grouped = '', part = ''] = amountText.split('.');
  if (grouped.includes(',') && !GROUPED.test(grouped)) return undefined;
  const whole = grouped.replaceAll(',', '');
  const digits = CURRENCIES[currency];
  if (part.length > digits) return undefined;
  const amount = BigInt(whole + part.padEnd(digits, '0'));
  if (amount <= 0n || amount > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { amount, currency, payee: payee.trim(), purpose: purpose.trim() };
}
