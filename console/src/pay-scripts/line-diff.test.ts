import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';

test('lines that stay differ from those removed and added', () => {
  const shown = lineDiff('a\nb\nc', 'a\nx\nc\nd').map(({ kind, text }) => kind[0] + text);
  expect(shown).toEqual(['sa', 'rb', 'ax', 'sc', 'ad']);
  expect(lineDiff('a', 'a')).toEqual([{ kind: 'same', text: 'a' }]);
});
