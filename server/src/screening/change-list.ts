import type { addListedName, judgeNameHit, removeListedName } from '@sangam/contract/endpoints/name-list.ts';
import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { markOf } from './party.ts';
import { nameScreen } from './screen.ts';
import {
  deleteEntries,
  findEntry,
  importedSince,
  lockVersion,
  ownList,
  putEntries,
  raiseVersion,
} from './store.ts';

/** Adds a name to the own list. It counts at once. */
export async function addName(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof addListedName.input>,
): Promise<{ readonly id: string } | Refusal> {
  const id = platform.ids.next();
  const names = [input.name, ...input.aliases];
  const marks = MARK_KINDS.flatMap((kind) => {
    const value = input[kind];
    return (value && markOf(platform.vault, kind, value)) || [];
  });
  await platform.db.tx(async (tx) => {
    await lockVersion(tx);
    const listId = await ownList(tx, platform.ids.next());
    const entry = { id, reference: String(id), names, marks, note: input.note };
    await putEntries(tx, listId, [entry], viewer.userId, platform.clock.now());
    await raiseVersion(tx);
    const kinds = MARK_KINDS.filter((kind) => input[kind]);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'nameList.add',
      subject: `listedName:${id}`,
      after: { names, kinds, note: input.note },
      reason: input.reason,
      ip: viewer.ip,
    });
  });
  await nameScreen(platform).refresh();
  return { id: String(id) };
}

/** Asks to remove an entry, which always needs two people. */
export function removeName(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof removeListedName.input>,
): Promise<Refusal> {
  return askFor(platform, async (tx) => {
    const entry = await findEntry(tx, BigInt(input.id));
    if (!entry) return refuse('notFound');
    return startApproval(platform, tx, viewer, {
      kind: 'nameListChange',
      subjectKind: 'listedName',
      subjectId: entry.id,
      payload: { change: 'remove', list: entry.list, name: entry.names[0] ?? '', entries: [input.id] },
      reason: input.reason,
      sole: true,
    });
  });
}

/** Judges a hit. If it is another person, that name may pass this entry from then on, which two people decide. */
export async function judgeHit(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof judgeNameHit.input>,
): Promise<{ readonly id: string } | Refusal> {
  const id = BigInt(input.id);
  if (input.verdict === 'same') return confirmHit(platform, viewer, id, input.reason);
  return askFor(platform, async (tx) => {
    const [hit] = await tx.query<{ entryId: bigint; name: string; list: string; by: string }>(sql`
      select entry_id as "entryId", name, list, by from name_hits where id = ${id}`);
    if (!hit) return refuse('notFound');
    // A number on a list belongs to no other person.
    if (hit.by !== 'name') return refuse('conflict', {}, { reason: 'listedByNumber' });
    return startApproval(platform, tx, viewer, {
      kind: 'nameListChange',
      subjectKind: 'listedName',
      subjectId: id,
      payload: { change: 'exempt', list: hit.list, name: hit.name, entries: [String(hit.entryId)] },
      reason: input.reason,
      sole: true,
    });
  });
}

async function askFor(platform: Platform, start: (tx: Tx) => Promise<Started | Refusal>): Promise<Refusal> {
  const started = await platform.db.tx(start);
  return isRefusal(started) ? started : approvalNeeded(started);
}

function confirmHit(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
  reason: string,
): Promise<{ readonly id: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    const rows = await tx.query(sql`
      update name_hits set state = 'same', decided_by = ${viewer.userId}, decided_at = ${platform.clock.now()},
        decide_reason = ${reason} where id = ${id} and state = 'open' returning id`);
    if (rows.length === 0) return refuse('conflict', {}, { reason: 'decided' });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'nameList.confirmHit',
      subject: `nameHit:${id}`,
      reason,
      ip: viewer.ip,
    });
    return { id: String(id) };
  });
}

/** A request that waits for a second person: to remove entries, or to let a name pass an entry. */
export const nameListApproval = approvalHandler({
  kind: 'nameListChange',
  payload: z.object({
    change: z.enum(['remove', 'exempt']),
    list: z.string(),
    name: z.string(),
    entries: z.array(z.string()),
  }),
  summary: () => ({ amount: null, currency: null }),
  after: (platform) => nameScreen(platform).refresh(),
  async execute(platform, tx, { payload, subjectId, reason, startedAt }, decider) {
    const { change, list, name, entries } = payload;
    await lockVersion(tx);
    const ids = entries.map(BigInt);
    // What a newer file says of them, or somebody of the hit, is not what was asked about.
    const isOutdated =
      change === 'remove'
        ? await importedSince(tx, ids, startedAt)
        : await isConfirmedSince(tx, subjectId, startedAt);
    if (isOutdated) return refuse('conflict');
    const done =
      change === 'remove'
        ? await deleteEntries(tx, ids)
        : await exempt(platform, tx, { hitId: subjectId, entryId: ids[0]!, decider, reason });
    if (done === 0) return refuse('conflict');
    await raiseVersion(tx);
    await audit(platform, tx, {
      userId: decider.userId,
      action: `nameList.${change}`,
      subject: change === 'remove' && ids.length === 1 ? `listedName:${ids[0]}` : `nameList:${list}`,
      before: { list, name, entries },
      reason,
      ip: decider.ip,
    });
    return { change, list, done };
  },
});

/** Whether somebody has said since that the name is the listed person's. Nobody says so meanwhile. */
async function isConfirmedSince(tx: Tx, hitId: bigint, at: Date): Promise<boolean> {
  const hits = await tx.query<{ since: boolean }>(sql`
    select same.state = 'same' and same.decided_at >= ${at} as since from name_hits h
    join name_hits same on same.entry_id = h.entry_id and same.name_key = h.name_key
    where h.id = ${hitId} order by same.id for update of same`);
  return hits.some(({ since }) => since);
}

async function exempt(
  platform: Platform,
  tx: Tx,
  exemption: {
    readonly hitId: bigint;
    readonly entryId: bigint;
    readonly decider: Viewer;
    readonly reason: string | null;
  },
): Promise<number> {
  const { hitId, entryId, decider, reason } = exemption;
  const now = platform.clock.now();
  const rows = await tx.query(sql`
    insert into name_exemptions (entry_id, name_key, approved_by, approved_at)
    select h.entry_id, h.name_key, ${decider.userId}, ${now} from name_hits h
    join listed_names e on e.id = h.entry_id where h.id = ${hitId} and h.entry_id = ${entryId}
    on conflict do nothing returning entry_id`);
  await tx.query(sql`
    update name_hits set state = 'other', decided_by = ${decider.userId}, decided_at = ${now}, decide_reason = ${reason}
    where entry_id = ${entryId} and name_key = (select name_key from name_hits where id = ${hitId})`);
  return rows.length;
}
