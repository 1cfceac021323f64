import * as contract from '@sangam/contract/endpoints/message-template.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import * as commands from './commands.ts';
import { addBankHeader, saveTemplate } from './save.ts';

export const messageTemplateRoutes: readonly Route[] = [
  viewerRoute(contract.getMessageTemplateList, commands.listTemplates),
  viewerRoute(contract.getMessageTemplate, commands.getTemplate),
  viewerRoute(contract.saveMessageTemplate, saveTemplate),
  viewerRoute(contract.tryMessageTemplate, commands.tryTemplates),
  viewerRoute(contract.draftMessageTemplate, commands.draftFromMessage),
  viewerRoute(contract.getMessageCoverage, commands.coverage),
  viewerRoute(contract.getBankList, commands.listBanks),
  viewerRoute(contract.addBankHeader, addBankHeader),
  viewerRoute(contract.removeBankHeader, commands.removeBankHeader),
];
