import type { SignedMonitor } from '../../http/route.ts';
import type { ReportedMovement } from '../trusted-chain/place.ts';
import type { Evidence } from './decide.ts';
import type { MessageRow, MessageState, MonitorAccount, ReportedMessage } from './message.ts';
import { accountOf, isPrecise, movedAt } from './place.ts';
import type { ParseResult } from '../templates/engine.ts';

/** A message on its way: what was told, what it parsed to, and what becomes of it. */
export interface Incoming {
  readonly id: bigint;
  readonly told: ReportedMessage;
  readonly parsed: ParseResult;
  readonly account: MonitorAccount | undefined;
  state: MessageState;
  reason: string | null;
  orderId: bigint | null;
  evidence: Evidence | 'supplement' | null;
}

export function set(item: Incoming, state: MessageState, reason: string | null): void {
  item.state = state;
  item.reason = reason;
}

/** First verdict on a message, before orders are looked at. */
export function firstVerdict(
  id: bigint,
  told: ReportedMessage,
  parsed: ParseResult,
  accounts: readonly MonitorAccount[],
): Incoming {
  const found = parsed.outcome === 'parsed' ? accountOf(parsed, told, accounts) : [];
  const account = found.length === 1 ? found[0] : undefined;
  const item: Incoming = {
    id,
    told,
    parsed,
    account,
    state: 'unmatched',
    reason: null,
    orderId: null,
    evidence: null,
  };
  if (parsed.outcome === 'ignored') set(item, 'ignored', parsed.reason);
  else if (parsed.outcome !== 'parsed') set(item, 'unparsed', null);
  else if (found.length === 0) set(item, 'unmatched', 'accountUnknown');
  else if (found.length > 1) set(item, 'ambiguous', 'severalAccounts');
  else if (parsed.direction === 'debit') set(item, 'ignored', 'debit');
  return item;
}

/** What the trusted chain places: movements of known accounts, each once. */
export function reportedMovement({ id, told, parsed, account, state }: Incoming): ReportedMovement[] {
  if (parsed.outcome !== 'parsed' || !account || state === 'duplicate') return [];
  return [
    {
      messageId: id,
      accountId: account.id,
      direction: parsed.direction,
      amount: parsed.amountMinor,
      balance: parsed.balanceMinor ?? null,
      movedAt: movedAt(parsed, told.receivedAt),
      isPrecise: isPrecise(parsed),
    },
  ];
}

/** The message as it is stored. */
export function rowOf(item: Incoming, monitor: SignedMonitor, at: Date): MessageRow {
  const movement = item.parsed.outcome === 'parsed' ? item.parsed : undefined;
  return {
    id: item.id,
    monitorId: monitor.id,
    externalId: item.told.messageId,
    kind: item.told.kind,
    sender: item.told.sender,
    text: item.told.text,
    accountId: item.account?.id ?? null,
    // A monitor may serve accounts of several suppliers.
    supplierId: item.account?.supplierId ?? monitor.supplierId,
    templateId:
      item.parsed.outcome === 'parsed' || item.parsed.outcome === 'ignored' ? item.parsed.templateId : null,
    bank: item.account?.bank ?? null,
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
    state: item.state,
    reason: item.reason,
    orderId: item.orderId,
    receivedAt: item.told.receivedAt,
    reportedAt: at,
  };
}
