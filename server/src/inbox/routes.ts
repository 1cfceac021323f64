import * as message from '@sangam/contract/endpoints/message.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { moveOwn, readInbox, readMessage } from './inbox.ts';
import { sendLetter } from './send-message.ts';

export const messagesRoutes: readonly Route[] = [
  viewerRoute(message.init, readInbox),
  viewerRoute(message.content, (platform, viewer, { msg_id }) =>
    readMessage(platform, viewer, BigInt(msg_id)),
  ),
  viewerRoute(message.hasRead, (platform, viewer, { msg_id }) =>
    moveOwn(platform, viewer, BigInt(msg_id), 'unread', 'readed'),
  ),
  viewerRoute(message.removeReaded, (platform, viewer, { msg_id }) =>
    moveOwn(platform, viewer, BigInt(msg_id), 'readed', 'trash'),
  ),
  viewerRoute(message.restore, (platform, viewer, { msg_id }) =>
    moveOwn(platform, viewer, BigInt(msg_id), 'trash', 'readed'),
  ),
  viewerRoute(message.sendMessage, (platform, viewer, input) =>
    sendLetter(platform, viewer, { ...input, userIds: input.userIds.map(BigInt) }),
  ),
];
