import { currency as currencySchema, minor, time } from '@sangam/contract/fields.ts';
import { formatMinor, type Currency } from '@sangam/contract/money.ts';
import { z } from 'zod';
import { harmless } from '../../http/table-file.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Schema of a field of the rows, or of one within a field (`health.todayPaid`), where that is a list of each of its elements
 * (`products.state`); of a list with two kinds of rows, the first that has it.
 */
export function fieldOf(row: z.ZodType, path: string): z.ZodType | undefined {
  if (row instanceof z.ZodUnion) {
    for (const option of row.options) {
      const found = fieldOf(option as z.ZodType, path);
      if (found) return found;
    }
    return undefined;
  }
  if (!(row instanceof z.ZodObject)) return undefined;
  const [name = '', ...within] = path.split('.');
  const field = row.shape[name] as z.ZodType | undefined;
  if (!field || within.length === 0) return field;
  const inner = bare(field);
  if (!(inner instanceof z.ZodArray)) return fieldOf(inner, within.join('.'));
  const ofEach = fieldOf(inner.element as z.ZodType, within.join('.'));
  return ofEach && z.array(ofEach);
}

/** The value of such a field. */
export const valueAt = (row: Row, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        Array.isArray(value)
          ? value.map((each: Row) => each[name])
          : (value as Row | null | undefined)?.[name],
      row,
    );

export function fieldNames(row: z.ZodType): string[] {
  if (row instanceof z.ZodUnion) return fieldNames(row.options[0] as z.ZodType);
  return row instanceof z.ZodObject ? Object.keys(row.shape) : [];
}

/** A bound makes another schema of it, with the same description. */
export const isMoney = (schema: z.ZodType) => bare(schema).description === minor.description;
/** A list of amounts stands in one cell. */
export const hasMoney = (schema: z.ZodType) => {
  const kind = bare(schema);
  return isMoney(kind instanceof z.ZodArray ? (kind.element as z.ZodType) : kind);
};
export const isCurrency = (schema: z.ZodType) => bare(schema) === currencySchema;

/** Whether a field's cells are numbers to reckon with, as a spreadsheet reads them. */
export const isNumber = (schema: z.ZodType) => isMoney(schema) || bare(schema) instanceof z.ZodNumber;

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

/** A value as the file has it, and the row it stands in for the currency beside it. */
export type Cell = (value: unknown, row: Row) => string;

/**
 * How the values of a field are written: the contract's schema says what they are, and it is asked once, not for each row. Money
 * in decimals of the currency beside it, times in ISO 8601 with the offset of the business time, lists of objects as text.
 */
export function cellOf(schema: z.ZodType): Cell {
  const filled = filledCellOf(bare(schema));
  return (value, row) => (value === null || value === undefined ? '' : filled(value, row));
}

function filledCellOf(kind: z.ZodType): Cell {
  if (isMoney(kind))
    return (value, row) =>
      typeof value === 'number' ? formatMinor(value, currencyOf(row)) : plainCell(value);
  if (kind === time)
    return (value) => (typeof value === 'string' ? `${value.replace(' ', 'T')}+05:30` : plainCell(value));
  if (kind instanceof z.ZodArray) {
    const element = cellOf(kind.element as z.ZodType);
    return (value, row) =>
      Array.isArray(value) ? harmless(value.map((each) => element(each, row)).join('; ')) : plainCell(value);
  }
  if (kind instanceof z.ZodObject) {
    const fields = Object.entries(kind.shape).map(
      ([name, field]) => [name, cellOf(field as z.ZodType)] as const,
    );
    return (value, row) =>
      typeof value === 'object'
        ? harmless(
            fields
              .map(([name, cell]) => cell((value as Row)[name], { ...row, ...value }))
              .filter(Boolean)
              .join(' '),
          )
        : plainCell(value);
  }
  return plainCell;
}

function plainCell(value: unknown): string {
  if (typeof value === 'string') return harmless(value);
  return typeof value === 'object' ? harmless(JSON.stringify(value)) : `${value as number | boolean}`;
}

const currencyOf = (row: Row): Currency => (row['currency'] ?? 'INR') as Currency;
