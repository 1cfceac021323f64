import { ADMINS } from '@sangam/contract/roles.ts';
import { amountText, type Currency } from '@sangam/contract/money.ts';
import { DAY, MINUTE } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import { releaseOverdue } from '../matching/release-held.ts';
import { notify } from '../../inbox/notify.ts';
import { askResend } from '../monitors/ask-monitor.ts';
import type { Platform } from '../../platform/platform.ts';
import { onlySet } from '../trusted-chain/explain.ts';
import { healChain, holdChain, supersedePatch } from '../trusted-chain/fill-gap.ts';
import { closeGap } from './apply.ts';
import {
  type BrokenChain,
  explanationsOf,
  insertAlerts,
  insertPatch,
  isKnownCharge,
  MOST_EXPLANATIONS,
  noteGap,
  type OpenGap,
  readBrokenChains,
  readDisproved,
  readOpenGap,
  readOpenGaps,
  readUnexplainedDebits,
  takeTurn,
} from './store.ts';

const BATCH = 200;
/** A gap that is open for longer is left to an operator. It stays on the list. */
const TRIED_FOR = 3 * DAY;
/** A patch younger than this ends when the bank contradicts an order in it. */
const PATCHES_WATCHED_FOR = 31 * DAY;
/** The largest set of orders that may explain a gap, whatever the setting allows. */
const MOST_ORDERS = 5;

/**
 * The leak checker (docs/domain.md#leak-checker). It runs every sbLeakCheckInterval on one node and looks at every open gap of the last
 * three days. An explanation that is booked already closes the gap; one that would move money is only proposed; the admins are notified of
 * the rest. A patch whose order the bank has contradicted since ends first. Credits that were left to an operator are looked at again where
 * their chain has changed. Debits that nobody explains near a large credit are reported. Returns the number of gaps it looked at.
 */
export async function checkLeaks(platform: Platform): Promise<number> {
  const at = platform.clock.now();
  const { SecurityFreqParameters } = await platform.settings.all();
  if (!(await takeTurn(platform.db, at, SecurityFreqParameters.sbLeakCheckInterval))) return 0;
  const since = new Date(at.getTime() - TRIED_FOR);
  const watched = firstIdAt(new Date(at.getTime() - PATCHES_WATCHED_FOR));
  for (const { id, accountId, fromMinute } of await readDisproved(platform.db, watched))
    await platform.db.tx((tx) => supersedePatch(platform, tx, accountId, fromMinute, id));
  // Once for all gaps of an account, because a chain is read from its oldest gap on.
  for (const chain of await readBrokenChains(platform.db, since))
    await platform.db.tx((tx) => heal(platform, tx, chain));
  let looked = 0;
  const failures: unknown[] = [];
  // All pages are read: a gap that nobody can explain, or that fails, must not keep the gaps after it from being checked.
  for (let after = 0n, page = BATCH; page === BATCH; looked += page) {
    const gaps = await readOpenGaps(platform.db, since, after, BATCH);
    for (const { id } of gaps)
      await platform.db
        .tx((tx) => checkGap(platform, tx, id))
        .catch((error: unknown) => failures.push(error));
    page = gaps.length;
    after = gaps.at(-1)?.id ?? after;
  }
  await releaseOverdue(platform);
  await platform.db.tx((tx) => alertDebits(platform, tx));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} gaps could not be looked at`);
  return looked;
}

async function heal(platform: Platform, tx: Tx, { accountId, fromMinute }: BrokenChain): Promise<void> {
  await holdChain(platform, tx, accountId);
  await healChain(platform, tx, accountId, fromMinute);
}

async function checkGap(platform: Platform, tx: Tx, gapId: bigint): Promise<void> {
  const at = platform.clock.now();
  const seen = await readOpenGap(tx, gapId);
  if (!seen) return;
  await holdChain(platform, tx, seen.accountId);
  const gap = await readOpenGap(tx, gapId);
  if (!gap || (await explain(platform, tx, gap))) return;
  const { lookForwardMinutes } = (await platform.settings.all()).GlobalSecuritySetting;
  const age = at.getTime() - gap.openedAt.getTime();
  if (gap.monitorId !== null && isAskDue(gap, at, lookForwardMinutes * MINUTE)) {
    await askResend(platform, tx, {
      monitorId: gap.monitorId,
      from: new Date(gap.fromMinute * MINUTE),
      to: new Date((gap.toMinute + 1) * MINUTE),
      reason: 'chainGap',
      askedBy: null,
    });
    await noteGap(tx, gap.id, 'asked', at);
  }
  if (gap.alertedAt === null && age >= lookForwardMinutes * MINUTE) {
    await noteGap(tx, gap.id, 'alerted', at);
    await notify(platform, tx, { roles: ADMINS }, 'chainGap', {
      account: gap.accountName,
      amount: shown(gap.delta, gap.currency),
    });
  }
}

/**
 * Whether to ask the device (again): first after half of `waitingTime`, then each time the gap is twice as old. A command or its answer may
 * be lost, and a phone may be off for hours.
 */
function isAskDue({ openedAt, askedAt }: OpenGap, at: Date, waitingTime: number): boolean {
  const age = at.getTime() - openedAt.getTime();
  if (askedAt === null) return age >= waitingTime / 2;
  const ageWhenAsked = askedAt.getTime() - openedAt.getTime();
  return age >= ageWhenAsked + Math.max(waitingTime, ageWhenAsked);
}

/** Tries to explain the gap. Returns whether it is closed now. */
async function explain(platform: Platform, tx: Tx, gap: OpenGap): Promise<boolean> {
  const { FixSecurityChainSupplementLimit: limit } = await platform.settings.all();
  const isCredit = gap.delta > 0n;
  const candidates = await explanationsOf(tx, gap);
  const most = isCredit ? Math.min(MOST_ORDERS, Math.max(1, limit)) : MOST_ORDERS;
  // If there are more candidates than were read, an unread one may make up the sum as well.
  const isWhole = candidates.length <= MOST_EXPLANATIONS;
  const set = isWhole ? onlySet(candidates, gap.delta, most) : undefined;
  const id = platform.ids.next();
  if (!set || set.length > most) {
    if (!isCredit && (await isKnownCharge(tx, gap.accountId, gap.delta)))
      await propose(tx, gap, { id, kind: 'charge', orderIds: [] }, platform.clock.now());
    return false;
  }
  const kind = isCredit ? 'order-supplement' : 'payout';
  const orderIds = set.map(({ orderId }) => orderId);
  if (set.every(({ isBooked }) => isBooked)) {
    return closeGap(platform, tx, gap, {
      id,
      kind,
      orderIds,
      amounts: set.map(({ amount }) => amount),
      reason: null,
      evidence: { found: 'onlySet', of: candidates.length },
      authorId: null,
      approvedBy: null,
    });
  }
  await propose(tx, gap, { id, kind, orderIds }, platform.clock.now());
  return false;
}

async function propose(
  tx: Tx,
  gap: OpenGap,
  patch: {
    readonly id: bigint;
    readonly kind: 'order-supplement' | 'payout' | 'charge';
    readonly orderIds: readonly bigint[];
  },
  at: Date,
): Promise<void> {
  await insertPatch(
    tx,
    {
      ...patch,
      gapId: gap.id,
      accountId: gap.accountId,
      amount: gap.delta,
      reason: null,
      evidence: {},
      state: 'proposed',
      authorId: null,
      approvedBy: null,
    },
    at,
  );
}

async function alertDebits(platform: Platform, tx: Tx): Promise<void> {
  const at = platform.clock.now();
  const { GlobalSecuritySetting, SecurityFreqParameters } = await platform.settings.all();
  const debits = await readUnexplainedDebits(
    tx,
    at,
    GlobalSecuritySetting.lookForwardMinutes,
    BigInt(SecurityFreqParameters.minReliableCheckAmount),
  );
  const fresh = new Set(await insertAlerts(tx, debits, at));
  for (const debit of debits.filter(({ messageId }) => fresh.has(messageId))) {
    await notify(platform, tx, { roles: ADMINS }, 'unexplainedDebit', {
      account: debit.accountName,
      amount: shown(debit.amount, debit.currency),
    });
  }
}

function shown(amount: bigint, currency: string): string {
  return `${currency} ${amountText(amount, currency as Currency)}`;
}
