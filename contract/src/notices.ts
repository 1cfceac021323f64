import type { ApprovalKind } from './approvals.ts';

/**
 * What the system tells people in the message centre, and what each notice is told with. Its words stand in
 * locales/*.json under `notices`, by kind; a message is worded when it is read, in the reader's language.
 */
export interface Notices {
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
  readonly workFailed: { readonly work: string; readonly reason: string };
}

export type NoticeKind = keyof Notices;
