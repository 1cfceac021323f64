import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { Facts, Section } from '../figures/details.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { bytesText, spanText } from '../figures/span.ts';

interface DatabaseProps {
  readonly database: OutputOf<typeof endpoints.maintenance.getSystemState>['database'];
}

export function DatabaseSection({ database }: DatabaseProps) {
  const { t, i18n } = useTranslation();
  const { oldestTransaction: oldest, replicas } = database;
  const lag = (seconds: number | null) => (seconds === null ? '–' : spanText(seconds, i18n.language));
  return (
    <Section title={t('maintenance.database')}>
      <Facts
        facts={[
          [t('maintenance.size'), bytesText(database.bytes)],
          [t('maintenance.connections'), `${database.connections} / ${database.mostConnections}`],
          [
            t('maintenance.oldestTransaction'),
            oldest &&
              `${spanText(oldest.seconds, i18n.language)} · ${oldest.application} · ${oldest.state} · ${oldest.pid}`,
          ],
          [
            t('maintenance.replication'),
            replicas.length === 0
              ? t('maintenance.noReplica')
              : replicas.map(({ name, lagSeconds }) => `${name} ${lag(lagSeconds)}`).join(', '),
          ],
        ]}
      />
      <PlainTable
        rows={database.partitions}
        keyOf={({ table }) => table}
        columns={[
          { title: t('maintenance.table'), cell: ({ table }) => table },
          { title: t('maintenance.partitions'), right: true, cell: ({ count }) => count },
          { title: t('maintenance.ahead'), right: true, cell: ({ monthsAhead }) => monthsAhead },
        ]}
      />
      {database.deadRows.length > 0 && (
        <PlainTable
          rows={database.deadRows}
          keyOf={({ table }) => table}
          columns={[
            { title: t('maintenance.table'), cell: ({ table }) => table },
            { title: t('maintenance.live'), right: true, cell: ({ live }) => live },
            { title: t('maintenance.dead'), right: true, cell: ({ dead }) => dead },
          ]}
        />
      )}
    </Section>
  );
}
