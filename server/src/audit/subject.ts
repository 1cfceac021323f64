import { id as idText } from '@sangam/contract/fields.ts';
import { join, type Sql, sql } from '../platform/db/database.ts';

/**
 * SQL: the entries (alias `a`) about a subject and about what belongs to it alone: an order's callbacks and batches, an account's products, a
 * user's sessions and passkeys, and the requests and KYC records of each. A subject without its kind (`12`) finds those of every kind, by
 * their own names only.
 */
export function isSubject(subject: string): Sql {
  const { kind, id } = splitSubject(subject);
  if (kind === undefined) return sql`substr(a.subject, position(':' in a.subject) + 1) = ${id}`;
  return sql`a.subject = any(${namesOf(kind, id)})`;
}

/** `order:12` in its parts. */
export function splitSubject(subject: string): { readonly kind: string | undefined; readonly id: string } {
  const at = subject.indexOf(':');
  return at < 0
    ? { kind: undefined, id: subject }
    : { kind: subject.slice(0, at), id: subject.slice(at + 1) };
}

/** SQL: an array of the names under which the audit has a subject and what belongs to it alone. */
export function namesOf(kind: string, id: string): Sql {
  const names = [sql`select ${`${kind}:${id}`}::text`, ...belongings(kind, id)];
  return sql`array(${join(names, ' union all ')})`;
}

/** SQL: the ids of a user that is named by account or by number. */
export const idsOfUser = (id: string): Sql => sql`(select u.id ${usersNamed(id)})`;

const usersNamed = (id: string): Sql =>
  sql`from users u where (u.account = ${id} or u.id = ${idText.safeParse(id).success ? BigInt(id) : null}::bigint)`;

function belongings(kind: string, id: string): readonly Sql[] {
  if (kind === 'user') return ofUser(id);
  if (!idText.safeParse(id).success) return [];
  const number = BigInt(id);
  switch (kind) {
    case 'order':
      return [
        ...ofAny(kind, number),
        sql`select 'callback:' || id from callbacks where order_id = ${number}`,
        sql`select 'payoutBatch:' || batch_id from payout_batch_orders where order_id = ${number}`,
      ];
    case 'account':
      return [
        ...ofAny(kind, number),
        sql`select 'resource:' || account_id || '/' || product_id from resources where account_id = ${number}`,
      ];
    default:
      return ofAny(kind, number);
  }
}

const ofAny = (kind: string, id: bigint): readonly Sql[] => [
  sql`select 'approval:' || id from approvals where subject_kind = ${kind} and subject_id = ${id}`,
  sql`select 'kyc:' || id from kyc_records where subject_kind = ${kind} and subject_id = ${id}`,
];

/** A user is named by account, in some entries by number. */
function ofUser(id: string): readonly Sql[] {
  const users = usersNamed(id);
  const ids = idsOfUser(id);
  return [
    sql`select 'user:' || u.id ${users}`,
    sql`select 'user:' || u.account ${users}`,
    // Of a session that is deleted only the audit knows whose it was. Whoever ended another's session is no owner of it.
    sql`select subject from audit_log
      where user_id in ${ids} and starts_with(subject, 'session:') and action <> 'user.forceLogout'`,
    sql`select 'passkey:' || id from passkeys where user_id in ${ids}`,
    sql`select 'approval:' || id from approvals where subject_kind = 'user' and subject_id in ${ids}`,
  ];
}
