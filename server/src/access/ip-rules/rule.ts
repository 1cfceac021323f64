import type { IpDoor, IpEffect, IpSubject } from '@sangam/contract/ip-rules.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { Range } from './ranges.ts';

export interface IpRule {
  readonly id: bigint;
  readonly door: IpDoor;
  readonly effect: IpEffect;
  readonly subject: IpSubject;
  /** The subject as it is written. */
  readonly subjectText: string;
  readonly range: Range;
  readonly note: string;
  readonly expiresAt: Date | null;
}

/** Who comes; at the doors of monitors and payers nobody is known. */
export interface Comer {
  readonly role?: Role;
  readonly userId?: bigint;
  readonly merchantId?: bigint;
}

/** How closely a rule names the comer; undefined when it is not about that comer at all. */
export function closeness({ subject }: IpRule, comer: Comer): number | undefined {
  switch (subject.kind) {
    case 'anyone':
      return 0;
    case 'role':
      return subject.role === comer.role ? 1 : undefined;
    case 'user':
      return subject.id === comer.userId ? 2 : undefined;
    case 'merchant':
      return subject.id === comer.merchantId ? 2 : undefined;
  }
}

/** A rule in one line, for requests and the audit. */
export function lineOf(rule: IpRule): string {
  const until = rule.expiresAt === null ? '' : ` until ${rule.expiresAt.toISOString()}`;
  return `${rule.door} ${rule.subjectText} ${rule.effect} ${rule.range.text}${until}`;
}
