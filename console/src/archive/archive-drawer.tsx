import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { megabytes } from './megabytes.ts';

type ArchivesCall = typeof endpoints.archive.getArchives;

/** One archive file: its contents, and when it was written, compared and relied upon. */
export function ArchiveDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const row = useListedRow<InputOf<ArchivesCall>, RowOf<ArchivesCall>>(endpoints.archive.getArchives, id);
  return (
    <RowDrawer
      width={640}
      onClose={onClose}
      title={row ? `${name('archiveTables', row.table)} · ${row.month}` : id}
    >
      {row ? (
        <>
          {row.failure !== null && row.state !== 'removed' && (
            <Alert type="error" showIcon title={t('archive.failed')} description={row.failure} />
          )}
          <Facts
            facts={[
              [t('archive.state'), name('archiveStates', row.state)],
              [t('archive.file'), <code>{row.file}</code>],
              [t('archive.rows'), row.rowCount],
              [t('archive.size'), megabytes(row.bytes)],
              [t('archive.begun'), <Moment time={row.beginTime} exact />],
              [t('archive.compared'), row.checkTime && <Moment time={row.checkTime} exact />],
              [t('archive.ended'), row.endTime && <Moment time={row.endTime} exact />],
            ]}
          />
          {row.sums.length > 0 && (
            <Section title={t('archive.sums')}>
              <PlainTable
                rows={row.sums}
                keyOf={({ currency }) => currency}
                columns={[
                  { title: t('archive.currency'), cell: ({ currency }) => currency },
                  {
                    title: t('archive.amount'),
                    right: true,
                    cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
                  },
                  {
                    title: t('archive.moved'),
                    right: true,
                    cell: ({ moved, currency }) => <Money minor={moved} currency={currency} />,
                  },
                ]}
              />
            </Section>
          )}
        </>
      ) : (
        <NothingYet text={t('callbacks.notOnPage')} />
      )}
    </RowDrawer>
  );
}
