import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import { isHandled } from '../http/call-error.ts';
import { callKey } from '../http/call-key.ts';
import type { RowResults } from './batch.ts';

type Failure = 'export' | 'send' | 'upload';

/** Runs the actions of a batch one at a time. Each ends with a refresh; each failure has its own message. */
export function useBatchWork() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const [busy, setBusy] = useState<Failure>();

  const refresh = () =>
    Promise.all(
      [endpoints.payoutBatch.getPayoutBatchDetail, endpoints.payoutBatch.getPayoutBatchList].map(
        (definition) => queries.invalidateQueries({ queryKey: callKey(definition) }),
      ),
    );

  /** Runs an action. `onRefused` returns true for a refusal that it shows itself. */
  const run = async (
    failure: Failure,
    work: () => Promise<void>,
    onRefused?: (error: Error) => boolean,
  ): Promise<void> => {
    if (busy) return;
    setBusy(failure);
    try {
      await work();
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      if (!isHandled(error) && onRefused?.(reason) !== true)
        message.error(t(`batches.failed.${failure}`, { reason: reason.message }));
    } finally {
      setBusy(undefined);
      await refresh();
    }
  };

  /** Shows '8 processed, 3 refused' with the reasons. */
  const showResults = (results: RowResults) => {
    const refused = results.filter(({ code }) => code !== CODES.ok.code);
    if (refused.length === 0) message.success(t('batches.rowsDone', { count: results.length }));
    else {
      const reasons = refused.slice(0, 5).map(({ row, msg }) => `${row}: ${msg}`);
      const done = results.length - refused.length;
      message.warning(
        `${t('batches.rowsMixed', { done, refused: refused.length })} (${reasons.join('; ')})`,
        10,
      );
    }
  };
  return { busy, run, showResults, refresh };
}
