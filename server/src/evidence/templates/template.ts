/**
 * The shape of a message template. It is plain data, because templates live in a table and are edited in the console. One RE2 pattern with
 * named groups cannot look ahead or repeat a group name, so two helpers complete it. `unless`: the template does not apply if this matches.
 * `details`: further patterns, each searched by itself once `pattern` matched; the first that yields a field fills it. Banks print
 * reference, balance and date in any order and leave any of them out; separate searches keep each pattern short and readable.
 */

/** Named groups an engine pattern may use. */
export const fieldNames = ['amount', 'account', 'balance', 'ref', 'payer', 'vpa', 'time', 'remark'] as const;
export type FieldName = (typeof fieldNames)[number];

export const ignoreReasons = [
  'future_or_due',
  'failed',
  'collect_request',
  'balance_only',
  'outgoing_confirmation',
  'promo',
  'other',
] as const;
export type IgnoreReason = (typeof ignoreReasons)[number];

export type Direction = 'credit' | 'debit';
export type SenderSuffix = 'S' | 'T' | 'G';

/** What a sample must yield. A key that is absent must stay absent: a template must not invent an account, balance or reference. */
export interface MovementSample {
  /** Two decimals, no grouping: `1000.00`. */
  readonly amount: string;
  /** The last four digits shown (fewer when the bank shows fewer). */
  readonly account?: string;
  /** Two decimals, `-` when overdrawn. */
  readonly balance?: string;
  readonly ref?: string;
}

export interface TemplateSample {
  readonly text: string;
  /** `null` for `ignore` and `otp` templates: the text only has to match. */
  readonly expected: MovementSample | null;
}

export interface MessageTemplate {
  /** Slug, unique in the set. */
  readonly id: string;
  /** Name shown to the operator; `*` when it serves several banks. */
  readonly bank: string;
  readonly country: 'IN' | 'KE';
  readonly currency: 'INR' | 'KES';
  /** Exact headers (`HDFCBK`), upper case. `['*']` = any sender, for `ignore` and `otp` only. */
  readonly senderHeaders: readonly string[];
  /** Allowed traffic suffixes of TRAI headers; default S, T and G. P (promotion) is never a payment. */
  readonly suffixes?: readonly SenderSuffix[];
  /** A movement's direction from the view of the account that the message is about; `ignore`; or `otp` (discard and never store). */
  readonly rule: Direction | 'ignore' | 'otp';
  /** Only, and always, with rule `ignore`. */
  readonly reason?: IgnoreReason;
  /** RE2 syntax, case-insensitive, searched anywhere in the normalised text (one line, single spaces). */
  readonly pattern: string;
  readonly unless?: string;
  readonly details?: readonly string[];
  /**
   * Higher is tried first. Among equals the match that starts earliest in the text wins: the first clause is about the own account. A match
   * of lower priority wins only if it reads another movement before.
   */
  readonly priority: number;
  readonly kind: 'account' | 'card' | 'wallet';
  readonly enabled: boolean;
  readonly samples: readonly TemplateSample[];
}
