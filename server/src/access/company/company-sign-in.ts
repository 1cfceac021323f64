import type * as contract from '@sangam/contract/endpoints/company-sign-in.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { MINUTE } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { notify } from '../../inbox/notify.ts';
import { ownUser } from '../change-own.ts';
import { withLockOut } from '../lock-out.ts';
import { hashToken, newToken } from '../secret-token.ts';
import {
  type Device,
  type Factors,
  type SignedIn,
  askAtSignIn,
  secondFactorsOf,
  signInWith,
} from '../sign-in.ts';
import { getUser } from '../store.ts';
import { type Person, wayTo, whoCameBack } from './identity-service.ts';
import * as store from './store.ts';

const LIFE = 10 * MINUTE;

/** Begins a sign-in or, with a viewer, the linking of the viewer's user. */
export async function beginVisit(
  platform: Platform,
  viewer?: Viewer,
): Promise<{ readonly url: string; readonly state: string } | Refusal> {
  const user = viewer && (await ownUser(platform, viewer));
  if (isRefusal(user)) return user;
  const state = newToken();
  const way = await wayTo(platform, state);
  if (isRefusal(way)) return way;
  await keep(platform, state, { ...way, sessionId: viewer?.sessionId ?? null, userId: null });
  return { url: way.url, state };
}

async function keep(
  { db, clock }: Platform,
  token: string,
  { verifier, nonce, sessionId, userId }: Omit<store.Visit, 'tokenHash'>,
): Promise<void> {
  const now = clock.now();
  await store.deleteVisitsBefore(db, now);
  const visit = { tokenHash: hashToken(token), verifier, nonce, sessionId, userId };
  await store.insertVisit(db, visit, new Date(now.getTime() + LIFE));
}

interface Back {
  readonly state: string;
  readonly query: string;
}

async function personOf(
  platform: Platform,
  { state, query }: Back,
  sessionId: bigint | null,
): Promise<Person | Refusal> {
  const visit = await store.takeVisit(platform.db, hashToken(state), sessionId, platform.clock.now());
  return visit ? whoCameBack(platform, { ...visit, state }, query) : refuse('identityWrong');
}

/**
 * Signs in by the company's identity service in place of the password. The user must have linked its identity, and its groups
 * must still allow its role. A user with a second factor is asked for it as usual (1009 with a ticket).
 */
export async function signInByCompany(
  platform: Platform,
  back: Back,
  caller: Device,
): Promise<SignedIn | Refusal> {
  const person = await personOf(platform, back, null);
  if (isRefusal(person)) return person;
  const userId = await store.linkedUser(platform.db, person);
  const user = userId === undefined ? undefined : await getUser(platform.db, userId);
  if (!user) return refuse('identityWrong', {}, { reason: 'notLinked' });
  if (!person.roles.has(user.role)) {
    await platform.db.tx((tx) =>
      audit(platform, tx, {
        userId: user.id,
        action: 'user.signInRefused',
        subject: `user:${user.account}`,
        after: { reason: 'notInGroup' },
        ip: caller.ip,
      }),
    );
    return refuse('identityWrong', {}, { reason: 'notInGroup' });
  }
  const second = await secondFactorsOf(platform, user);
  if (!second.code && second.passkeys.length === 0) return signInWith(platform, user, second, {}, caller);
  const asked = second.passkeys.length === 0 ? {} : await askAtSignIn(platform, user, second.passkeys);
  if (isRefusal(asked)) return asked;
  const ticket = newToken();
  await keep(platform, ticket, { verifier: '', nonce: '', sessionId: null, userId: user.id });
  return refuse('secondFactorNeeded', {}, { ticket, code: second.code, ...asked });
}

/** The second factor of such a sign-in. Wrong ones count like those at a sign-in with a password. */
export async function confirmByCompany(
  platform: Platform,
  { ticket, ...factors }: Factors & { readonly ticket: string },
  caller: Device,
): Promise<SignedIn | Refusal> {
  const hash = hashToken(ticket);
  const userId = await store.userOfTicket(platform.db, hash, platform.clock.now());
  const user = userId === undefined ? undefined : await getUser(platform.db, userId);
  if (!user) return refuse('identityWrong');
  return withLockOut(platform, user.account, caller.ip, async (found) => {
    found(user.id);
    const second = await secondFactorsOf(platform, user);
    return signInWith(platform, user, second, factors, caller, async (tx) =>
      (await store.deleteVisit(tx, hash)) ? undefined : refuse('identityWrong'),
    );
  });
}

/** Links the viewer's user to the identity that the service confirmed; 409 where either is linked already. */
export async function linkIdentity(
  platform: Platform,
  viewer: Viewer,
  back: Back,
): Promise<Record<string, never> | Refusal> {
  const person = await personOf(platform, back, viewer.sessionId);
  if (isRefusal(person)) return person;
  if (!person.roles.has(viewer.role)) return refuse('identityWrong', {}, { reason: 'notInGroup' });
  const { userId, account, ip } = viewer;
  return platform.db.tx(async (tx) => {
    if (!(await store.insertIdentity(tx, userId, person, platform.clock.now()))) return refuse('conflict');
    const { issuer, subject } = person;
    const entry = { userId, subject: `user:${account}`, ip };
    await audit(platform, tx, { ...entry, action: 'user.linkIdentity', after: { issuer, subject } });
    await notify(platform, tx, { userIds: [userId] }, 'identityLinked', { ip });
    return {};
  });
}

export async function ownIdentity(
  { db, config }: Platform,
  { userId }: Viewer,
): Promise<z.input<typeof contract.getOwnIdentity.output>> {
  const at = await store.linkedAt(db, userId);
  return { name: config.companySignIn?.name ?? null, linkedTime: at ? formatTime(at) : null };
}

export async function unlinkIdentity(
  platform: Platform,
  viewer: Viewer,
): Promise<Record<string, never> | Refusal> {
  const { userId, account, ip } = viewer;
  return platform.db.tx(async (tx) => {
    if (!(await store.deleteIdentity(tx, userId))) return refuse('notFound');
    await audit(platform, tx, { userId, action: 'user.unlinkIdentity', subject: `user:${account}`, ip });
    return {};
  });
}
