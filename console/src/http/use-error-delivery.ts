import { useEffect } from 'react';
import { endpoints } from 'virtual:endpoints';
import { call } from './client.ts';
import { errorStore } from '../errors/error-store.ts';

/** Takes this window's errors to the server's log while somebody is signed in. */
export function useErrorDelivery(): void {
  useEffect(
    () =>
      errorStore.deliverTo((report) => {
        // A log that cannot be written is nothing to log.
        call(endpoints.errorLog.saveErrorLogger, report).then(errorStore.accepted, () => undefined);
      }),
    [],
  );
}
