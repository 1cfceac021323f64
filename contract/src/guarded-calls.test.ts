import { expect, test } from 'vitest';
import { ENDPOINTS } from './endpoints/index.ts';

/*
 * Written here a second time, so that no call loses its second-level password or its passkey unnoticed. The server's tests
 * check that each call is refused without them (api/roles.test.ts, access/passkeys).
 */

/** Calls that need the second-level password, in addition to those of every setting. */
const PASSWORD: Readonly<Record<string, string>> = {
  accessReview: 'begin sign',
  admin: 'addUser deleteUser makePasswordLink repairUser resetPayPassword updateUser',
  archive: 'restoreOrder',
  bank: 'addHeader removeHeader',
  bot: 'deleteGroup saveGroup',
  companySignIn: 'beginLink unlink',
  fundRecord: 'adjustBalance clearBalance setCreditLimit topUp withdraw',
  hold: 'setFrozen setLegalHold',
  interfaceTest: 'callback sign',
  ipRule: 'remove save',
  kyc: 'review submit',
  maintenance: 'endMode runJob setMode',
  merchant: 'askForAddresses create rotateSecret update updateLimits',
  messageTemplate: 'save',
  monitor: 'enable register renewSecret',
  monitorScript: 'release save',
  nameBlackList: 'add import judge remove',
  order: 'reject replenishmentOrder reveal reverseOrder',
  orderAnalysis: 'correctOffset exemptIp joinLost settleOutside',
  orderCallBack: 'delete setMerchant',
  partyUser: 'invite remove reset setRole',
  passkey: 'begin remove',
  payScript: 'create release save',
  payoutBatch: 'cancel close confirm create handleExceptions',
  payoutOrder: 'acceptProof cancel confirmPaid release',
  payoutOrderClaim: 'cancelClaim claimOrder',
  payoutTemplate: 'create enable update',
  product: 'update',
  resource: 'create removeQrCode reveal setGatewayCredentials update uploadQrCode',
  securityNodes: 'endPatch patch',
  settlement: 'setTerm startRun',
  supplier: 'create update',
  testOrder: 'pay sign',
  todo: 'decide',
  user: 'bindUserForProfile changeOwnPassword changeOwnPayPassword confirmBindForProfile enableGoogleVerify endSessions seeAs setAllowModify unbind unbindForProfile',
  userProduct: 'cancel copy set',
  withdrawal: 'askForBeneficiary create removeBeneficiary',
};

/** Calls that a passkey signs, by what it signs. */
const PASSKEY: Readonly<Record<'input' | 'order' | 'request', readonly string[]>> = {
  input: [
    'companySignIn/beginLink',
    'fundRecord/adjustBalance',
    'fundRecord/clearBalance',
    'fundRecord/setCreditLimit',
    'fundRecord/topUp',
    'fundRecord/withdraw',
    'merchant/rotateSecret',
    'orderAnalysis/correctOffset',
    'orderAnalysis/joinLost',
    'orderAnalysis/settleOutside',
    'passkey/begin',
    'passkey/remove',
    'payoutBatch/confirm',
    'payoutBatch/handleExceptions',
    'securityNodes/patch',
    'settlement/startRun',
    'userProduct/copy',
    'userProduct/set',
    'withdrawal/askForBeneficiary',
    'withdrawal/create',
  ],
  order: [
    'order/reject',
    'order/replenishmentOrder',
    'order/reverseOrder',
    'payoutOrder/acceptProof',
    'payoutOrder/cancel',
    'payoutOrder/confirmPaid',
    'payoutOrder/release',
  ],
  request: ['todo/decide'],
};

const path = (call: string) => `/v1.0/${call}`;
const isSetting = ({ path: each }: { readonly path: string }) => each.startsWith(path('system-config/'));

test('calls that move money, weaken a protection or show protected data need the second-level password', () => {
  const named = Object.entries(PASSWORD).flatMap(([area, calls]) =>
    calls.split(' ').map((call) => path(`${area}/${call}`)),
  );
  const asked = ENDPOINTS.filter((each) => each.sensitive && !isSetting(each)).map((each) => each.path);
  expect(asked.toSorted()).toEqual(named.toSorted());
  const settings = ENDPOINTS.filter((each) => isSetting(each) && each.method === 'POST');
  expect(settings.length).toBeGreaterThan(40);
  expect(settings.filter(({ sensitive }) => !sensitive).map((each) => each.path)).toEqual([]);
});

test.each(Object.entries(PASSKEY))('a passkey signs the %s of calls that move money', (kind, calls) => {
  const signed = ENDPOINTS.filter(({ stepUp }) => stepUp === kind);
  expect(signed.map((each) => each.path).toSorted()).toEqual(calls.map(path).toSorted());
  // A user without a passkey gives the second-level password there.
  expect(signed.filter(({ sensitive }) => !sensitive)).toEqual([]);
});
