import * as contract from '@sangam/contract/endpoints/bot.ts';
import { type Route, viewerRoute, webhookRoute } from '../http/route.ts';
import { listGroups, sendTest } from './groups.ts';
import { botState, listInstructions, listMessages, listUnknownChats, listUnknownSenders } from './lists.ts';
import { deleteGroup, saveGroup } from './save-group.ts';
import { takeWebhook } from './webhook.ts';

export const botRoutes: readonly Route[] = [
  viewerRoute(contract.getBotGroups, listGroups),
  viewerRoute(contract.saveBotGroup, saveGroup),
  viewerRoute(contract.deleteBotGroup, (platform, viewer, { id, reason }) =>
    deleteGroup(platform, viewer, BigInt(id), reason),
  ),
  viewerRoute(contract.sendBotTest, (platform, viewer, { groupId }) =>
    sendTest(platform, viewer, BigInt(groupId)),
  ),
  viewerRoute(contract.getUnknownChats, listUnknownChats),
  viewerRoute(contract.getUnknownSenders, listUnknownSenders),
  viewerRoute(contract.getBotMessages, listMessages),
  viewerRoute(contract.getBotState, (platform, _viewer, { bot }) => botState(platform, bot)),
  viewerRoute(contract.getTransferInstructions, listInstructions),
  webhookRoute(contract.telegramWebhook, takeWebhook),
];
