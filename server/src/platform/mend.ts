import type { MendKind } from '@sangam/contract/mends.ts';

/** One thing that was inconsistent, with its state before and after. Money is text in minor units, because the values travel as JSON. */
export interface Mend {
  readonly kind: MendKind;
  /** The subject as the audit log names it: `account:40001`, `order:…`. */
  readonly subject: string;
  readonly before: Readonly<Record<string, string | number | boolean | null>>;
  readonly after: Readonly<Record<string, string | number | boolean | null>>;
}
