import * as contract from '@sangam/contract/endpoints/search.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { search } from './search.ts';

export const searchRoutes: readonly Route[] = [
  viewerRoute(contract.search, async (platform, viewer, input) => {
    const { list } = await search(platform, viewer, input);
    return { list: [...list] };
  }),
];
