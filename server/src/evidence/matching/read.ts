import type { SignedMonitor } from '../../http/route.ts';
import type { ParseResult } from '../templates/engine.ts';
import type { ReportedMovement } from '../trusted-chain/place.ts';
import { type NewCredit, verdict, type Verdict } from './credit.ts';
import type { MessageRow, MonitorAccount, ReportedMessage } from './message.ts';
import { accountOf, isPrecise, movedAt } from './place.ts';

/** A message as the templates read it. */
export interface ReadMessage {
  readonly id: bigint;
  readonly reported: ReportedMessage;
  readonly parsed: ParseResult;
  /** The accounts that it may belong to. */
  readonly fitting: readonly MonitorAccount[];
  /** Set if exactly one account fits. */
  readonly account: MonitorAccount | undefined;
  /** The verdict before any order is considered. 'unmatched' without a reason: a credit that may complete an order. */
  readonly verdict: Verdict;
}

/** Finds the account of a message, and the verdict before any order is considered. */
export function readMessage(
  id: bigint,
  reported: ReportedMessage,
  parsed: ParseResult,
  accounts: readonly MonitorAccount[],
  addedBanks: ReadonlyMap<string, string>,
): ReadMessage {
  const found = parsed.outcome === 'parsed' ? accountOf(parsed, reported, accounts, addedBanks) : [];
  return {
    id,
    reported,
    parsed,
    fitting: found,
    account: found.length === 1 ? found[0] : undefined,
    verdict: firstVerdict(parsed, found.length),
  };
}

function firstVerdict(parsed: ParseResult, accounts: number): Verdict {
  if (parsed.outcome === 'ignored') return verdict('ignored', parsed.reason);
  if (parsed.outcome !== 'parsed') return verdict('unparsed', null);
  if (accounts === 0) return verdict('unmatched', 'accountUnknown');
  if (accounts > 1) return verdict('ambiguous', 'severalAccounts');
  return parsed.direction === 'debit' ? verdict('ignored', 'debit') : verdict('unmatched', null);
}

/** The movement of a known account that the trusted chain places; none for a duplicate. */
export function reportedMovement({
  id,
  reported,
  parsed,
  account,
  verdict: { state },
}: ReadMessage): ReportedMovement[] {
  if (parsed.outcome !== 'parsed' || !account || state === 'duplicate') return [];
  return [
    {
      messageId: id,
      accountId: account.id,
      direction: parsed.direction,
      amount: parsed.amountMinor,
      balance: parsed.balanceMinor ?? null,
      movedAt: movedAt(parsed, reported.receivedAt),
      isPrecise: isPrecise(parsed),
    },
  ];
}

/**
 * The credit of a message, if it may complete an order. A phone's clock may be wrong by more than the slack of a match, so the time is
 * corrected by `clockBehindMs`. The stored time stays the phone's, because a repeat of the message is recognised by it.
 */
export function creditOf(
  { id, reported, parsed, account, verdict: { state } }: ReadMessage,
  { id: monitorId, clockBehindMs }: SignedMonitor,
): NewCredit[] {
  if (state !== 'unmatched' || !account || parsed.outcome !== 'parsed') return [];
  return [
    {
      messageId: id,
      monitorId,
      accountId: account.id,
      currency: account.currency,
      balanceMode: account.balanceMode,
      amount: parsed.amountMinor,
      balance: parsed.balanceMinor ?? null,
      reference: parsed.ref ?? null,
      payer: parsed.payer ?? null,
      text: reported.text,
      isSlow: parsed.refFamily === 'NEFT' && !isPrecise(parsed),
      isVague: !isPrecise(parsed),
      at: movedAt(parsed, new Date(reported.receivedAt.getTime() + (clockBehindMs ?? 0))),
    },
  ];
}

/** The message as it is stored. */
export function rowOf(
  { id, reported, parsed, account }: ReadMessage,
  final: Verdict,
  monitor: SignedMonitor,
  at: Date,
): MessageRow {
  const movement = parsed.outcome === 'parsed' ? parsed : undefined;
  return {
    id,
    monitorId: monitor.id,
    externalId: reported.messageId,
    kind: reported.kind,
    sender: reported.sender,
    text: reported.text,
    accountId: account?.id ?? null,
    // A monitor may serve accounts of several suppliers.
    supplierId: account?.supplierId ?? monitor.supplierId,
    templateId: parsed.outcome === 'parsed' || parsed.outcome === 'ignored' ? parsed.templateId : null,
    bank: account?.bank ?? null,
    direction: movement?.direction ?? null,
    currency: movement?.currency ?? null,
    amount: movement?.amountMinor ?? null,
    balance: movement?.balanceMinor ?? null,
    accountTail: movement?.accountTail ?? null,
    utr: movement?.ref ?? null,
    payer: movement?.payer ?? null,
    remark: movement?.remark ?? null,
    bankTime: movement?.bankTime ?? null,
    timePrecision: movement?.timePrecision ?? null,
    ...final,
    receivedAt: reported.receivedAt,
    reportedAt: at,
  };
}
