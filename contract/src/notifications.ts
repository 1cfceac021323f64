import type { AlertKind } from './alerts.ts';
import type { ApprovalKind } from './approvals.ts';

/**
 * What the system tells people in the message centre, with the data of each kind. Its texts stand in
 * locales/*.json under `notices`, by kind. A message gets its text when it is read, in the reader's language.
 */
export interface NotificationData {
  readonly requestApproved: { readonly request: ApprovalKind; readonly subject: string };
  readonly requestRefused: {
    readonly request: ApprovalKind;
    readonly subject: string;
    readonly reason: string;
  };
  /** Long work that ended: an export, an upload, a batch, a settlement, a rebuild. `work` is named as the user knows it. */
  readonly workDone: { readonly work: string; readonly done: number; readonly refused: number };
  /** The user, or the connection, ended it before it was whole. */
  readonly workStopped: { readonly work: string; readonly done: number };
  /** A settlement run somebody started by hand. */
  readonly settlementDone: { readonly day: string; readonly done: number };
  /** Money moved that no message reported and nothing explains. `amount` is a text with its sign. */
  readonly chainGap: { readonly account: string; readonly amount: string };
  /** Messages that link to each other, but stand beside the account's chain, which goes on without them. */
  readonly chainQuarantined: { readonly account: string };
  /** A debit that is no payout, close to a large credit. */
  readonly unexplainedDebit: { readonly account: string; readonly amount: string };
  /** A late message reported what a patch stood for: what the patch completed may count twice. */
  readonly patchSuperseded: {
    readonly account: string;
    readonly amount: string;
    readonly orders: string;
  };
  /** M-Pesa says that an order was paid, and no confirmation of a payment has completed it. */
  readonly paidUnreported: { readonly order: string; readonly account: string };
  /** A gateway says of a payout that a person confirmed that it was not paid; nothing was moved. */
  readonly gatewaySaysFailed: { readonly order: string; readonly reason: string };
  /** A gateway says it paid a payout that has ended unpaid, was begun anew, or was confirmed by another reference. */
  /** The bank's result file says of a completed payout that it was not paid, or came back. */
  readonly bankSaysUnpaid: { readonly order: string; readonly reason: string };
  /** The bank reports a payment otherwise than an order was booked by its reference: another sum or account. */
  readonly bookedOtherwise: { readonly order: string; readonly utr: string; readonly amount: string };
  /** A supplier says it paid a payout by a reference that the bank has named as another movement's. */
  readonly claimContradicted: { readonly order: string; readonly utr: string };
  readonly gatewaySaysPaid: { readonly order: string };
  readonly endedPayoutDebited: { readonly order: string; readonly utr: string };
  /** A gateway refuses the keys of a paying account, which was closed for it. */
  readonly gatewayPaused: { readonly account: string; readonly reason: string };
  /** Somebody signed in as the reader from an address or with a browser that was not seen in the last 30 days. */
  readonly newSignIn: { readonly ip: string; readonly device: string };
  readonly passkeyAdded: { readonly name: string; readonly ip: string };
  /** The reader can sign in by the company's identity service from now on. */
  readonly identityLinked: { readonly ip: string };
  readonly passkeyRemoved: { readonly name: string; readonly ip: string };
  /** Somebody set both passwords of a user by its link: told to the user and to who asked for and who handed over the link. */
  readonly passwordsSet: { readonly account: string; readonly ip: string };
  /** How the reader's merchant proves itself was changed: its secret, the way calls are signed, or where they may come from. */
  readonly secretChanged: Readonly<Record<never, never>>;
  readonly signTypeChanged: Readonly<Record<never, never>>;
  readonly addressesChanged: Readonly<Record<never, never>>;
  /** A node's machine has a wrong clock; `seconds` is signed. */
  readonly clockOff: { readonly node: string; readonly seconds: number };
  /** An alert was opened; its texts are those of its kind (`alerts` in locales), and `data` beside these fields fills them. */
  readonly alert: { readonly alert: AlertKind; readonly subject: string } & Readonly<
    Record<string, string | number>
  >;
  readonly workFailed: { readonly work: string; readonly reason: string };
}

export type NotificationKind = keyof NotificationData;
