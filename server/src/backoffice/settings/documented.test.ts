import { readFile } from 'node:fs/promises';
import { SETTING_NAMES } from '@sangam/contract/settings.ts';
import { expect, test } from 'vitest';

test('docs/settings.md tells of every setting, and of no other', async () => {
  const text = await readFile(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');
  const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(SETTING_NAMES));
});
