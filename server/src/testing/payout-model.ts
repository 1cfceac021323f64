import { isDeepStrictEqual } from 'node:util';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import type { PayoutAction, PayoutStatus } from '@sangam/contract/payouts.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { callBackPayout } from '../payout/call-back.ts';
import { cancel } from '../payout/cancel.ts';
import { cancelClaim } from '../payout/cancel-claim.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { markPayout } from '../payout/mark.ts';
import type { PayoutOrder } from '../payout/order.ts';
import { reject } from '../payout/reject.ts';
import { releasePayout } from '../payout/release.ts';
import { reselectPayout } from '../payout/reselect.ts';
import { readPayout } from '../payout/read.ts';
import { unlock } from '../payout/unlock.ts';
import { reverse } from '../orders/reverse.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { PayoutShop } from './payouts.ts';
import { reverseByTwo } from './reversal.ts';
import { viewerOf } from './world.ts';

/** Who acts: every role, two suppliers, and a rival of the merchant. */
export const ACTORS = [
  'superAdmin',
  'admin',
  'customerService',
  'technicalMaintenance',
  'technicalSupport',
  'first',
  'second',
  'merchant',
  'stranger',
] as const;
export type ActorName = (typeof ACTORS)[number];

const STAFF: readonly string[] = [
  'superAdmin',
  'admin',
  'customerService',
  'technicalMaintenance',
  'technicalSupport',
];

/** A payout as the model knows it. */
export interface ModelState {
  readonly status: PayoutStatus;
  readonly claimer: 'first' | 'second' | null;
  readonly locked: boolean;
  readonly unproven: boolean;
  readonly frozen: boolean;
}

export const NEW: ModelState = { status: 0, claimer: null, locked: false, unproven: false, frozen: false };

/** The expected result of an action: a code of refusal, or the state after it. */
export type Expected = { readonly refused: string } | { readonly state: ModelState };

/**
 * The table of docs/domain.md#payout-actions again, written from the document and not from the code: which statuses, and for whom. 'own' is
 * the supplier who has claimed the payout, 'merchant' the payout's own merchant.
 */
const TABLE: Readonly<Record<PayoutAction, readonly [statuses: readonly number[], who: readonly string[]]>> =
  {
    claim: [[0], ['unclaimed']],
    cancelClaim: [[1], ['own', 'superAdmin', 'admin']],
    confirmPaid: [
      [1, 2, 7, 8, 9],
      ['own', 'superAdmin', 'admin', 'customerService'],
    ],
    // 'acceptProof' stands below that table: '… or an operator accepts the proof'.
    acceptProof: [[3], ['superAdmin', 'admin', 'customerService']],
    reject: [
      [0, 1, 7, 9],
      ['own', 'superAdmin', 'admin', 'customerService'],
    ],
    reselect: [[9], ['superAdmin', 'admin', 'customerService']],
    // Only for payouts paid on a chain, which this model does not have.
    release: [[], []],
    unlock: [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ['superAdmin', 'admin', 'customerService'],
    ],
    cancel: [[0], ['merchant', 'superAdmin', 'admin']],
    callback: [
      [3, 6],
      ['merchant', 'superAdmin', 'admin', 'customerService'],
    ],
    reverse: [[3], ['superAdmin', 'admin']],
    updateMark: [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ['superAdmin', 'admin', 'customerService'],
    ],
  };

/** Actions that move no money and give the payout to nobody are allowed while it is frozen. */
const WHEN_FROZEN: readonly PayoutAction[] = [
  'cancelClaim',
  'acceptProof',
  'unlock',
  'callback',
  'updateMark',
];

export function expected(state: ModelState, action: PayoutAction, actor: ActorName): Expected {
  const { status, claimer, locked } = state;
  const isSupplier = actor === 'first' || actor === 'second';
  const own = isSupplier && claimer === actor;
  const free = isSupplier && claimer === null && status === 0 && !state.frozen;
  const visible = STAFF.includes(actor) || actor === 'merchant' || own || free;
  if (!visible) {
    const rival = isSupplier && claimer !== null && ['claim', 'cancelClaim', 'confirmPaid'].includes(action);
    return { refused: rival ? 'claimedByAnother' : 'notFound' };
  }
  const [statuses, who] = TABLE[action];
  const allowed =
    statuses.includes(status) &&
    (who.includes(actor) || (own && who.includes('own')) || (free && who.includes('unclaimed'))) &&
    (action === 'unlock' ? locked : !locked || action === 'callback' || action === 'updateMark') &&
    (!state.frozen || WHEN_FROZEN.includes(action)) &&
    (action !== 'cancelClaim' || claimer !== null) &&
    (action !== 'acceptProof' || state.unproven) &&
    !(action === 'confirmPaid' && isSupplier && status === 9);
  if (!allowed) return { refused: 'actionNotAllowed' };
  // A payout that may have been paid cannot be passed to another supplier on its supplier's word alone.
  if (action === 'reject' && isSupplier && status === 7) return { refused: 'approvalNeeded' };
  // The gateway or bank called it unpaid, but it was paid. Two people must say so.
  if (action === 'confirmPaid' && status === 9) return { refused: 'approvalNeeded' };
  // Nobody reverses alone: an admin's request waits, and a superAdmin's is approved by another superAdmin (`perform`).
  if (action === 'reverse' && actor === 'admin') return { refused: 'approvalNeeded' };
  return { state: next(state, action, actor) };
}

function next(state: ModelState, action: PayoutAction, actor: ActorName): ModelState {
  const isSupplier = actor === 'first' || actor === 'second';
  switch (action) {
    case 'claim':
      return { ...state, status: 1, claimer: actor as 'first' | 'second' };
    case 'cancelClaim':
    case 'reselect':
      return { ...NEW, frozen: state.frozen };
    case 'confirmPaid':
      // This model gets no debit messages.
      return { ...state, status: 3, unproven: true };
    case 'acceptProof':
      return { ...state, unproven: false };
    case 'reject':
      return isSupplier ? NEW : { ...state, status: 6 };
    case 'cancel':
      return { ...state, status: 4 };
    case 'unlock':
      return { ...state, locked: false };
    case 'reverse':
      return { ...state, status: 6, unproven: false };
    case 'updateMark':
    case 'callback':
    case 'release':
      return state;
  }
}

/** The real payout in the model's terms. */
export function stateOf(order: PayoutOrder, shop: PayoutShop): ModelState {
  const claimer =
    order.supplierId === null ? null : order.supplierId === shop.supplierId ? 'first' : 'second';
  const { status, lockedBy, unproven, frozen } = order;
  return { status, claimer, locked: lockedBy !== null, unproven, frozen };
}

export function actorViewer(
  platform: Platform,
  shop: PayoutShop,
  strangerId: bigint,
  actor: ActorName,
): Viewer {
  switch (actor) {
    case 'first':
      return viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId, userId: shop.adminId });
    case 'second':
      return viewerOf(platform, { role: 'supplier', supplierId: shop.otherSupplierId, userId: shop.adminId });
    case 'merchant':
      return viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId });
    case 'stranger':
      return viewerOf(platform, { role: 'merchant', merchantId: strangerId });
    case 'superAdmin':
      return viewerOf(platform, { role: actor, userId: shop.superAdminId });
    case 'admin':
    case 'customerService':
      return viewerOf(platform, { role: actor, userId: shop.adminId });
    case 'technicalMaintenance':
    case 'technicalSupport':
      return viewerOf(platform, { role: actor satisfies Role });
  }
}

/** Performs an action on a real payout. */
export function perform(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
  action: PayoutAction,
  utr: string,
): Promise<PayoutOrder | Refusal> {
  switch (action) {
    case 'claim':
      return claim(platform, viewer, orderId);
    case 'cancelClaim':
      return cancelClaim(platform, viewer, orderId);
    case 'confirmPaid':
      return confirmed(platform, viewer, { orderId, utr });
    case 'acceptProof':
      return acceptProof(platform, viewer, { orderId, reason: 'Statement seen' });
    case 'reject':
      return reject(platform, viewer, { orderId, reason: 'Payee account closed' });
    case 'reselect':
      return reselectPayout(platform, viewer, orderId);
    case 'release':
      return releasePayout(platform, viewer, { orderId, code: '000000' });
    case 'unlock':
      return unlock(platform, viewer, orderId);
    case 'cancel':
      return cancel(platform, viewer, orderId);
    case 'callback':
      return callBackPayout(platform, viewer, orderId);
    case 'reverse':
      return reversed(platform, viewer, orderId);
    case 'updateMark':
      return markPayout(platform, viewer, { orderId, mark: ORDER_MARK.suspicious });
  }
}

/** A request with another UTR may wait from an earlier step: it waits all the same. */
async function confirmed(
  platform: Platform,
  viewer: Viewer,
  input: Parameters<typeof confirmPaid>[2],
): Promise<PayoutOrder | Refusal> {
  const done = await confirmPaid(platform, viewer, input);
  const isOther =
    isRefusal(done) &&
    done.code === 'conflict' &&
    isDeepStrictEqual(done.data, { reason: 'otherRequestWaits' });
  return isOther ? refuse('approvalNeeded') : done;
}

/** Another superAdmin approves what a superAdmin asks for. What was decided at the same time was reversed before. */
async function reversed(platform: Platform, viewer: Viewer, orderId: bigint): Promise<PayoutOrder | Refusal> {
  const input = { orderId, reason: 'Returned' };
  if (viewer.role !== 'superAdmin') return reverse(platform, viewer, input);
  const done = await reverseByTwo(platform, input, viewer);
  if (isRefusal(done)) return done.code === 'conflict' ? refuse('actionNotAllowed') : done;
  return (await readPayout(platform.db, orderId))!;
}

/** An answer in the model's terms. */
export function outcomeOf(answer: PayoutOrder | Refusal, shop: PayoutShop): Expected {
  return isRefusal(answer) ? { refused: answer.code } : { state: stateOf(answer, shop) };
}
