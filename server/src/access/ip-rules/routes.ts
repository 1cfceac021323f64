import * as ipRule from '@sangam/contract/endpoints/ip-rule.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listRules, tryAddress } from './list-rules.ts';
import { removeRule, saveRule } from './save-rule.ts';

export const ipRuleRoutes: readonly Route[] = [
  viewerRoute(ipRule.getIpRules, (platform, _viewer, input) => listRules(platform, input)),
  viewerRoute(ipRule.saveIpRule, saveRule),
  viewerRoute(ipRule.removeIpRule, removeRule),
  viewerRoute(ipRule.tryIpAddress, (platform, _viewer, input) => tryAddress(platform, input)),
];
