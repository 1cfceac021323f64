import { z } from 'zod';
import { id as idText } from './fields.ts';
import { ROLES, type Role } from './roles.ts';

/** Where a rule about addresses stands: the console, the API of merchants, that of monitors, the payer's page. */
export const IP_DOORS = ['console', 'merchantApi', 'monitorApi', 'payPage'] as const;
export type IpDoor = (typeof IP_DOORS)[number];

export const IP_EFFECTS = ['allow', 'deny'] as const;
export type IpEffect = (typeof IP_EFFECTS)[number];

/** So many rules may stand at one door. */
export const MOST_IP_RULES = 1_000;

/** Whom a rule concerns, and as whom an address is tried. Written as `anyone`, `role:admin`, `user:12`, `merchant:7`. */
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
  if ((kind === 'user' || kind === 'merchant') && idText.safeParse(value).success)
    return { kind, id: BigInt(value) };
  return undefined;
}

/** The console knows roles and users, the merchants' API merchants, the other two nobody. */
export function fitsDoor(door: IpDoor, subject: IpSubject): boolean {
  if (subject.kind === 'anyone') return true;
  if (subject.kind === 'merchant') return door === 'merchantApi';
  return door === 'console';
}

export const ipSubject = z
  .string()
  .trim()
  .refine((text) => parseIpSubject(text) !== undefined, 'anyone | role:… | user:… | merchant:…');

/** An address or a network, IPv4 or IPv6. */
export const ipNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
