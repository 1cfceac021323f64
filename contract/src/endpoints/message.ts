import { z } from 'zod';
import { ALERT_KINDS } from '../alerts.ts';
import { endpoint } from '../endpoint.ts';
import { id, text, time } from '../fields.ts';
import { ROLES } from '../roles.ts';

const summary = z.object({
  msg_id: id,
  create_time: time,
  /** The first line of the content. */
  title: z.string(),
  /** Name of the person who wrote it; null: the system. */
  sender: z.string().nullable(),
});

const one = z.object({ msg_id: id });

export const init = endpoint({
  method: 'GET',
  path: '/v1.0/message/init',
  summary: 'The message centre: unread, read and removed messages, the newest 200 of each',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({
    unread: z.array(summary),
    readed: z.array(summary),
    trash: z.array(summary),
    unreadCount: z.int(),
  }),
});

export const content = endpoint({
  method: 'GET',
  path: '/v1.0/message/content',
  summary: 'A message, as plain text in the language of who reads it',
  access: 'anyUser',
  input: one,
  output: summary.extend({
    content: z.string(),
    /** The order that the message is about, and in which list it is. Letters name none. */
    order: z.object({ code: id, area: z.enum(['collectionOrders', 'payoutOrders']) }).nullable(),
    /** The alert that the message tells of, and its subject. */
    alert: z.object({ kind: z.enum(ALERT_KINDS), subject: z.string() }).nullable(),
  }),
});

const move = (verb: string, words: string) =>
  endpoint({
    method: 'POST',
    path: `/v1.0/message/${verb}`,
    summary: words,
    access: 'anyUser',
    input: one,
    output: z.object({ unreadCount: z.int() }),
  });

export const hasRead = move('has_read', 'Marks an unread message as read');
export const removeReaded = move('remove_readed', 'Moves a read message to the trash');
export const restore = move('restore', 'Takes a message out of the trash, back to the read ones');

export const sendMessage = endpoint({
  method: 'POST',
  path: '/v1.0/message/send',
  summary: 'Writes to people: to users by id, to everybody of some roles, or both',
  access: ['superAdmin', 'admin', 'customerService', 'technicalSupport'],
  input: z.object({
    userIds: z.array(id).max(500).default([]),
    roles: z.array(z.enum(ROLES)).max(ROLES.length).default([]),
    content: text(4000),
  }),
  output: z.object({ recipients: z.int() }),
});
