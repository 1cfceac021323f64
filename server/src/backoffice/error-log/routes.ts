import * as errorLog from '@sangam/contract/endpoints/error-log.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listErrors } from './list-errors.ts';
import { saveError } from './save-error.ts';

export const errorLogRoutes: readonly Route[] = [
  ...[errorLog.saveErrorLogger, errorLog.saveErrorLoggerUnprefixed].map((endpoint) =>
    viewerRoute(endpoint, (platform, viewer, input, caller) =>
      saveError(platform, viewer, input, caller.userAgent),
    ),
  ),
  viewerRoute(errorLog.getErrorList, listErrors),
];
