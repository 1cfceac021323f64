import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { Status } from '../figures/status.tsx';
import type { RowOf } from '../operator-table/call-types.ts';

export type Run = RowOf<typeof endpoints.settlement.getSettlementRuns>;

/** How far a run is; what came due while it ran may take it past what it began with. */
export function RunState({ run }: { readonly run: Run }) {
  const { t } = useTranslation();
  const isDone = run.finishTime !== null;
  return (
    <Status
      tone={isDone ? 'positive' : 'pending'}
      word={`${t(isDone ? 'settlement.finished' : 'settlement.running')} · ${run.done} / ${Math.max(run.done, run.total)}`}
      busy={!isDone}
    />
  );
}
