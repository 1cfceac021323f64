import { expect, it } from 'vitest';
import { ROLES } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import { ERROR_LOG, FORBIDDEN } from '../navigation/guard.ts';
import { menuOf } from './menu.ts';

/** The error log is reached from the header; no link leads to the refusal page. */
const ELSEWHERE = [ERROR_LOG, FORBIDDEN];

it.each(ROLES)('shows %s each screen it may open once, and starts at home', (role) => {
  const shown = menuOf(role)
    .flatMap((group) => group.screens)
    .map(({ path }) => path);
  expect(shown[0]).toBe('/home');
  const own = SCREENS.filter((screen) => screen.roles !== 'public' && mayOpen(role, screen));
  expect(shown.toSorted()).toEqual(
    own
      .map(({ path }) => path)
      .filter((path) => !ELSEWHERE.includes(path))
      .toSorted(),
  );
});

it('puts lost orders beside the messages they lack, not among the reports of their area', () => {
  const reconcile = menuOf('admin').find(({ name }) => name === 'reconcile');
  expect(reconcile?.screens[0]?.path).toBe('/orderAnalysis/lost-order-list');
});

it('gives a supplier its own and its team orders in one group', () => {
  const orders = menuOf('supplier').find(({ name }) => name === 'orders');
  const collections = orders?.screens.filter(({ area }) => area === 'collectionOrders');
  expect(collections?.map(({ variant }) => variant)).toEqual(['own', 'team']);
});
