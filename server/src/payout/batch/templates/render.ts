import { formatMinor, type Currency } from '@sangam/contract/money.ts';
import type { TEMPLATE_FIELDS, TemplateFormat } from '@sangam/contract/payout-templates.ts';
import { formatTime } from '@sangam/contract/time.ts';

/** The account a file pays from. */
export interface PayingAccount {
  readonly accountNumber: string;
  readonly ifsc: string | null;
  readonly ownerName: string;
  readonly currency: Currency;
}

/** A payout as a file pays it. */
export interface FilePayee {
  readonly payeeName: string | null;
  readonly payeeAccount: string | null;
  readonly payeeIfsc: string | null;
  readonly payeeBank: string | null;
  readonly payeeVpa: string | null;
  /** Minor units. */
  readonly amount: bigint;
}

/** One row of a file. */
export interface FileRow extends FilePayee {
  readonly row: number;
  readonly reference: string;
  readonly mode: string;
}

export interface FileFacts {
  readonly account: PayingAccount;
  /** When the bank is asked to pay. */
  readonly payAt: Date;
  /** Number of the file among those of its account and day. */
  readonly serial: number;
  readonly rows: readonly FileRow[];
}

type Field = (typeof TEMPLATE_FIELDS)[number];
type Values = Readonly<Partial<Record<Field, string | number | Date>>>;

/** The bank's code for the way this payout is paid (NEFT, IMPS, …); undefined when the template has none that fits. */
export function modeOf(
  format: TemplateFormat,
  account: Pick<PayingAccount, 'ifsc'>,
  order: FilePayee,
): string | undefined {
  const payee = order.payeeAccount === null ? 'vpa' : 'account';
  const sameBank =
    account.ifsc !== null && order.payeeIfsc?.slice(0, BANK_LETTERS) === account.ifsc.slice(0, BANK_LETTERS);
  return format.modes.find(
    (mode) =>
      mode.payee === payee &&
      (mode.bank === 'any' || sameBank) &&
      (mode.from === undefined || order.amount >= BigInt(mode.from)) &&
      (mode.to === undefined || order.amount <= BigInt(mode.to)),
  )?.code;
}

const BANK_LETTERS = 4;

/** Makes the whole file. The same facts make the same bytes. */
export function renderFile(
  format: TemplateFormat,
  facts: FileFacts,
): { readonly fileName: string; readonly content: string } {
  const { account, payAt, serial, rows } = facts;
  const shared: Values = {
    currency: account.currency,
    debitAccount: account.accountNumber,
    debitIfsc: account.ifsc ?? '',
    debitName: account.ownerName,
    payDate: payAt,
    serial,
    count: rows.length,
    total: decimal(
      rows.reduce((sum, row) => sum + row.amount, 0n),
      account.currency,
    ),
  };
  const write = (text: string, values: Values) => fill(text, values, format.parameters);
  const lines = [
    ...format.leadRows.map((row) => row.map((text) => clean(write(text, shared), format.opened))),
    ...(format.header ? [format.columns.map((column) => column.name)] : []),
    ...rows.map((row) => {
      const values = { ...shared, ...valuesOf(row, account.currency) };
      return format.columns.map(({ value, max }) =>
        clean(write(value, values).slice(0, max), format.opened && !isNumber(value)),
      );
    }),
  ];
  const end = format.lineEnd === 'crlf' ? '\r\n' : '\n';
  return {
    fileName: write(format.fileName, shared).replace(/[^A-Za-z0-9._-]/g, '_'),
    content: lines.map((cells) => cells.join(',') + end).join(''),
  };
}

function valuesOf(row: FileRow, currency: Currency): Values {
  return {
    mode: row.mode,
    amount: decimal(row.amount, currency),
    reference: row.reference,
    row: row.row,
    payeeName: row.payeeName ?? '',
    payeeAccount: row.payeeAccount ?? '',
    payeeIfsc: row.payeeIfsc ?? '',
    payeeBank: row.payeeBank ?? '',
    payeeVpa: row.payeeVpa ?? '',
    payeeKind: row.payeeAccount === null ? 'vpa' : 'bank_account',
  };
}

const decimal = (minor: bigint, currency: Currency) => formatMinor(minor, currency);

/** Whether the cell holds a number of ours, which no spreadsheet takes for a formula. */
const isNumber = (value: string) => /^\{\{(?:amount|row|serial|count|total)\}\}$/.test(value);

function fill(text: string, values: Values, parameters: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{([^{}:]+)(?::([^{}]*))?\}\}/g, (_, name: string, how: string | undefined) => {
    const value = values[name as Field] ?? parameters[name] ?? '';
    if (value instanceof Date) return dateText(value, how ?? 'dd/MM/yyyy');
    return how === undefined ? String(value) : String(value).padStart(Number(how), '0');
  });
}

/** A moment of the business clock by pattern: dd, MM, MMM, yy, yyyy, HH, mm, ss. */
function dateText(moment: Date, pattern: string): string {
  const [day = '', time = ''] = formatTime(moment).split(' ');
  const [yyyy = '', MM = '', dd = ''] = day.split('-');
  const [HH = '', mm = '', ss = ''] = time.split(':');
  const parts: Readonly<Record<string, string>> = {
    yyyy,
    MM,
    dd,
    HH,
    mm,
    ss,
    yy: yyyy.slice(2),
    MMM: MONTHS[Number(MM) - 1]!,
  };
  return pattern.replace(/yyyy|yy|MMM|MM|dd|HH|mm|ss/g, (part) => parts[part]!);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * A cell that banks' programs can read: no accents, commas, quotes, line breaks or other signs beyond ASCII, which would shift columns or
 * be refused. If people open the file (`opened`), a cell that a spreadsheet would run as a formula gets a leading apostrophe.
 */
function clean(text: string, opened: boolean): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[–—]/g, '-')
    .replace(/[,"'`\r\n\t]/g, ' ')
    .replace(/[^ -~]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  return opened && /^[=+\-@]/.test(plain) ? `'${plain}` : plain;
}
