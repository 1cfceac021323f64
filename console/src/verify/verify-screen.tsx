import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { VerifyDrawer } from './verify-drawer.tsx';

type RunsCall = typeof endpoints.fund.getVerifyRuns;

/**
 * The outcome of a run. A run in which a check ran out of time, and no check failed, proves nothing: it is neither passed nor
 * broken.
 */
function RunOutcome({ run: { ok, broken } }: { readonly run: RowOf<RunsCall> }) {
  const { t } = useTranslation();
  if (ok) return <Status tone="positive" label={t('verify.holds')} />;
  const isBroken = broken.some(({ unfinished }) => !unfinished);
  return (
    <Status
      tone={isBroken ? 'negative' : 'warning'}
      label={`${t(isBroken ? 'verify.broken' : 'verify.unfinished')} · ${broken.length}`}
    />
  );
}

/** Runs of the checks that prove ledger and orders against each other. A failed check names its first bad row. */
export function VerifyScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<RowOf<RunsCall>, InputOf<RunsCall>> = {
    name: 'verifyRuns',
    title: title(screen),
    call: endpoints.fund.getVerifyRuns,
    keyOf: (run) => run.id,
    emptyText: t('verify.none'),
    drawer: (id, close) => <VerifyDrawer key={id} id={id} onClose={close} />,
    filters: [
      {
        name: 'ok',
        param: 'ok',
        kind: 'choice',
        label: t('verify.outcome'),
        pinned: true,
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('verify.holds') },
          { value: 'false', label: t('verify.broken') },
        ],
      },
    ],
    columns: [
      {
        key: 'startTime',
        title: t('verify.time'),
        names: true,
        render: (run) => <Moment time={run.startTime} />,
      },
      { key: 'scope', title: t('verify.scope'), render: (run) => t(`verify.scopeOf.${run.scope}`) },
      {
        key: 'ok',
        title: t('verify.outcome'),
        render: (run) => <RunOutcome run={run} />,
      },
      { key: 'checks', title: t('verify.checks'), align: 'right', render: (run) => run.checks },
      {
        key: 'durationMs',
        title: t('callbacks.duration'),
        align: 'right',
        render: (run) => t('orders.milliseconds', { count: run.durationMs }),
      },
      {
        key: 'broken',
        title: t('verify.firstRow'),
        render: (run) => run.broken.map(({ name }) => name).join(', ') || '–',
      },
    ],
  };
  return <ListScreen definition={definition} />;
}
