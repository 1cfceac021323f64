import type { TronGrid } from '../channels/usdt/tron-grid.ts';
import type { TronTransfer } from '../channels/usdt/tron-receipt.ts';
import { tronAddressOf } from '../platform/tron-address.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import {
  knownReferences,
  receiveCredits,
  type RailAccount,
  type RailCredit,
} from '../evidence/matching/receive-credits.ts';
import type { Platform } from '../platform/platform.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { beginWatches, noteWatched, takeDueWatches, type Watch } from './store.ts';

/** Addresses of one round. */
const BATCH = 8;
const LOOK_EVERY = 5 * SECOND;
/** No order waits there now, so a late payment may wait a little. */
const LOOK_IDLE_EVERY = 20 * SECOND;
/** The index of confirmed transfers lags and skips (docs/rails.md#usdt-trc-20), so each look goes back by this. */
const OVERLAP = 10 * MINUTE;
const RESCAN_EVERY = 30 * MINUTE;
const RESCAN_BACK = DAY;
/** A look ends after this many failed transactions: one answer is waited for ten seconds, and the lease is a minute. */
const MOST_FAILURES = 5;

/**
 * Looks at the USDT addresses that are due and takes what was paid to them. Any number of nodes may run it: an address belongs to one node
 * while it is looked at. Returns the number of addresses.
 */
export async function watchUsdt(platform: Platform, tron: TronGrid): Promise<number> {
  await beginWatches(platform, 'usdt', 'TRON');
  const watches = await takeDueWatches(platform, 'usdt', { limit: BATCH, leaseMs: MINUTE });
  await Promise.all(watches.map((watch) => look(platform, tron, watch)));
  return watches.length;
}

async function look(platform: Platform, tron: TronGrid, watch: Watch): Promise<void> {
  const now = platform.clock.now();
  const isRescan = (watch.rescannedAt?.getTime() ?? 0) + RESCAN_EVERY <= now.getTime();
  const nextAt = new Date(now.getTime() + (watch.isAwaited ? LOOK_EVERY : LOOK_IDLE_EVERY));
  try {
    const last = watch.readUntil ?? new Date(now.getTime() - OVERLAP);
    // From the mark and not from now, because no node may have run for days.
    const since = new Date(last.getTime() - (isRescan ? RESCAN_BACK : OVERLAP));
    const { txids, until } = await tron.listed(watch.account.accountNumber, since);
    const { isWhole, failure } = await takeTransactions(platform, tron, watch.account, txids);
    await noteWatched(platform.db, watch.account.id, {
      // A transaction that is not solid yet, or could not be read, is looked at again, so the mark stays before it. It also stays where
      // the address has no rows yet. The mark never goes beyond now, whatever a row says, because it never goes back.
      readUntil: isWhole && until ? new Date(Math.min(until.getTime(), now.getTime())) : last,
      seenAt: now,
      nextAt,
      rescannedAt: isRescan ? now : null,
      problem:
        failure === undefined ? null : warn(platform, watch, failure, 'a USDT transaction could not be read'),
    });
  } catch (error) {
    const problem = warn(platform, watch, error, 'a USDT address could not be watched');
    await noteWatched(platform.db, watch.account.id, {
      readUntil: null,
      seenAt: null,
      nextAt: new Date(now.getTime() + LOOK_IDLE_EVERY),
      rescannedAt: null,
      problem,
    });
  }
}

/** The problem in words. It is logged once, not at every look while it lasts. */
function warn(
  platform: Platform,
  { account, problem: before }: Watch,
  error: unknown,
  words: string,
): string {
  const problem = (error instanceof Error ? error.message : String(error)).slice(0, 200);
  if (problem !== before) platform.log.warn({ err: error, accountId: String(account.id) }, words);
  return problem;
}

interface Taken {
  /** False if one of the transactions is not in the solidified chain yet, or failed. */
  readonly isWhole: boolean;
  /** The error of the first transaction that failed. */
  readonly failure?: Error | undefined;
}

/**
 * Takes each transaction by itself, so that one that the node fails on keeps no other out. Throws if several fail and none is read: then
 * the node has failed, and the address does not count as seen.
 */
async function takeTransactions(
  platform: Platform,
  tron: TronGrid,
  account: RailAccount,
  txids: readonly string[],
): Promise<Taken> {
  const { UsdtAuto } = await platform.settings.all();
  const known = await knownReferences(platform.db, account.id, txids.map(normaliseReference));
  const failures: Error[] = [];
  let [isSolid, isAnyRead] = [true, false];
  for (const txid of txids) {
    if (known.has(normaliseReference(txid))) continue;
    try {
      const transfers = await tron.transfersTo(account.accountNumber, txid);
      isAnyRead = true;
      if (!transfers) isSolid = false;
      const credits = (transfers ?? []).map((transfer) => creditOf(transfer, account, UsdtAuto));
      await receiveCredits(platform, credits);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      failures.push(new Error(`${txid}: ${words}`, { cause: error }));
      if (failures.length === MOST_FAILURES) break;
    }
  }
  const [failure] = failures;
  if (failure && failures.length > 1 && !isAnyRead) throw failure;
  return { isWhole: isSolid && !failure, failure };
}

function creditOf(transfer: TronTransfer, account: RailAccount, isAuto: boolean): RailCredit {
  const { txid, position, value, blockTime } = transfer;
  const from = tronAddressOf(transfer.from);
  return {
    key: `tron/${txid}/${position}`,
    kind: 'usdt',
    account,
    sender: 'TRC20',
    text: `${formatMinor(value, 'USDT')} USDT ${from} → ${account.accountNumber} ${txid}`,
    amount: value,
    balance: null,
    // Payers write the transaction id alone, so the first transfer of a transaction has it as its reference.
    reference: normaliseReference(txid) + (position === 0 ? '' : `L${position}`),
    payer: from,
    at: blockTime,
    isExact: true,
    keptBack: isAuto ? undefined : 'autoOff',
  };
}
