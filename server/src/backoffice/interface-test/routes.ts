import * as contract from '@sangam/contract/endpoints/interface-test.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { readInterface } from './read-interface.ts';
import { readSandbox } from './read-sandbox.ts';
import { signFields } from './sign-fields.ts';
import { tryCallback } from './try-callback.ts';

export const interfaceTestRoutes: readonly Route[] = [
  viewerRoute(contract.getInterface, readInterface),
  viewerRoute(contract.signFields, signFields),
  viewerRoute(contract.tryCallback, tryCallback),
  viewerRoute(contract.getSandbox, readSandbox),
];
