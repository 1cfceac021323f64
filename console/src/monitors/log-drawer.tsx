import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet, Raw } from '../figures/details.tsx';
import figures from '../figures/figures.module.css';
import { Moment } from '../figures/moment.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { logFacts, type LogEntry } from './log-facts.ts';
import { LogPhase } from './log-phase.tsx';

/** One line of the log. The raw text of device and server is shown only on demand. */
export function LogDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const entry = useListedRow<InputOf<typeof endpoints.monitor.getMonitorLogList>, LogEntry>(
    endpoints.monitor.getMonitorLogList,
    id,
  );
  return (
    <RowDrawer
      width={560}
      onClose={onClose}
      title={
        entry ? `${entry.monitorName ?? entry.monitorId} · ${name('monitorPhases', entry.logPhase)}` : id
      }
    >
      {entry ? (
        <>
          <Facts
            facts={[
              [t('monitorLog.phase'), <LogPhase entry={entry} />],
              [t('monitorLog.time'), <Moment time={entry.time} exact />],
              [t('monitors.name'), `${entry.monitorName ?? '–'} · ${entry.monitorId}`],
              [t('orders.supplier'), entry.supplierName],
              entry.orderCode !== null && [t('orders.orderCode'), <Copyable text={entry.orderCode} />],
              entry.accountTail !== null && [t('monitorLog.tail'), entry.accountTail],
              ...logFacts(entry, t, name),
            ]}
          />
          <details className={figures['fold']}>
            <summary>{t('monitorLog.raw')}</summary>
            <Raw title={t('monitorLog.detail')} text={JSON.stringify(entry.detail, null, 2)} />
          </details>
        </>
      ) : (
        <NothingYet text={t('callbacks.notOnPage')} />
      )}
    </RowDrawer>
  );
}
