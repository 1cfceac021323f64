import * as nameList from '@sangam/contract/endpoints/name-list.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { addName, judgeHit, removeName } from './change-list.ts';
import { importList } from './import-list.ts';
import { listHits, listLists, listNames, tryListed } from './lists.ts';

export const screeningRoutes: readonly Route[] = [
  viewerRoute(nameList.getListedNames, (platform, _viewer, input) => listNames(platform, input)),
  viewerRoute(nameList.getNameLists, listLists),
  viewerRoute(nameList.getNameHits, (platform, _viewer, input) => listHits(platform, input)),
  viewerRoute(nameList.addListedName, addName),
  viewerRoute(nameList.removeListedName, removeName),
  viewerRoute(nameList.importNameList, importList),
  viewerRoute(nameList.judgeNameHit, judgeHit),
  viewerRoute(nameList.tryName, (platform, _viewer, input) => tryListed(platform, input)),
];
