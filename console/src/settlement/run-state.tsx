import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { Status } from '../figures/status.tsx';
import type { RowOf } from '../http/call-types.ts';

export type Run = RowOf<typeof endpoints.settlement.getSettlementRuns>;

/** The progress of a settlement run. */
export function RunState({ run }: { readonly run: Run }) {
  const { t } = useTranslation();
  const isDone = run.finishTime !== null;
  return (
    <Status
      tone={isDone ? 'positive' : 'pending'}
      label={`${t(isDone ? 'settlement.finished' : 'settlement.running')} · ${run.done} / ${run.total}`}
      busy={!isDone}
    />
  );
}
