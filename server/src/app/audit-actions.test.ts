import { getStarted } from '@sangam/contract/endpoints/todo.ts';
import { BATCH_ACTIONS } from '@sangam/contract/payout-batches.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Names {
  readonly [part: string]: string | Names;
}

/** Strings that name an action as 'area.verb'. */
const ACTION = /'([a-z]\w*(?:\.[a-z]\w*)+)'/g;
/** The same in a plain write to the audit, whatever its area. */
const WRITTEN = /\baction: '([a-z]\w*(?:\.[a-z]\w*)+)'/g;

/** A kind and an id: how the audit names the subject of an action. */
const SUBJECT = /[`']([a-z]\w*):\$\{/g;
/** Strings of the same form that are no subjects: data: URLs, a bot's buttons, the batch that holds a payout. */
const NO_SUBJECTS = new Set(['data', 'ack', 'batch']);

const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
/** Where the fields before and after a change are written: in place, or by a function in the same file. */
const CHANGE = /\b(?:before|after)(?:: | = )(?:\w+ && )?(?:(\w+)\(|\{)/g;

/** Fields that are amounts in minor units. */
const SUMS = new Set(['amount', 'fee', 'fixedFee', 'minAmount', 'maxAmount', 'dailyAmountLimit']);

interface Sources {
  readonly auditActions: Names;
  readonly auditSubjects: Names;
  readonly auditFields: Names;
  readonly approvalFields: Names;
  readonly entityFields: Names;
  /** The texts of the server's source files. */
  readonly texts: readonly string[];
}

async function readSources(): Promise<Sources> {
  const locale = new URL('../../../console/src/locales/en-US.json', import.meta.url);
  const names = JSON.parse(await readFile(locale, 'utf8')) as Omit<Sources, 'texts'>;
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = (await readdir(root, { recursive: true })).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing/'),
  );
  const texts = await Promise.all(files.map((path) => readFile(join(root, path), 'utf8')));
  return { ...names, texts };
}

test('whatever is written to the audit has a name in the console', async () => {
  const { auditActions: names, texts } = await readSources();
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(WRITTEN)].map(([, action]) => action!),
    ...[...text.matchAll(ACTION)].flatMap(([, action]) => (action!.split('.')[0]! in names ? [action!] : [])),
  ]);
  const actions = new Set([...found, ...BATCH_ACTIONS.map((action) => `payoutBatch.${action}`)]);
  expect(actions.size).toBeGreaterThan(100);
  const isNamed = (action: string) =>
    typeof action
      .split('.')
      .reduce<string | Names | undefined>(
        (part, word) => (typeof part === 'object' ? part[word] : undefined),
        names,
      ) === 'string';
  expect([...actions].filter((action) => !isNamed(action))).toEqual([]);
});

test('every kind of audit subject has a name in the console', async () => {
  const { auditSubjects, texts } = await readSources();
  const written = texts.flatMap((text) => [...text.matchAll(SUBJECT)].map(([, kind]) => kind!));
  const asked = getStarted.output.shape.list.element.shape.subjectKind.options;
  const kinds = new Set([...written, ...asked, 'system', 'monitorLog']);
  expect(kinds.size).toBeGreaterThan(30);
  expect([...kinds].filter((kind) => !NO_SUBJECTS.has(kind) && !(kind in auditSubjects))).toEqual([]);
});

test('every field of an audited change has a name in the console', async () => {
  const { auditFields, approvalFields, entityFields, texts } = await readSources();
  const fields = new Set(texts.flatMap((text) => changedObjects(text.replaceAll(COMMENT, '')).flat()));
  expect(fields.size).toBeGreaterThan(120);
  const column = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isNamed = (field: string) =>
    field in auditFields || field in approvalFields || column(field) in entityFields;
  expect([...fields].filter((field) => !isNamed(field)).toSorted()).toEqual([]);
});

test('every audited change with an amount also has its currency', async () => {
  const { texts } = await readSources();
  const objects = texts.flatMap((text) => changedObjects(text.replaceAll(COMMENT, '')));
  // Except the automatic counts of an account's day.
  const ofSums = objects.filter(
    (fields) => fields.some((field) => SUMS.has(field)) && !fields.includes('day'),
  );
  expect(ofSums.length).toBeGreaterThan(2);
  expect(ofSums.filter((fields) => !fields.includes('currency'))).toEqual([]);
});

/** The fields of each object that a file gives as before or after. */
function changedObjects(text: string): string[][] {
  return [...text.matchAll(CHANGE)].map(({ 0: found, 1: maker, index }) => {
    if (maker === undefined) return fieldsAt(text, index + found.length - 1);
    const made = new RegExp(`(?:function ${maker}\\b[^;]*?return |const ${maker} = [^;]*?=> \\()\\{`).exec(
      text,
    );
    return made ? fieldsAt(text, made.index + made[0].length - 1) : [];
  });
}

/** The keys of the object whose brace is at `start`. Spread objects are left out. */
function fieldsAt(text: string, start: number): string[] {
  const parts = [''];
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]!;
    if ('}])'.includes(sign)) depth -= 1;
    if (depth === 0 && at > start) break;
    if (depth === 1 && sign === ',') parts.push('');
    else if (at > start) parts[parts.length - 1] += sign;
    if ('{[('.includes(sign)) depth += 1;
  }
  return parts.flatMap((part) => /^\s*(?!readonly\b)(\w+)/.exec(part)?.[1] ?? []);
}
