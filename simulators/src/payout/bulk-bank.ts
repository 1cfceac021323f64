import { formatMinor } from '@sangam/contract/money.ts';

/** The result of one payment in the bank's report. */
export type BankWord = 'Success' | 'Rejected' | 'Processing';

export interface FiledRow {
  readonly row: number;
  readonly orderCode: string;
  readonly reference: string;
  /** Paise. */
  readonly amount: number;
  readonly utr: string;
}

const HEADER = 'File_Sequence_Num,Amount,Pymt_Date,Reference_no,STATUS,Current Step,Rejection Reason,UTR NO';

/** The report of the bank that got `file`. It answers each payment by its reference, and throws where one is not in the file. */
export function answerFile(
  file: string,
  rows: readonly FiledRow[],
  wordOf: (row: FiledRow) => BankWord,
): string {
  const lines = rows.map((row) => {
    if (!file.includes(row.reference)) throw new Error(`the bank's file does not name ${row.reference}`);
    const word = wordOf(row);
    const cells = [
      row.row,
      formatMinor(row.amount, 'INR').replaceAll(',', ''),
      '21-11-2026',
      row.reference,
      word,
      word === 'Success' ? 'Paid' : '',
      word === 'Rejected' ? 'Account closed' : '',
      word === 'Success' ? row.utr : '',
    ];
    return cells.join(',');
  });
  return [HEADER, ...lines].join('\r\n');
}
