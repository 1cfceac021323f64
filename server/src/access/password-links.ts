import { audit } from '../platform/audit/record.ts';
import { DAY } from '../platform/clock.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Queryable, type Tx, sql } from '../platform/db/database.ts';
import { notify } from '../inbox/notify.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { forgetAllFailures, setPassword, setPayPassword } from './admin-store.ts';
import { noteControlChange } from './control-changes.ts';
import { secondLevel } from './lock-out.ts';
import { manageable } from './manage-user.ts';
import { hashPassword } from './password.ts';
import { passwordProblem } from './password-problem.ts';
import { hashToken, newToken } from './secret-token.ts';
import { endSessionsOf } from './session-store.ts';

const LIFE = DAY;
/** No session has this id: with it as the exception, all sessions of the user end. */
const NO_SESSION = 0n;

interface Grant {
  readonly userId: bigint;
  /** Null, like the two below, for a link of `npm run first-admin`. */
  readonly approvalId: bigint | null;
  readonly askedBy: bigint | null;
  /** The user who may have the link shown. */
  readonly givenTo: bigint | null;
}

/** Lets a user set its passwords by a link for 24 hours; ends an earlier grant. The link itself is made when it is shown. */
export async function grantLink(platform: Platform, tx: Tx, grant: Grant): Promise<bigint> {
  const id = platform.ids.next();
  const now = platform.clock.now();
  await endLinks(tx, grant.userId, now);
  await tx.query(sql`
    insert into password_links (id, user_id, approval_id, asked_by, given_to, created_at, expires_at)
    values (${id}, ${grant.userId}, ${grant.approvalId}, ${grant.askedBy}, ${grant.givenTo}, ${now}, ${new Date(now.getTime() + LIFE)})`);
  return id;
}

/** Ends all links of the user, and those for others that the user may have been shown. */
export async function endLinks(tx: Tx, userId: bigint, now: Date): Promise<void> {
  await tx.query(sql`
    update password_links set ended_at = ${now}
    where (user_id = ${userId} or given_to = ${userId}) and used_at is null and ended_at is null`);
}

/** Ends the links of all users. */
export async function endAllLinks(tx: Tx, now: Date): Promise<void> {
  await tx.query(sql`update password_links set ended_at = ${now} where used_at is null and ended_at is null`);
}

/** Makes a new secret for an open grant; the secret before becomes invalid. Only the hash is stored. */
export async function newLinkToken(tx: Tx, id: bigint): Promise<string> {
  const token = newToken();
  await tx.query(sql`update password_links set token_hash = ${hashToken(token)} where id = ${id}`);
  return token;
}

const isOpen = (now: Date) => sql`l.used_at is null and l.ended_at is null and l.expires_at > ${now}`;

/** Shows the link, only to the user who approved the request with that id. 404 where the link was used, has ended or is too old. */
export async function makePasswordLink(
  platform: Platform,
  viewer: Viewer,
  todoId: bigint,
): Promise<{ readonly account: string; readonly token: string; readonly expireTime: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    const [link] = await tx.query<{ id: bigint; userId: bigint; expiresAt: Date }>(sql`
      select l.id, l.user_id as "userId", l.expires_at as "expiresAt" from password_links l
      where l.approval_id = ${todoId} and l.given_to = ${viewer.userId} and ${isOpen(platform.clock.now())} for update`);
    if (!link) return refuse('notFound');
    const user = await manageable(tx, viewer, link.userId);
    if (isRefusal(user)) return user;
    const token = await newLinkToken(tx, link.id);
    const subject = `user:${user.account}`;
    await audit(platform, tx, { userId: viewer.userId, action: 'user.showLink', subject, ip: viewer.ip });
    return { account: user.account, token, expireTime: formatTime(link.expiresAt) };
  });
}

interface OpenLink {
  readonly userId: bigint;
  readonly account: string;
}

async function findLink(db: Queryable, token: string, now: Date): Promise<OpenLink | undefined> {
  const [link] = await db.query<OpenLink>(sql`
    select l.user_id as "userId", u.account from password_links l join users u on u.id = l.user_id and u.deleted_at is null
    where l.token_hash = ${hashToken(token)} and ${isOpen(now)}`);
  return link;
}

/** The account whose passwords a link sets. */
export async function getPasswordLink(
  platform: Platform,
  { token }: { readonly token: string },
): Promise<{ readonly account: string } | Refusal> {
  const link = await findLink(platform.db, token, platform.clock.now());
  return link ? { account: link.account } : refuse('notFound');
}

/**
 * Sets both passwords by a link, which then becomes invalid. Notifies the user, who asked for the link and who handed it over,
 * so that the user notices when somebody else has used the link. For a day from then on the user decides nothing.
 */
export async function setPasswords(
  platform: Platform,
  input: { readonly token: string; readonly password: string; readonly payPassword: string },
  { ip }: { readonly ip: string },
): Promise<{ readonly account: string } | Refusal> {
  const { token, password, payPassword } = input;
  const link = await findLink(platform.db, token, platform.clock.now());
  if (!link) return refuse('notFound');
  const { userId, account } = link;
  const weak =
    passwordProblem(password, account, 'password') ?? passwordProblem(payPassword, account, 'payPassword');
  if (weak) return weak;
  if (password === payPassword)
    return refuse('conflict', {}, { reason: 'samePassword', fields: [{ path: 'payPassword' }] });
  const [hash, payHash] = await Promise.all([hashPassword(password), hashPassword(payPassword)]);
  return platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    const [used] = await tx.query<{ askedBy: bigint | null; givenTo: bigint | null }>(sql`
      update password_links l set used_at = ${now}
      where l.token_hash = ${hashToken(token)} and ${isOpen(now)} returning l.asked_by as "askedBy", l.given_to as "givenTo"`);
    if (!used) return refuse('notFound');
    await setPassword(tx, userId, hash);
    await setPayPassword(tx, userId, payHash);
    await endSessionsOf(tx, userId, NO_SESSION, now);
    await forgetAllFailures(tx, [account.toLowerCase(), secondLevel(account).toLowerCase()]);
    const hands = [used.askedBy, used.givenTo].filter((each) => each !== null);
    for (const by of hands) await noteControlChange(platform, tx, { userId, by, change: 'link' });
    await audit(platform, tx, { userId, action: 'user.setPasswords', subject: `user:${account}`, ip });
    await notify(platform, tx, { userIds: [userId, ...hands] }, 'passwordsSet', { account, ip });
    return { account };
  });
}
