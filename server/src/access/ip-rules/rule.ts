import type { IpDoor, IpEffect, IpSubject } from '@sangam/contract/ip-rules.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { Range } from './ranges.ts';

export interface IpRule {
  readonly id: bigint;
  readonly door: IpDoor;
  readonly effect: IpEffect;
  readonly subject: IpSubject;
  /** The subject as the user wrote it. */
  readonly subjectText: string;
  readonly range: Range;
  readonly note: string;
  readonly expiresAt: Date | null;
}

/** The caller. At the doors of monitors and payers no caller is known by name. */
export interface Comer {
  readonly role?: Role;
  readonly userId?: bigint;
  readonly merchantId?: bigint;
}

/** How closely a rule names the caller; undefined when the rule is not about that caller. */
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
