import { useEffect } from 'react';
import { endpoints } from 'virtual:endpoints';
import { call } from './client.ts';
import { errorStore } from '../errors/error-store.ts';

/** Sends this window's errors to the server's log while somebody is signed in. */
export function useErrorDelivery(): void {
  useEffect(
    () =>
      errorStore.deliverTo((report) => {
        // A failure to write the log is not itself logged.
        call(endpoints.errorLog.saveErrorLogger, report).then(errorStore.accepted, () => undefined);
      }),
    [],
  );
}
