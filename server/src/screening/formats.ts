import { SaxesParser } from 'saxes';
import { z } from 'zod';
import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import type { CsvRow } from '../platform/files/csv.ts';
import { type Problem, problem } from '../platform/files/problems.ts';
import type { MarkKind } from './party.ts';
import { tokensOf } from './tokens.ts';

/** An entry of a file. */
export interface FileEntry {
  readonly reference: string;
  readonly names: readonly string[];
  readonly marks: Readonly<Partial<Record<MarkKind, readonly string[]>>>;
  readonly note: string;
}

export interface ListFile {
  /** When the source made the file, if it says so: YYYY-MM-DD. */
  readonly date: string | null;
  readonly entries: readonly FileEntry[];
}

/** The file does not have the stated format, for this reason. */
export class FormatProblem extends Error {
  readonly problem: Problem;

  constructor(found: Problem) {
    super(found.problem);
    this.problem = found;
  }
}

const TITLES: ReadonlySet<string> = new Set(['name', 'aliases', 'note', 'reference', ...MARK_KINDS]);

/** One entry for each reference: what several entries of it say, one after the other. */
export function oneForEach(entries: readonly FileEntry[]): FileEntry[] {
  const together = (texts: readonly string[]) => [...new Set(texts)];
  return [...Map.groupBy(entries, ({ reference }) => reference)].map(([reference, of]) => ({
    reference,
    names: together(of.flatMap(({ names }) => names)),
    marks: Object.fromEntries(
      MARK_KINDS.map((kind) => [kind, together(of.flatMap(({ marks }) => marks[kind] ?? []))]),
    ),
    note: together(of.map(({ note }) => note).filter(Boolean)).join(' · '),
  }));
}

const several = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * Our own format: a header with name, aliases, vpa, account, phone, document, note, reference. Several values are separated by `;`. A text
 * that no column reads is a problem, because somebody would not be listed by it.
 */
export function readOwnCsv(rows: readonly CsvRow[]): ListFile | Problem[] {
  const [header, ...lines] = rows;
  const titles = header?.cells.map((title) => title.trim().toLowerCase()) ?? [];
  const column = (title: string) => titles.indexOf(title);
  const problems = [
    ...titles.flatMap((title, at) =>
      title === '' || TITLES.has(title)
        ? column(title) < at && title !== ''
          ? [problem(header!.row, 'columnTwice', title)]
          : []
        : [problem(header!.row, 'columnUnknown', title)],
    ),
    ...lines
      .filter(({ cells }) => cells.some((cell, at) => cell !== '' && (titles[at] ?? '') === ''))
      .map(({ row }) => problem(row, 'cellsTooMany')),
  ];
  if (column('name') < 0) problems.unshift(problem(header?.row ?? 0, 'columnMissing', 'name'));
  if (problems.length > 0) return problems;
  const entries = lines.flatMap(({ cells }): FileEntry[] => {
    const cell = (title: string) => cells[column(title)]?.trim() ?? '';
    const names = [cell('name'), ...several(cell('aliases'))].filter(Boolean);
    const marks = Object.fromEntries(MARK_KINDS.map((kind) => [kind, several(cell(kind))] as const));
    if (names.length === 0 && Object.values(marks).every((values) => values.length === 0)) return [];
    const reference = cell('reference') || names[0] || Object.values(marks).flat().join(' ');
    return [{ reference, names, marks, note: cell('note') }];
  });
  return { date: null, entries };
}

/** `a.k.a. 'ABU ABDALLAH'`: also, formerly, and now known as */
const OFAC_ALIAS = /^[afn]\.k\.a\. (['"])(.+)\1$/;
/** `Passport A123456 (Egypt) issued 10 Nov 2017 expires 09 Nov 2027`, `alt. Passport 19820215`, `National ID No. 110-108 (China)` */
const OFAC_DOCUMENT =
  /^(?:alt\. )?(?:Passport|National ID No\.) ([A-Z\d][A-Z\d/. -]{3,30}[A-Z\d])(?: \([^()]+\))?(?: issued [\dA-Za-z ]+)?(?: expires [\dA-Za-z ]+)?$/;

/**
 * What the remarks of OFAC's file say of names and documents, in the forms that can be read in one way only; the rest stays a note. A name
 * of one word is left out: OFAC calls it weak, and it would refuse everybody who is called so. So is what the file has cut off: remarks
 * that are whole end with a full stop.
 */
function readRemarks(remarks: string): { readonly aliases: string[]; readonly documents: string[] } {
  const parts = remarks.split(';').map((part) => part.trim());
  const last = parts.pop() ?? '';
  if (last.endsWith('.')) parts.push(last.slice(0, -1));
  return {
    aliases: parts
      .flatMap((part) => OFAC_ALIAS.exec(part)?.[2] ?? [])
      .filter((name) => tokensOf(name).length > 1),
    documents: parts
      .flatMap((part) => OFAC_DOCUMENT.exec(part)?.[1] ?? [])
      .filter((number) => /\d/.test(number)),
  };
}

/** OFAC's SDN.CSV. No header; twelve columns: number, name, type, programme, …, remarks. */
export function readOfac(rows: readonly CsvRow[]): ListFile | Problem[] {
  const value = (cell: string | undefined) =>
    cell === undefined || cell.trim() === '-0-' ? '' : cell.trim();
  const problems: Problem[] = [];
  const entries = rows.flatMap(({ row, cells }): FileEntry[] => {
    const [reference, name, type, programme] = [0, 1, 2, 3].map((at) => value(cells[at]));
    // The file ends with a line that holds only the end-of-file character.
    if (!/^\d+$/.test(reference ?? '')) return [];
    if (!name || cells.length < 12) {
      problems.push(problem(row, 'cellsTooFew'));
      return [];
    }
    if (type === 'vessel' || type === 'aircraft') return [];
    const remarks = value(cells[11]);
    const { aliases, documents } = readRemarks(remarks);
    return [
      {
        reference: reference!,
        names: [name, ...aliases],
        marks: { document: documents },
        note: [programme, remarks].filter(Boolean).join(' · '),
      },
    ];
  });
  if (problems.length > 0) return problems;
  return entries.length > 0 ? { date: null, entries } : [problem(0, 'noEntries')];
}

const NAME_PARTS = new Set(['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME']);
const ALIASES = new Set(['ALIAS_NAME', 'NAME_ORIGINAL_SCRIPT']);
const ENTRIES = new Set(['INDIVIDUAL', 'ENTITY']);

/** The consolidated list of the UN Security Council. The reader knows only the five entities of XML itself. */
export function readUn(xml: string): ListFile {
  const parser = new SaxesParser();
  const entries: FileEntry[] = [];
  const path: string[] = [];
  let date: string | null = null;
  let text = '';
  let current:
    | { parts: string[]; aliases: string[]; documents: string[]; reference: string; list: string }
    | undefined;
  parser.on('error', () => {
    throw new FormatProblem(problem(parser.line, 'notXml'));
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    text = '';
    const generated = attributes['dateGenerated'];
    if (name === 'CONSOLIDATED_LIST' && typeof generated === 'string') date = dayOf(generated);
    if (ENTRIES.has(name)) current = { parts: [], aliases: [], documents: [], reference: '', list: '' };
  });
  const take = (chunk: string): void => {
    text += chunk;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', ({ name }) => {
    path.pop();
    const value = text.trim();
    text = '';
    if (!current) return;
    if (ENTRIES.has(name)) {
      const names = [current.parts.join(' '), ...current.aliases].filter(Boolean);
      if (names.length > 0)
        entries.push({
          reference: current.reference || names[0]!,
          names,
          marks: { document: current.documents },
          note: [current.list, current.reference].filter(Boolean).join(' · '),
        });
      current = undefined;
    } else if (value === '') return;
    else if (NAME_PARTS.has(name) && ENTRIES.has(path.at(-1) ?? '')) current.parts.push(value);
    else if (ALIASES.has(name)) current.aliases.push(...several(value));
    else if (name === 'REFERENCE_NUMBER') current.reference = value;
    else if (name === 'UN_LIST_TYPE') current.list = value;
    else if (name === 'NUMBER' && path.at(-1) === 'INDIVIDUAL_DOCUMENT') current.documents.push(value);
  });
  parser.write(xml).close();
  if (entries.length === 0) throw new FormatProblem(problem(0, 'noEntries'));
  return { date, entries };
}

/** The day of an ISO 8601 time: YYYY-MM-DD. Null where no calendar has it, because the database would refuse it. */
function dayOf(time: string): string | null {
  const day = z.iso.date().safeParse(time.slice(0, 10));
  return day.success ? day.data : null;
}
