import {
  checkPayScript,
  createPayScript,
  getPayScript,
  getPayScriptCall,
  getPayScriptCallList,
  getPayScriptList,
  getPayScriptOptions,
  releasePayScript,
  savePayScript,
  tryPayScript,
} from '@sangam/contract/endpoints/pay-script.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listCalls, readCall } from './calls.ts';
import { checkScript, createScript, listScripts, readScript, saveScript, scriptOptions } from './manage.ts';
import { askRelease } from './release.ts';
import { tryScript } from './try-script.ts';

export const payScriptRoutes: readonly Route[] = [
  viewerRoute(getPayScriptList, listScripts),
  viewerRoute(getPayScript, readScript),
  viewerRoute(getPayScriptOptions, scriptOptions),
  viewerRoute(createPayScript, createScript),
  viewerRoute(savePayScript, saveScript),
  viewerRoute(checkPayScript, checkScript),
  viewerRoute(tryPayScript, tryScript),
  viewerRoute(releasePayScript, askRelease),
  viewerRoute(getPayScriptCallList, listCalls),
  viewerRoute(getPayScriptCall, readCall),
];
