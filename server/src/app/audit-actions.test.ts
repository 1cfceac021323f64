import { getStarted } from '@sangam/contract/endpoints/todo.ts';
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

/** A kind and an id, as the audit names what something was done to. */
const SUBJECT = /[`']([a-z]\w*):\$\{/g;
/** Written alike, and no subject: addresses of pictures, a bot's buttons, what holds a payout. */
const NO_SUBJECTS = new Set(['data', 'ack', 'batch']);

interface Sources {
  readonly auditActions: Names;
  readonly auditSubjects: Names;
  /** The server's files. */
  readonly texts: readonly string[];
}

async function readSources(): Promise<Sources> {
  const locale = new URL('../../../console/src/locales/en-US.json', import.meta.url);
  const names = JSON.parse(await readFile(locale, 'utf8')) as Omit<Sources, 'texts'>;
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = (await readdir(root, { recursive: true })).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
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

test('whatever something is done to has a name in the console', async () => {
  const { auditSubjects, texts } = await readSources();
  const written = texts.flatMap((text) => [...text.matchAll(SUBJECT)].map(([, kind]) => kind!));
  const asked = getStarted.output.shape.list.element.shape.subjectKind.options;
  const kinds = new Set([...written, ...asked, 'system', 'monitorLog']);
  expect(kinds.size).toBeGreaterThan(30);
  expect([...kinds].filter((kind) => !NO_SUBJECTS.has(kind) && !(kind in auditSubjects))).toEqual([]);
});
