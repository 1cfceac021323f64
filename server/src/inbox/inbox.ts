import type { content, init } from '@sangam/contract/endpoints/message.ts';
import { NOTIFICATION_LISTS } from '@sangam/contract/notifications.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  countFolder,
  findMessage,
  type Folder,
  type InboxMessage,
  listFolder,
  moveMessage,
} from './store.ts';
import { alertOf, contentOf, titleOf } from './wording.ts';

const MOST_LISTED = 200;

/** The viewer's three lists, newest first. */
export async function readInbox(platform: Platform, viewer: Viewer): Promise<z.input<typeof init.output>> {
  const list = async (folder: Folder) => {
    const messages = await listFolder(platform.db, viewer.userId, folder, MOST_LISTED);
    return messages.map((message) => summaryOf(message, viewer));
  };
  const [unread, readed, trash, unreadCount] = await Promise.all([
    list('unread'),
    list('readed'),
    list('trash'),
    countUnread(platform, viewer.userId),
  ]);
  return { unread, readed, trash, unreadCount };
}

export async function readMessage(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
): Promise<z.input<typeof content.output> | Refusal> {
  const message = await findMessage(platform.db, viewer.userId, id);
  if (!message) return refuse('notFound');
  return {
    ...summaryOf(message, viewer),
    content: contentOf(message, viewer.locale),
    order: orderOf(message),
    alert: alertOf(message) ?? null,
  };
}

export function countUnread(platform: Platform, userId: bigint): Promise<number> {
  return countFolder(platform.db, userId, 'unread');
}

/** Moves one of the viewer's messages to another list. A message that is already there stays. */
export async function moveOwn(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
  from: Folder,
  to: Folder,
): Promise<{ readonly unreadCount: number } | Refusal> {
  const at = platform.clock.now();
  const moved = await platform.db.tx((tx) => moveMessage(tx, viewer.userId, id, { from, to, at }));
  return moved ? { unreadCount: await countUnread(platform, viewer.userId) } : refuse('notFound');
}

function orderOf({ kind, data }: InboxMessage) {
  const area = Object.entries(NOTIFICATION_LISTS).find(([name]) => name === kind)?.[1];
  return area ? { code: String(data['order']), area } : null;
}

function summaryOf(message: InboxMessage, viewer: Viewer) {
  return {
    msg_id: String(message.id),
    create_time: formatTime(message.createdAt),
    title: titleOf(contentOf(message, viewer.locale)),
    sender: message.sender,
  };
}
