import { BATCH_ACTIONS } from '@sangam/contract/payout-batches.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Names {
  readonly [part: string]: string | Names;
}

/** Texts that name a thing done, as 'area.verb'. */
const ACTION = /'([a-z]\w*(?:\.[a-z]\w*)+)'/g;
/** The same where it is plainly written to the audit, whatever its area. */
const WRITTEN = /\baction: '([a-z]\w*(?:\.[a-z]\w*)+)'/g;

test('whatever is written to the audit has a name in the console', async () => {
  const locale = new URL('../../../console/src/locales/en-US.json', import.meta.url);
  const { auditActions: names } = JSON.parse(await readFile(locale, 'utf8')) as { auditActions: Names };
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = (await readdir(root, { recursive: true })).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const texts = await Promise.all(files.map((path) => readFile(join(root, path), 'utf8')));
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
