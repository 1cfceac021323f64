import { BATCH_COLUMNS, NEEDED_BATCH_COLUMNS } from '@sangam/contract/endpoints/outside.ts';
import { readCsv } from '../../platform/files/csv.ts';
import { type Problem, problem } from '../../platform/files/problems.ts';

type Column = (typeof BATCH_COLUMNS)[number];

/** A row of a merchant's file: present cells by column. */
export interface UploadRow {
  readonly row: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
}

const isColumn = (name: string): name is Column => BATCH_COLUMNS.some((known) => known === name);

/** The rows of a merchant's file, or what is wrong with its header. */
export function readUpload(text: string): readonly UploadRow[] | readonly Problem[] {
  const rows = readCsv(text);
  if (!rows) return [problem(0, 'unreadable')];
  const [header, ...body] = rows;
  if (!header) return [problem(0, 'empty')];
  const problems = [
    ...header.cells
      .filter((name) => !isColumn(name))
      .map((name) => problem(header.row, 'columnUnknown', name)),
    ...header.cells
      .filter((name, index) => header.cells.indexOf(name) !== index)
      .map((name) => problem(header.row, 'columnTwice', name)),
    ...NEEDED_BATCH_COLUMNS.filter((name) => !header.cells.includes(name)).map((name) =>
      problem(header.row, 'columnMissing', name),
    ),
  ];
  if (problems.length > 0) return problems;
  if (body.length === 0) return [problem(0, 'empty')];
  const tooLong = body.filter(({ cells }) => cells.length > header.cells.length);
  if (tooLong.length > 0) return tooLong.map(({ row }) => problem(row, 'cellsTooMany'));
  return body.map(({ row, cells }) => {
    const named = header.cells.map((name, index) => [name, cells[index]] as const);
    return { row, cells: Object.fromEntries(named.filter(([, cell]) => cell)) };
  });
}
