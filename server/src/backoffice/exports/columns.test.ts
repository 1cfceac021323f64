import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../http/route.ts';
import { ROUTES } from '../../app/routes.ts';
import { fieldOf, isCurrency, isMoney } from './cells.ts';

const CONSOLE = join(import.meta.dirname, '../../../../console/src');
const read = (path: string) => readFileSync(join(CONSOLE, path), 'utf8');

/** Columns in a file of their own, and the screens that use them. */
const COLUMNS_OF: Readonly<Record<string, readonly string[]>> = {
  'accounts/account-columns.tsx': ['accounts/accounts-screen.tsx'],
  'orders/use-order-columns.tsx': [
    'collection-orders/collection-orders-screen.tsx',
    'payout-orders/payout-orders-screen.tsx',
  ],
};

type Endpoint = Route['endpoint'];

/** Name of a list call → schema of its rows. */
const LISTS = new Map(await listsOfTheContract());

const screens = globSync('**/*.tsx', { cwd: CONSOLE })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.startsWith('operator-table/'))
  .filter((path) => path in COLUMNS_OF || read(path).includes(': ListDefinition<'))
  .toSorted();

test('there are screens to look at', () => {
  expect(screens.length).toBeGreaterThan(25);
});

// A column that the call's rows do not have would be left out of the file without an error.
test.each(screens)('an export has every column %s shows', (path) => {
  const rows = (COLUMNS_OF[path] ?? [path]).flatMap((screen) =>
    [...read(screen).matchAll(/\.(get\w+)/g)].flatMap(([, name]) => LISTS.get(name ?? '') ?? []),
  );
  expect(rows.length).toBeGreaterThan(0);
  const missing = fieldsShown(read(path)).filter((field) => !rows.some((row) => fieldOf(row, field)));
  expect(missing).toEqual([]);
});

test('an amount in a list has its currency beside it', () => {
  const bare = [...LISTS].filter(([, row]) => {
    const fields = row instanceof z.ZodObject ? (Object.values(row.shape) as z.ZodType[]) : [];
    return fields.some(isMoney) && !fields.some(isCurrency);
  });
  expect(bare.map(([name]) => name)).toEqual([]);
});

/** The fields that the columns in a source text ask an export for: their parts, their field, or else their key. */
function fieldsShown(source: string): string[] {
  const columns = source.matchAll(/\bkey: '([\w-]+)',((?:(?!\bkey: ')[^])*?)\brender\b/g);
  return [...columns].flatMap(([, key = '', between = '']) => {
    const named = [...between.matchAll(/\bfield: '([\w.]+)'/g)].flatMap(([, field]) => field ?? []);
    return named.length > 0 || between.includes('parts: []') ? named : [key];
  });
}

async function listsOfTheContract(): Promise<[string, z.ZodType][]> {
  const served = new Set<unknown>(ROUTES.map(({ endpoint }) => endpoint));
  const folder = join(import.meta.dirname, '../../../../contract/src/endpoints');
  const files = globSync('*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<object>));
  return modules
    .flatMap((module): [string, Endpoint][] => Object.entries(module))
    .filter(([, endpoint]) => served.has(endpoint))
    .flatMap(([name, { output }]): [string, z.ZodType][] =>
      output instanceof z.ZodObject && 'list' in output.shape && 'nextCursor' in output.shape
        ? [[name, (output.shape.list as z.ZodArray).element as z.ZodType]]
        : [],
    );
}
