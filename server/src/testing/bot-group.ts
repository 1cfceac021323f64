import { getBotGroups, PLAIN_GROUP, saveBotGroup } from '@sangam/contract/endpoints/bot.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import type { z } from 'zod';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from './ask.ts';
import { makeUser, viewerOf } from './world.ts';

export type GroupInput = z.input<typeof saveBotGroup.input>;

const reason = 'a test';

/** Puts a group on the white list: one superAdmin asks, another approves. */
export async function giveGroup(platform: Platform, change: Partial<GroupInput> = {}): Promise<bigint> {
  const input: GroupInput = { ...PLAIN_GROUP, bot: 'alert', chatId: '-1', title: 'Ops', reason, ...change };
  const asked = await askRefused(platform, await superAdmin(platform), saveBotGroup, input);
  if (asked.code !== 'approvalNeeded') throw new Error(`The group was refused: ${asked.code}`);
  const { todoId } = asked.data as { readonly todoId: string };
  const decider = await superAdmin(platform);
  await ask(platform, decider, decide, { id: todoId, approve: true });
  const { list } = await ask(platform, decider, getBotGroups, { bot: input.bot });
  return BigInt(list.find(({ chatId }) => chatId === input.chatId)!.id);
}

/** The newest group, in the fields of a change. */
export async function groupNow(platform: Platform, viewer: Viewer): Promise<GroupInput> {
  const { list } = await ask(platform, viewer, getBotGroups, {});
  const { ownerName: _, sentToday: _s, waiting: _w, lastError: _e, createTime: _t, ...now } = list[0]!;
  return { ...now, reason };
}

async function superAdmin(platform: Platform): Promise<Viewer> {
  const { id, account } = await makeUser(platform, { role: 'superAdmin' });
  return { ...viewerOf(platform, { role: 'superAdmin' }), userId: id, account };
}
