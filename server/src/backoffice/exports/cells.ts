import { currency as currencySchema, minor, time } from '@sangam/contract/fields.ts';
import { formatMinor, type Currency } from '@sangam/contract/money.ts';
import { z } from 'zod';
import { harmless } from '../../http/table-file.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * The schema of a field of the rows, or of a field within a field (`health.todayPaid`). If that field is a list, of each of its elements
 * (`products.state`). In a list with two kinds of rows, of the first kind that has the field.
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

/** The value of such a field in a row. */
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

/** A schema with a bound is another schema, but with the same description. */
export const isMoney = (schema: z.ZodType) => bare(schema).description === minor.description;
/** Whether a cell holds an amount or a list of amounts. */
export const hasMoney = (schema: z.ZodType) => {
  const kind = bare(schema);
  return isMoney(kind instanceof z.ZodArray ? (kind.element as z.ZodType) : kind);
};
export const isCurrency = (schema: z.ZodType) => bare(schema) === currencySchema;

/** Whether the cells of a field are numbers that a spreadsheet can calculate with. */
export const isNumber = (schema: z.ZodType) => isMoney(schema) || bare(schema) instanceof z.ZodNumber;

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

/** Writes a value for the file. The row gives the currency of an amount. */
export type Cell = (value: unknown, row: Row) => string;

/**
 * How to write the values of a field. The contract's schema decides; it is read once and not for each row. Money is written in decimals of
 * the row's currency, times in ISO 8601 with the offset of the business time, lists of objects as text.
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
