import { sendMails } from '../alerts/mail.ts';
import { sendSms } from '../alerts/sms.ts';
import { watchBackup, watchCauses, watchDisk } from '../alerts/watch.ts';
import { callWebhook } from '../alerts/webhook.ts';
import { planAlerts, planFundRecords, planReminders } from '../bots/plan.ts';
import { listen, sweepBots } from '../bots/poll.ts';
import { sendRound } from '../bots/send.ts';
import { reportTransfers } from '../bots/transfers.ts';
import { watchRates } from '../analysis/rates/watch.ts';
import { writeStatements } from '../analysis/no-loss/write.ts';
import { restoreWaiting } from '../archive/restore.ts';
import { archiveNightly } from '../archive/run.ts';
import { sealNew } from '../audit/seal.ts';
import { CHECK_PAUSE, checkSealed } from '../audit/turn.ts';
import { expireApprovals } from '../approvals/expire.ts';
import { createDaraja } from '../channels/mpesa/daraja.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import { createTronGrid } from '../channels/usdt/tron-grid.ts';
import { checkLeaks } from '../evidence/chain-patches/leak-check.ts';
import { startDispatcher } from '../callbacks/dispatch.ts';
import { createSender } from '../callbacks/send.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { expireDue } from '../collection/expire.ts';
import { sweepErrors } from '../backoffice/error-log/sweep-errors.ts';
import { leased } from '../platform/db/lease.ts';
import { ASKED_JOBS, runAsked, runScheduled } from '../maintenance/jobs.ts';
import { sweepNonces } from '../parties/merchants/signed-merchant.ts';
import { sweepFailures } from '../access/lock-out.ts';
import { matchDelayed } from '../evidence/matching/delayed.ts';
import { releaseHeld } from '../evidence/matching/release-held.ts';
import { reportUnseenBookings } from '../evidence/matching/unseen-bookings.ts';
import { recordOutcome } from '../orders/callback-outcome.ts';
import { askAboutEnded, askGateways, expireSubmitted } from '../payout/ask-gateways.ts';
import { askBalances } from '../payout/ask-balances.ts';
import { createDispatcher, recoverSends } from '../payout/dispatch.ts';
import { reportDebitsOfEnded } from '../payout/ended-debits.ts';
import { reportReturned } from '../payout/returned.ts';
import { expireClaims } from '../payout/expire-claims.ts';
import { matchDebits } from '../payout/match-debits.ts';
import { proveConfirmed } from '../payout/prove.ts';
import { endIdleSessions } from '../access/idle.ts';
import { sweepSessions } from '../access/sweep-sessions.ts';
import { type LoopRound, loopRounds } from '../platform/loop-watch.ts';
import type { Platform } from '../platform/platform.ts';
import { within } from '../platform/within.ts';
import { askStk } from '../inbound/mpesa-stk.ts';
import { watchMpesa } from '../inbound/mpesa-watch.ts';
import { watchHosted } from '../inbound/hosted-watch.ts';
import { watchUsdt } from '../inbound/usdt-watch.ts';
import { screenParties } from '../screening/screen-parties.ts';
import { sweepCalls } from '../channels/scripts/sweep-calls.ts';
import { thawDue } from '../traffic/abnormal.ts';
import { sweepCallers } from '../traffic/callers.ts';
import { sweepMinutes } from '../traffic/count-addresses.ts';
import { countChanges } from '../traffic/fold.ts';
import { sendPushes } from '../push/send.ts';
import { issueInvoices } from '../treasury/invoices/issue.ts';
import { settleDue } from '../treasury/settlement/run.ts';
import { addUp, forgetHalfHours, settleOrders, sumUpDays } from '../statistics/keep.ts';
import { verifyRecent, verifyWhole } from '../verify/job.ts';
import { beginDueReview } from '../parties/access-review/begin.ts';
import { applyDueTerms } from '../terms/products/set-terms.ts';

export interface Loops {
  /** Starts no further round and waits for the rounds under way. */
  stop(): Promise<void>;
}

/** When the node stops, how long merchants have to answer callbacks under way. */
const UNANSWERED_AT_END = 2 * SECOND;
/** When the node stops, how long rounds and sends have to end and be recorded. */
const LONGEST_END = 4 * SECOND;

/**
 * Starts all the loops of a node. Every loop is safe on any number of nodes at once. No loop begins a round while `mayDecide` answers
 * false, except those that only tell people something: somebody has to hear of a wrong clock.
 */
export function startLoops(platform: Platform, mayDecide: () => boolean): Loops {
  const sender = createSender(platform.config.allowPrivateCallbacks);
  const dispatcher = startDispatcher(platform, sender, recordOutcome, mayDecide);
  const channels = payoutChannels(platform);
  const payouts = createDispatcher(platform, channels);
  const { tronUrl, tronApiKey, usdtContract, darajaUrl } = platform.config;
  const tron = createTronGrid({ url: tronUrl, apiKey: tronApiKey, contract: usdtContract });
  const daraja = createDaraja({ url: darajaUrl, clock: platform.clock });
  const context = { platform, mayDecide, begun: 0 };
  const loops = [
    every(context, 'expiry', SECOND, (isStopped) => expireDue(platform, platform.clock.now(), isStopped)),
    every(context, 'order sources', SECOND, (isStopped) => countChanges(platform, isStopped)),
    every(context, 'frozen addresses', SECOND, () => thawDue(platform)),
    every(context, 'old address counts', MINUTE, () => sweepMinutes(platform)),
    every(context, 'old callers', HOUR, () => sweepCallers(platform)),
    every(context, 'success rates', 5 * SECOND, () => watchRates(platform)),
    every(context, 'no-loss statement', MINUTE, () => writeStatements(platform)),
    every(context, 'approvals', MINUTE, () => expireApprovals(platform)),
    every(context, 'terms', SECOND, () => applyDueTerms(platform)),
    every(context, 'delayed messages', SECOND, () => matchDelayed(platform)),
    every(context, 'held credits', SECOND, () => releaseHeld(platform)),
    every(context, 'leak check', SECOND, () => checkLeaks(platform)),
    every(context, 'payouts', SECOND, () => tendPayouts(platform)),
    // Every 5 s only: planning its query takes 11 ms and reading the chains up to 350 ms, and orders would wait behind that.
    every(context, 'payout debits', 5 * SECOND, () => tendDebits(platform)),
    every(context, 'unseen bookings', MINUTE, () => untilDone(() => reportUnseenBookings(platform))),
    every(context, 'returned payouts', MINUTE, () => untilDone(() => reportReturned(platform))),
    every(context, 'payout gateways', SECOND, () => payouts.round()),
    every(context, 'payout questions', 5 * SECOND, () => askGateways(platform, channels)),
    every(context, 'gateway balances', MINUTE, () => askBalances(platform, channels)),
    every(context, 'payouts taken back', 5 * MINUTE, () => askAboutEnded(platform, channels)),
    every(context, 'USDT addresses', SECOND, () => watchUsdt(platform, tron)),
    every(context, 'M-Pesa short codes', SECOND, () => watchMpesa(platform, daraja)),
    every(context, 'hosted pages', SECOND, () => watchHosted(platform)),
    every(context, 'M-Pesa requests', 15 * SECOND, () => askStk(platform, daraja)),
    every(context, 'settlement', 10 * SECOND, () => settleDue(platform)),
    every(context, 'invoices', MINUTE, () => issueInvoices(platform)),
    every(context, 'listed names', 5 * SECOND, () => screenParties(platform)),
    every(context, 'partitions', 10 * MINUTE, () => makeOwnPartitions(platform)),
    every(context, 'audit seal', SECOND, () => sealNew(platform)),
    every(context, 'audit check', CHECK_PAUSE, () => checkSealed(platform)),
    every(context, 'nonces', MINUTE, () => sweepNonces(platform)),
    every(context, 'statistics', 1.5 * SECOND, (isStopped) => addUp(platform, isStopped)),
    every(context, 'settled orders of statistics', MINUTE, () => settleOrders(platform)),
    every(context, 'old half hours of statistics', HOUR, () => forgetHalfHours(platform)),
    every(context, 'spans of statistics', HOUR, () => sumUpDays(platform)),
    every(context, 'verify', 5 * SECOND, () => verifyWhole(platform)),
    every(context, 'verify recent', 5 * SECOND, () => verifyRecent(platform)),
    every(context, 'alerts', 5 * SECOND, () => watchCauses(platform), ALWAYS),
    every(context, 'disk', MINUTE, () => watchDisk(platform), ALWAYS),
    every(context, 'backup', MINUTE, () => watchBackup(platform), ALWAYS),
    every(context, 'alert mails', 10 * SECOND, () => sendMails(platform), ALWAYS),
    every(context, 'alert webhook', 2 * SECOND, () => callWebhook(platform), ALWAYS),
    every(context, 'alert SMS', 5 * SECOND, () => sendSms(platform), ALWAYS),
    every(context, 'bot plans', SECOND, () => untilDone(() => planAlerts(platform)), ALWAYS),
    every(context, 'bot reminders', 10 * SECOND, () => planReminders(platform), ALWAYS),
    every(context, 'fund records of groups', MINUTE, () => planFundRecords(platform)),
    every(context, 'bot messages', SECOND, () => sendRound(platform), ALWAYS),
    every(context, 'alert bot', SECOND, () => listen(platform, 'alert')),
    every(context, 'transfer bot', SECOND, () => listen(platform, 'transfer')),
    every(context, 'ends of transfers', 5 * SECOND, () => reportTransfers(platform)),
    every(context, 'pushes', 5 * SECOND, () => sendPushes(platform), ALWAYS),
    every(context, 'old bot updates', HOUR, () => sweepBots(platform)),
    every(context, 'sign-in failures', 15 * MINUTE, () => sweepFailures(platform)),
    every(context, 'idle sessions', MINUTE, () => endIdleSessions(platform)),
    every(context, 'access review', HOUR, () => beginDueReview(platform)),
    every(context, 'old sessions', HOUR, () => sweepSessions(platform)),
    every(context, 'old console errors', HOUR, () => sweepErrors(platform)),
    every(context, 'archive', 10 * MINUTE, () =>
      archiveNightly(platform, () => runScheduled(platform, 'archive')),
    ),
    every(context, 'archive restores', 2 * SECOND, () => restoreWaiting(platform)),
    every(context, 'old script calls', HOUR, () => sweepCalls(platform)),
    ...(platform.owner ? [every(context, ASKED_JOBS, 2 * SECOND, () => runAsked(platform))] : []),
  ];
  return {
    async stop() {
      // A callback that is still unanswered is then recorded as failed, and repeated later.
      const late = setTimeout(() => void sender.close(), UNANSWERED_AT_END);
      const ended = Promise.all([dispatcher.stop(), ...loops.map((loop) => loop.stop())]);
      // Another node recovers what cannot be recorded any more.
      await within(
        LONGEST_END,
        ended.then(() => payouts.settled()).catch(() => undefined),
      );
      clearTimeout(late);
      await sender.close();
    },
  };
}

/** Makes the month partitions once a day. A node without the owner's rights leaves this to other nodes. */
async function makeOwnPartitions(platform: Platform): Promise<void> {
  if (!platform.owner) return;
  await leased(platform, 'partitions', async () => {
    await runScheduled(platform, 'partitions');
    return new Date(platform.clock.now().getTime() + DAY);
  });
}

/** Payouts whose time ran out: claims expire, lost sends are recovered, and payouts without an answer wait to be confirmed. */
async function tendPayouts(platform: Platform): Promise<void> {
  for (const sweep of [expireClaims, recoverSends, expireSubmitted]) await untilDone(() => sweep(platform));
}

/** Applies debits to payouts: a debit completes a payout, proves what a supplier said, or contradicts a payout that ended unpaid. */
async function tendDebits(platform: Platform): Promise<void> {
  for (const sweep of [matchDebits, proveConfirmed, reportDebitsOfEnded])
    await untilDone(() => sweep(platform));
}

async function untilDone(sweep: () => Promise<number>): Promise<void> {
  while ((await sweep()) > 0);
}

/** Milliseconds between the first rounds of two loops. It shares no divisor with a second. */
const APART = 71;

/** For loops that only tell. */
const ALWAYS = () => true;

interface Context {
  readonly platform: Platform;
  readonly mayDecide: () => boolean;
  /** How many loops were started so far. */
  begun: number;
}

/** Runs `work` again `pauseMs` after it ended, while `mayRun` answers true. A failure is logged, and the next round tries again. */
function every(
  context: Context,
  name: string,
  pauseMs: number,
  work: (isStopped: () => boolean) => Promise<unknown>,
  mayRun: () => boolean = context.mayDecide,
): Loops {
  const { platform } = context;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const last: LoopRound = { name, everyMs: pauseMs, ranAt: null, ms: null, failure: null };
  loopRounds(platform).set(name, last);
  const round = async (): Promise<void> => {
    const ranAt = platform.clock.now().getTime();
    const began = performance.now();
    let failure: string | null = null;
    try {
      if (mayRun()) await work(() => stopped);
    } catch (error) {
      platform.log.error({ err: error, loop: name }, 'loop failed');
      failure = String(error);
    }
    Object.assign(last, { ranAt, ms: Math.round(performance.now() - began), failure });
    if (!stopped) schedule(pauseMs);
  };
  const schedule = (afterMs: number): void => {
    timer = setTimeout(() => {
      running = round();
    }, afterMs);
  };
  // Loops start at different moments. Together they took every connection and both processors for some ms each second.
  context.begun += 1;
  schedule(pauseMs + ((context.begun * APART) % SECOND));
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
