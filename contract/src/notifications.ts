import type { AlertKind } from './alerts.ts';
import type { ApprovalKind } from './approvals.ts';

/**
 * The messages that the system sends to the message centre, with the data of each kind. The texts are in locales/*.json under
 * `notices`, by kind. A message gets its text when it is read, in the reader's language.
 */
export interface NotificationData {
  readonly requestApproved: { readonly request: ApprovalKind; readonly subject: string };
  readonly requestRefused: {
    readonly request: ApprovalKind;
    readonly subject: string;
    readonly reason: string;
  };
  /** Long work that ended: an export, an upload, a batch, a settlement, a rebuild. `work` is the name that the user knows. */
  readonly workDone: { readonly work: string; readonly done: number; readonly refused: number };
  /** The user ended the work, or the connection broke, before it was complete. */
  readonly workStopped: { readonly work: string; readonly done: number };
  /** The end of a settlement run that somebody started. */
  readonly settlementDone: { readonly day: string; readonly done: number };
  /** Money moved that no message reported and nothing explains. `amount` is text with its sign. */
  readonly chainGap: { readonly account: string; readonly amount: string };
  /** Messages that link to each other but not to the account's chain, which goes on without them. */
  readonly chainQuarantined: { readonly account: string };
  /** A debit that belongs to no payout, close to a large credit. */
  readonly unexplainedDebit: { readonly account: string; readonly amount: string };
  /** A late message reported the money of a patch: what the patch completed may count twice. */
  readonly patchSuperseded: {
    readonly account: string;
    readonly amount: string;
    readonly orders: string;
  };
  /** M-Pesa says that an order was paid, but no confirmation of a payment has completed it. */
  readonly paidUnreported: { readonly order: string; readonly account: string };
  /** A gateway says that a payout which a person confirmed was not paid. Nothing was moved. */
  readonly gatewaySaysFailed: { readonly order: string; readonly reason: string };
  /** A gateway says that a paid payout was not paid, and the payout is in the archive. Nothing was moved. */
  readonly archivedPayoutFailed: { readonly order: string; readonly reason: string };
  /** The bank's result file says that a completed payout was not paid, or that its money came back. */
  readonly bankSaysUnpaid: { readonly order: string; readonly reason: string };
  /** The bank's message differs from what an order was booked by under its reference: another sum or another account. */
  readonly bookedOtherwise: { readonly order: string; readonly utr: string; readonly amount: string };
  /** A supplier says that it paid a payout by a reference which the bank has named for another movement. */
  readonly claimContradicted: { readonly order: string; readonly utr: string };
  /** A gateway says that it paid a payout which has ended unpaid, was begun again, or was confirmed by another reference. */
  readonly gatewaySaysPaid: { readonly order: string };
  /** A gateway or a chain paid an open payout, but another sum than was ordered, or another address. */
  readonly gatewayPaidOtherwise: {
    readonly order: string;
    readonly amount: string;
    readonly utr: string;
    readonly address: string;
  };
  /** A gateway states another sum for a payment of a collection order that it has reported before. */
  readonly otherSumStated: { readonly order: string; readonly payment: string; readonly amount: string };
  /** The bank reports a debit that may be the money of a paid order on its way back to the payer. */
  readonly moneyWentBack: { readonly order: string; readonly utr: string; readonly amount: string };
  /** The bank reports a debit that may be the money of an executed top-up on its way back. `request`: the id of the top-up's request. */
  readonly topUpWentBack: { readonly request: string; readonly utr: string; readonly amount: string };
  /** A bank's debit fits a payout that is no longer to be paid. */
  readonly endedPayoutDebited: { readonly order: string; readonly utr: string };
  /** The database was restored as it stood at a time; its open payouts are frozen. */
  readonly databaseRestored: { readonly time: string; readonly count: number };
  /** A gateway refused the keys of a paying account, and the account was closed. */
  readonly gatewayPaused: { readonly account: string; readonly reason: string };
  /** Somebody signed in as the reader from an address or browser that was not seen in the last 30 days. */
  readonly newSignIn: { readonly ip: string; readonly device: string };
  readonly passkeyAdded: { readonly name: string; readonly ip: string };
  /** The reader can now sign in by the company's identity service. */
  readonly identityLinked: { readonly ip: string };
  readonly passkeyRemoved: { readonly name: string; readonly ip: string };
  /** Somebody set both passwords of a user by its link. Sent to the user, to who asked for the link, and to who handed it over. */
  readonly passwordsSet: { readonly account: string; readonly ip: string };
  /** A change in how the reader's merchant signs or calls: its secret, its sign type, or its allowed addresses. */
  readonly secretChanged: Readonly<Record<never, never>>;
  readonly signTypeChanged: Readonly<Record<never, never>>;
  readonly addressesChanged: Readonly<Record<never, never>>;
  /** The clock of a node's machine is wrong; `seconds` has a sign. */
  readonly clockOff: { readonly node: string; readonly seconds: number };
  /** An alert was opened. The text is that of its kind (`alerts` in locales); `data` and these fields fill it. */
  readonly alert: { readonly alert: AlertKind; readonly subject: string } & Readonly<
    Record<string, string | number>
  >;
  readonly workFailed: { readonly work: string; readonly reason: string };
}

export type NotificationKind = keyof NotificationData;

/** Notifications about an order, and in which list the order is. Their data name it as `order`; `bookedOtherwise` has orders of both lists. */
export const NOTIFICATION_LISTS: Readonly<
  Partial<Record<NotificationKind, 'collectionOrders' | 'payoutOrders'>>
> = {
  moneyWentBack: 'collectionOrders',
  otherSumStated: 'collectionOrders',
  paidUnreported: 'collectionOrders',
  archivedPayoutFailed: 'payoutOrders',
  bankSaysUnpaid: 'payoutOrders',
  claimContradicted: 'payoutOrders',
  endedPayoutDebited: 'payoutOrders',
  gatewayPaidOtherwise: 'payoutOrders',
  gatewaySaysFailed: 'payoutOrders',
  gatewaySaysPaid: 'payoutOrders',
};
