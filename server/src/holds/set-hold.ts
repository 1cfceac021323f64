import { ADMINS } from '@sangam/contract/roles.ts';
import { audit } from '../audit/record.ts';
import { type Sql, type Tx, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, isRefusal, refuse } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';

type SubjectKind = 'merchant' | 'supplier' | 'account';

interface Subject {
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly reason: string;
}

interface Hold {
  readonly frozen: boolean;
  readonly legalHold: boolean;
}

const TABLES: Readonly<Record<SubjectKind, Sql>> = {
  merchant: sql`merchants`,
  supplier: sql`suppliers`,
  account: sql`accounts`,
};

/**
 * Freezes or unfreezes: a frozen merchant creates no orders, a frozen supplier's accounts and a frozen account get none.
 * What is under way goes on. A freeze by order of the law is lifted only as such.
 */
export function setFrozen(
  platform: Platform,
  viewer: Viewer,
  input: Subject & { readonly frozen: boolean },
): Promise<Record<string, never> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return Promise.resolve(refuse('forbidden'));
  return change(platform, viewer, input, input.frozen ? 'hold.freeze' : 'hold.unfreeze', (before) =>
    before.legalHold && !input.frozen
      ? refuse('conflict', {}, { reason: 'legalHold' })
      : { ...before, frozen: input.frozen },
  );
}

/** Sets or lifts a legal hold; what it held stays frozen until somebody decides otherwise. */
export function setLegalHold(
  platform: Platform,
  viewer: Viewer,
  input: Subject & { readonly legalHold: boolean },
): Promise<Record<string, never> | Refusal> {
  if (viewer.role !== 'superAdmin') return Promise.resolve(refuse('forbidden'));
  return change(platform, viewer, input, input.legalHold ? 'hold.setLegal' : 'hold.liftLegal', (before) => ({
    frozen: before.frozen || input.legalHold,
    legalHold: input.legalHold,
  }));
}

function change(
  platform: Platform,
  viewer: Viewer,
  { subjectKind, subjectId, reason }: Subject,
  action: string,
  decide: (before: Hold) => Hold | Refusal,
): Promise<Record<string, never> | Refusal> {
  const id = BigInt(subjectId);
  return platform.db.tx(async (tx) => {
    const before = await lockHold(tx, subjectKind, id);
    if (!before) return refuse('notFound');
    const after = decide(before);
    if (isRefusal(after)) return after;
    await tx.query(sql`
      update ${TABLES[subjectKind]} set frozen = ${after.frozen}, legal_hold = ${after.legalHold} where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action,
      subject: `${subjectKind}:${id}`,
      before,
      after: { ...after, reason },
      ip: viewer.ip,
    });
    return {};
  });
}

async function lockHold(tx: Tx, kind: SubjectKind, id: bigint): Promise<Hold | undefined> {
  const rows = await tx.query<Hold>(sql`
    select frozen, legal_hold as "legalHold" from ${TABLES[kind]} where id = ${id} for update`);
  return rows[0];
}
