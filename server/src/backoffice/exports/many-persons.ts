import { createHash } from 'node:crypto';
import { PERSONAL_LISTS, seesWhole } from '@sangam/contract/personal-data.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { DAY } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { firstIdAt, ID_SLACK } from '../../platform/db/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

export interface Asked {
  /** The path of the list call. */
  readonly list: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly columns: readonly { readonly field: string }[];
  /** How many rows the list counted. `isMore`: the count stopped there. */
  readonly rows: number;
  readonly isMore: boolean;
}

/** How long an approved export may be made, also repeatedly. */
const GRANTED = DAY;

/**
 * Records that an export begins. If it shows unmasked personal data and would take the viewer above PersonalRowsPerDay rows in 24 hours, it
 * waits for a second person (1205). After approval the same export may be made for a day.
 */
export async function beginExport(
  platform: Platform,
  viewer: Viewer,
  asked: Asked,
): Promise<Refusal | undefined> {
  const { PersonalRowsPerDay } = await platform.settings.all();
  const outcome = await platform.db.tx(async (tx) => {
    const isPersonal = holdsPersons(viewer, asked);
    if (isPersonal && (await isAboveLimit(platform, tx, viewer, asked, PersonalRowsPerDay))) {
      const subjectId = idOf(viewer, asked);
      const approvalId = await grantOf(platform, tx, viewer, subjectId);
      if (approvalId === undefined) {
        const { list, filters, columns, rows, isMore } = asked;
        return startApproval(platform, tx, viewer, {
          kind: 'personalExport',
          subjectKind: 'export',
          subjectId,
          // Fields and not the headings, because the person who decides reads them in their own language.
          payload: {
            table: list,
            filters,
            columns: columns.map(({ field }) => field),
            rows,
            ...(isMore && { isMore }),
          },
          reason: null,
          sole: true,
        });
      }
    }
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'list.export',
      subject: `list:${asked.list}`,
      after: {
        filters: asked.filters,
        columns: asked.columns.map(({ field }) => field),
        personalRows: isPersonal ? asked.rows : 0,
      },
      ip: viewer.ip,
    });
    return undefined;
  });
  return outcome === undefined || isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

function holdsPersons(viewer: Viewer, { list, columns }: Asked): boolean {
  const personal = PERSONAL_LISTS[list];
  if (personal === undefined || !seesWhole(viewer, personal.data)) return false;
  return columns.some(({ field }) => personal.fields.includes(field));
}

async function isAboveLimit(
  { clock }: Platform,
  tx: Tx,
  { userId }: Viewer,
  { rows, isMore }: Asked,
  limit: number,
): Promise<boolean> {
  // Locks the user. Two exports at once could each be within the limit.
  await tx.query(sql`select from users where id = ${userId} for update`);
  const since = new Date(clock.now().getTime() - DAY);
  const [row] = await tx.query<{ rows: number }>(sql`
    select coalesce(sum((after->>'personalRows')::int), 0)::int as rows from audit_log
    where user_id = ${userId} and id >= ${firstIdAt(since) - ID_SLACK} and action = 'list.export' and created_at > ${since}`);
  return isMore || row!.rows + rows > limit;
}

async function grantOf(
  { clock }: Platform,
  tx: Tx,
  { userId }: Viewer,
  subjectId: bigint,
): Promise<bigint | undefined> {
  const [row] = await tx.query<{ id: bigint }>(sql`
    select id from approvals where kind = 'personalExport' and subject_id = ${subjectId} and started_by = ${userId} and status = 'approved'
      and decided_at > ${new Date(clock.now().getTime() - GRANTED)} limit 1`);
  return row?.id;
}

/** The same id for the same export of the same user, so that a second request for it is the first one. */
function idOf({ userId }: Viewer, { list, filters, columns }: Asked): bigint {
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([String(userId), list, sorted, columns.map(({ field }) => field)]);
  return createHash('sha256').update(text).digest().readBigUInt64BE() >> 1n;
}

/** Approval allows the starter of the request to make the export, and does nothing else. */
export const personalExportApproval = approvalHandler({
  kind: 'personalExport',
  payload: z.object({
    table: z.string(),
    filters: z.record(z.string(), z.unknown()),
    columns: z.array(z.string()),
    rows: z.int(),
    isMore: z.boolean().optional(),
  }),
  summary: () => ({ amount: null, currency: null }),
  execute: async (_platform, _tx, { payload: { rows } }) => ({ rows }),
});
