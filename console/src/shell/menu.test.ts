import { expect, it } from 'vitest';
import { ROLES } from '@sangam/contract/roles.ts';
import { screenAt, rolesOf } from '@sangam/contract/screens.ts';
import { menuOf } from './menu.ts';

it.each(ROLES)('shows %s nothing it may not open, and starts at home', (role) => {
  const screens = menuOf(role).flatMap((group) => group.screens);
  expect(screens[0]?.path).toBe('/home');
  for (const screen of screens) {
    expect(rolesOf(screen)).toContain(role);
    expect(screen.built).toBe(true);
    expect(screenAt(screen.path)).toBe(screen);
  }
});

it('gives a supplier its own and its team orders in one group', () => {
  const orders = menuOf('supplier').find(({ area }) => area === 'collectionOrders');
  expect(orders?.screens.map(({ variant }) => variant)).toEqual(['own', 'team']);
});
