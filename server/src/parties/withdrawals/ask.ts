import type { askForBeneficiary as contract } from '@sangam/contract/endpoints/withdrawal.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { payeeOf, readPaidTo } from './paid-to.ts';
import {
  beneficiaryOf,
  endBeneficiary,
  insertBeneficiary,
  type PaidTo,
  standingBeneficiaries,
} from './store.ts';

/** More than a merchant needs; the limit keeps the deciders' list from being flooded. */
const MOST = 20;

/** The requested beneficiary, with all data, because the decider checks who owns the account. */
export const beneficiaryPayload = z.object({
  userName: z.string(),
  bankName: z.string().optional(),
  cardNumber: z.string().optional(),
  ifscCode: z.string().optional(),
  vpa: z.string().optional(),
  /** The beneficiary to be replaced, and whose account it is. */
  beneficiaryId: z.string().optional(),
  paidBefore: z.string().optional(),
});

type Payload = z.output<typeof beneficiaryPayload>;

export const paidToOf = (payload: Payload): PaidTo => ({
  name: payload.userName,
  bank: payload.bankName ?? null,
  account: payload.cardNumber ?? null,
  ifsc: payload.ifscCode ?? null,
  vpa: payload.vpa ?? null,
});

const wayTo = ({ account, ifsc, vpa }: PaidTo) => vpa ?? `${ifsc} ${account}`;

/** A merchant asks for a beneficiary of its own. Nothing changes before an admin agrees (1205). */
export async function askForBeneficiary(
  platform: Platform,
  viewer: Viewer,
  { kind, replaces, reason, requestKey, ...fields }: z.output<typeof contract.input>,
): Promise<Refusal> {
  const { merchantId } = viewer;
  if (viewer.role !== 'merchant' || merchantId === null) return refuse('forbidden');
  const to = readPaidTo(kind, fields);
  if (isRefusal(to)) return to;
  const asked = await platform.db.tx(async (tx) => {
    // Requests of one merchant are counted one after the other.
    await tx.query(sql`select from merchants where id = ${merchantId} for no key update`);
    const before = replaces === undefined ? undefined : await beneficiaryOf(tx, merchantId, BigInt(replaces));
    if (replaces !== undefined && !before) return refuse('notFound');
    const standing = await standingBeneficiaries(tx, merchantId);
    if (before && !standing.some(({ id }) => id === before.id))
      return refuse('conflict', {}, { reason: 'beneficiaryGone' });
    if (standing.some((each) => each.id !== before?.id && wayTo(each) === wayTo(to)))
      return refuse('conflict', {}, exists(to));
    if (standing.length + (await countWaiting(tx, merchantId)) >= MOST)
      return refuse('conflict', {}, { reason: 'beneficiariesTooMany' });
    return startApproval(platform, tx, viewer, {
      kind: 'beneficiary',
      subjectKind: 'merchant',
      subjectId: merchantId,
      payload: {
        ...payeeOf(to),
        ...(before && { beneficiaryId: String(before.id), paidBefore: `${before.name}, ${wayTo(before)}` }),
      },
      reason,
      requestKey,
      sole: false,
    });
  });
  return isRefusal(asked) ? asked : approvalNeeded(asked);
}

const exists = ({ vpa }: PaidTo) => ({
  reason: 'accountExists',
  fields: [{ path: vpa === null ? 'cardNumber' : 'vpa' }],
});

async function countWaiting(tx: Tx, merchantId: bigint): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from approvals
    where kind = 'beneficiary' and subject_kind = 'merchant' and subject_id = ${merchantId} and status = 'pending'`);
  return row!.count;
}

/** Adds the requested beneficiary to the list and removes the one it replaces. */
export const beneficiaryApproval = approvalHandler({
  kind: 'beneficiary',
  payload: beneficiaryPayload,
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { id: approvalId, subjectId: merchantId, payload }) {
    const at = platform.clock.now();
    const { beneficiaryId } = payload;
    if (beneficiaryId !== undefined && !(await endBeneficiary(tx, merchantId, BigInt(beneficiaryId), at)))
      return refuse('conflict', {}, { reason: 'beneficiaryGone' });
    const to = paidToOf(payload);
    const row = { id: platform.ids.next(at), merchantId, approvalId, ...to };
    return (await insertBeneficiary(tx, row, at)) ? {} : refuse('conflict', {}, exists(to));
  },
});
