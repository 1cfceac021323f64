import { mayOpen, screenAt } from '@sangam/contract/screens.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import { expect, test } from 'vitest';
import { FIRST_STEPS } from './first-steps.ts';

test.each(ROLES)('every first step of %s is a screen it may open', (role) => {
  const closed = FIRST_STEPS[role].filter(([path]) => {
    const screen = screenAt(path);
    return !screen || !mayOpen(role, screen);
  });
  expect(closed).toEqual([]);
});
