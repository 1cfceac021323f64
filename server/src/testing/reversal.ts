import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { reverse } from '../orders/reverse.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { makeUser, viewerOf } from './world.ts';

/** The request for a reversal, which waits for a second person. */
export function todoOf(asked: Refusal): bigint {
  if (asked.code !== 'approvalNeeded') throw new Error(`the reversal was not asked for: ${asked.code}`);
  return BigInt((asked.data as { readonly todoId: string }).todoId);
}

interface Reversed {
  readonly id: bigint;
  readonly status: number;
}

const superAdmins = new WeakMap<Platform, Promise<readonly [Viewer, Viewer]>>();

/** Two independent superAdmins, the same ones for all reversals on one node. */
function twoOf(platform: Platform): Promise<readonly [Viewer, Viewer]> {
  const make = async () => {
    const { id: userId } = await makeUser(platform, { role: 'superAdmin' });
    return viewerOf(platform, { role: 'superAdmin', userId });
  };
  const made = superAdmins.get(platform) ?? Promise.all([make(), make()]);
  superAdmins.set(platform, made);
  return made;
}

/**
 * Reverses an order of either direction by two people: the asker, otherwise a superAdmin, asks, and another superAdmin approves. Answers
 * the refusal of either.
 */
export async function reverseByTwo(
  platform: Platform,
  input: { readonly orderId: bigint; readonly reason?: string | undefined },
  asker?: Viewer,
): Promise<Reversed | Refusal> {
  const [first, second] = await twoOf(platform);
  const asked = await reverse(platform, asker ?? first, input);
  if (asked.code !== 'approvalNeeded') return asked;
  const decided = await decide(platform, APPROVAL_HANDLERS, second, { id: todoOf(asked), approve: true });
  if (isRefusal(decided)) return decided;
  return { id: input.orderId, status: Number(decided.result!['orderStatusId']) };
}
