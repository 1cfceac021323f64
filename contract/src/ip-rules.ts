import { ROLES, type Role } from './roles.ts';

/** The doors that have rules about addresses: the console, the merchant API, the monitor API, and the payer's page. */
export const IP_DOORS = ['console', 'merchantApi', 'monitorApi', 'payPage'] as const;
export type IpDoor = (typeof IP_DOORS)[number];

export const IP_EFFECTS = ['allow', 'deny'] as const;
export type IpEffect = (typeof IP_EFFECTS)[number];

/** How many rules one door may have. */
export const MOST_IP_RULES = 1_000;

/** Whom a rule is about, or as whom an address is tried. Written as `anyone`, `role:admin`, `user:12`, `merchant:7`. */
export type IpSubject =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'user' | 'merchant'; readonly id: bigint };

export function parseIpSubject(text: string): IpSubject | undefined {
  if (text === 'anyone') return { kind: 'anyone' };
  const [kind, value = ''] = text.split(':');
  if (kind === 'role') {
    const role = ROLES.find((each) => each === value);
    return role && { kind, role };
  }
  if ((kind !== 'user' && kind !== 'merchant') || !/^\d{1,19}$/.test(value)) return undefined;
  const id = BigInt(value);
  return id < 2n ** 63n ? { kind, id } : undefined;
}

/** Rules of the console may name roles and users, those of the merchant API merchants, those of the other doors nobody. */
export function fitsDoor(door: IpDoor, subject: IpSubject): boolean {
  if (subject.kind === 'anyone') return true;
  if (subject.kind === 'merchant') return door === 'merchantApi';
  return door === 'console';
}
