import type { MendKind } from '@sangam/contract/mends.ts';

/**
 * One thing that did not stand as it must, and how it stands afterwards. Money in minor units as text, so that it travels as
 * JSON.
 */
export interface Mend {
  readonly kind: MendKind;
  /** As the audit log names it: `account:40001`, `order:…`. */
  readonly subject: string;
  readonly before: Readonly<Record<string, string | number | boolean | null>>;
  readonly after: Readonly<Record<string, string | number | boolean | null>>;
}
