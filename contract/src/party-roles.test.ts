import { expect, test } from 'vitest';
import { isRoleList } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { cancelClaim, cancelPayout, claimOrder, confirmPaid, reject } from './endpoints/payout.ts';
import { callback, freeResource, supplement } from './endpoints/order.ts';
import { COLLECTION_ACTIONS, collectionActionDuty } from './orders.ts';
import { PARTY_DUTIES, PARTY_ROLES, hasDuty, holdersOf } from './party-roles.ts';
import { PAYOUT_ACTIONS, payoutActionDuty } from './payouts.ts';

test('exactly the calls by which merchants or suppliers change something or see secrets name a duty', () => {
  const needsDuty = ENDPOINTS.filter(
    ({ access, method, writes, sensitive }) =>
      isRoleList(access) &&
      (access.includes('merchant') || access.includes('supplier')) &&
      ((writes ?? method === 'POST') || sensitive),
  );
  const names = (endpoints: typeof ENDPOINTS) => endpoints.map(({ path }) => path).toSorted();
  expect(names(ENDPOINTS.filter(({ duty }) => duty !== undefined))).toEqual(names(needsDuty));
});

test('the buttons of an order need the duty of their calls', () => {
  const payouts = PAYOUT_ACTIONS.map((action) => [action, payoutActionDuty(action)]);
  expect(Object.fromEntries(payouts.filter(([, duty]) => duty))).toEqual({
    claim: claimOrder.duty,
    cancelClaim: cancelClaim.duty,
    confirmPaid: confirmPaid.duty,
    reject: reject.duty,
    cancel: cancelPayout.duty,
    callback: callback.duty,
  });
  const collections = COLLECTION_ACTIONS.map((action) => [action, collectionActionDuty(action)]);
  expect(Object.fromEntries(collections.filter(([, duty]) => duty))).toEqual({
    supplement: supplement.duty,
    freeResource: freeResource.duty,
    callback: callback.duty,
  });
});

test('an owner has every duty, a read-only user only its own matters, and no further user has a call without a duty', () => {
  for (const duty of PARTY_DUTIES) expect(holdersOf(duty)).toContain('owner');
  expect(PARTY_DUTIES.filter((duty) => hasDuty({ partyRole: 'readOnly' }, duty))).toEqual(['own']);
  for (const partyRole of PARTY_ROLES) expect(hasDuty({ partyRole }, undefined)).toBe(false);
  expect(hasDuty({}, undefined)).toBe(true);
});
