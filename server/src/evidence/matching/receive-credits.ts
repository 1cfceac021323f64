import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { waitForChains } from '../trusted-chain/fill-gap.ts';
import { placeMessages } from '../trusted-chain/place.ts';
import { type NewCredit, verdict, type Verdict } from './credit.ts';
import { matchCredits } from './match.ts';
import type { MessageRow, MessageState } from './message.ts';
import { claimMessageKeys, insertMessages, referencesStored } from './store.ts';

/** An account whose rail reports its credits itself. */
export interface RailAccount {
  readonly id: bigint;
  readonly supplierId: bigint;
  readonly bank: string;
  readonly currency: string;
  readonly accountNumber: string;
  /** The rail's own monitor, which reports the credits. */
  readonly monitorId: bigint;
}

/** A credit as a rail reports it, in fields and not in a text. Amounts in minor units. */
export interface RailCredit {
  /** Stays the same however often the credit is reported. */
  readonly key: string;
  readonly kind: 'usdt' | 'web';
  readonly account: RailAccount;
  readonly sender: string;
  /** The text that an operator reads. It contains the payer's own reference to the order. */
  readonly text: string;
  readonly amount: bigint;
  readonly balance: bigint | null;
  /** Normalised. It completes one order only. */
  readonly reference: string;
  readonly payer: string | null;
  /** When the money moved, by the rail's clock. This time decides which orders may have been paid, not the time of the report. */
  readonly at: Date;
  /**
   * Only an order with exactly this payable amount is completed. A reference that the payer typed completes no order of another amount
   * (docs/rails.md#usdt-trc-20).
   */
  readonly isExact: boolean;
  /** Why the credit is kept for an operator and not matched. */
  readonly keptBack?: string | undefined;
}

export interface CreditResult {
  readonly key: string;
  readonly state: MessageState;
  readonly orderId: bigint | null;
}

/** Which of these references the account's stored credits already have. */
export function knownReferences(
  db: Queryable,
  accountId: bigint,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  return referencesStored(db, accountId, references);
}

/**
 * Stores credits that rails report, each once, and completes the orders they pay, in one transaction. Returns what became of the new ones.
 */
export async function receiveCredits(
  platform: Platform,
  credits: readonly RailCredit[],
): Promise<readonly CreditResult[]> {
  return credits.length === 0
    ? []
    : platform.db.evidence.tx((tx) => receiveCreditsWithin(platform, tx, credits));
}

/** The same in the caller's transaction. */
export async function receiveCreditsWithin(
  platform: Platform,
  tx: Tx,
  credits: readonly RailCredit[],
): Promise<readonly CreditResult[]> {
  const reported = [...new Map(credits.map((credit) => [credit.key, credit])).values()];
  const at = platform.clock.now();
  const ids = new Map(reported.map((credit) => [credit.key, platform.ids.next(at)]));
  const fresh = new Set<string>();
  for (const [monitorId, own] of Map.groupBy(reported, ({ account }) => account.monitorId)) {
    const claims = new Map(own.map(({ key }) => [key, ids.get(key)!]));
    for (const key of await claimMessageKeys(tx, monitorId, claims)) fresh.add(key);
  }
  const taken = reported.filter(({ key }) => fresh.has(key));
  const newCredits = taken.map((credit) => creditOf(ids.get(credit.key)!, credit));
  // A rail is believed: its chain stops no credit. But a gap in the chain is a payment that nobody reported, or money that left.
  const movements = newCredits.map(({ messageId, accountId, amount, balance, at: movedAt }) => {
    const movement = { direction: 'credit', amount, balance, movedAt, isPrecise: true } as const;
    return { messageId, accountId, ...movement };
  });
  // A credit without balance has no place in a chain. But whoever reverses or joins its order holds the chain meanwhile.
  if (movements.some(({ balance }) => balance === null))
    await waitForChains(
      platform,
      tx,
      movements.map(({ accountId }) => accountId),
    );
  const passed = await placeMessages(platform, tx, movements, at);
  const tried = newCredits.filter((_credit, index) => taken[index]!.keptBack === undefined);
  const verdicts = await matchCredits(platform, tx, tried, passed, at);
  const rows = taken.map((credit) => {
    const id = ids.get(credit.key)!;
    return rowOf(id, credit, verdicts.get(id) ?? verdict('unmatched', credit.keptBack ?? null), at);
  });
  insertMessages(tx, rows, at);
  return rows.map(({ externalId, state, orderId }) => ({ key: externalId, state, orderId }));
}

/** Stores, once, what a rail reported of an account and nobody could read, as an unparsed message for an operator. It completes nothing. */
export function keepUnread(
  platform: Platform,
  { key, account, sender, text }: Pick<RailCredit, 'key' | 'account' | 'sender' | 'text'>,
): Promise<void> {
  const { id: accountId, monitorId, supplierId, bank } = account;
  return platform.db.tx(async (tx) => {
    const at = platform.clock.now();
    const id = platform.ids.next(at);
    const [fresh] = await claimMessageKeys(tx, monitorId, new Map([[key, id]]));
    if (fresh === undefined) return;
    const row: MessageRow = {
      id,
      monitorId,
      externalId: key,
      kind: 'web',
      sender,
      text,
      accountId,
      supplierId,
      templateId: null,
      bank,
      direction: null,
      currency: null,
      amount: null,
      balance: null,
      accountTail: null,
      utr: null,
      payer: null,
      remark: null,
      bankTime: null,
      timePrecision: null,
      ...verdict('unparsed', null),
      receivedAt: at,
      reportedAt: at,
    };
    insertMessages(tx, [row], at);
  });
}

function creditOf(
  messageId: bigint,
  { account, amount, balance, reference, payer, text, at, isExact }: RailCredit,
): NewCredit {
  const { id: accountId, monitorId, currency } = account;
  const movement = { amount, balance, reference, payer, text, at, isExact };
  return { messageId, monitorId, accountId, currency, balanceMode: null, ...movement };
}

function rowOf(id: bigint, credit: RailCredit, final: Verdict, at: Date): MessageRow {
  const { account } = credit;
  return {
    id,
    monitorId: account.monitorId,
    externalId: credit.key,
    kind: credit.kind,
    sender: credit.sender,
    text: credit.text,
    accountId: account.id,
    supplierId: account.supplierId,
    templateId: null,
    bank: account.bank,
    direction: 'credit',
    currency: account.currency,
    amount: credit.amount,
    balance: credit.balance,
    accountTail: account.accountNumber.slice(-4),
    utr: credit.reference,
    payer: credit.payer,
    remark: null,
    bankTime: credit.at,
    timePrecision: 'second',
    ...final,
    receivedAt: at,
    reportedAt: at,
  };
}
