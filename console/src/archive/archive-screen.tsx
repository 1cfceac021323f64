import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ARCHIVE_STATES, ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import { Moment } from '../figures/moment.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { ArchiveDrawer } from './archive-drawer.tsx';
import { ArchivedOrderDrawer } from './archived-order-drawer.tsx';
import { FindArchived, openedOrder } from './find-archived.tsx';
import { megabytes } from './megabytes.ts';

type ArchivesCall = typeof endpoints.archive.getArchives;
type ArchiveRow = RowOf<ArchivesCall>;

const TONES: Readonly<Record<ArchiveRow['state'], Tone>> = {
  writing: 'pending',
  checked: 'pending',
  removed: 'positive',
  givenUp: 'quiet',
};

/** Months that have left the database: the contents of each file, how its run ended, and a search for any archived order. */
export function ArchiveScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const definition: ListDefinition<ArchiveRow, InputOf<ArchivesCall>> = {
    name: 'archives',
    title: title(screen),
    call: endpoints.archive.getArchives,
    keyOf: ({ id }) => id,
    emptyText: t('archive.none'),
    waiting: { about: { kind: 'archiveRestore' } },
    Panel: FindArchived,
    drawer: (key, close) => {
      const orderCode = openedOrder(key);
      return orderCode === undefined ? (
        <ArchiveDrawer key={key} id={key} onClose={close} />
      ) : (
        <ArchivedOrderDrawer key={key} orderCode={orderCode} onClose={close} />
      );
    },
    filters: [
      {
        name: 'table',
        param: 'tb',
        kind: 'choice',
        label: t('archive.table'),
        pinned: true,
        values: ARCHIVE_TABLES,
        options: ARCHIVE_TABLES.map((value) => ({ value, label: name('archiveTables', value) })),
      },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('archive.state'),
        pinned: true,
        values: ARCHIVE_STATES,
        options: ARCHIVE_STATES.map((value) => ({ value, label: name('archiveStates', value) })),
      },
    ],
    columns: [
      { key: 'month', title: t('archive.month'), names: true, render: ({ month }) => month },
      {
        key: 'table',
        words: 'archiveTables',
        title: t('archive.table'),
        render: ({ table, part }) => `${name('archiveTables', table)}${part > 1 ? ` · ${part}` : ''}`,
      },
      {
        key: 'state',
        words: 'archiveStates',
        title: t('archive.state'),
        render: ({ state, failure }) =>
          failure !== null && state !== 'removed' ? (
            <Status tone="negative" label={t('archive.failed')} />
          ) : (
            <Status tone={TONES[state]} label={name('archiveStates', state)} />
          ),
      },
      { key: 'rowCount', title: t('archive.rows'), align: 'right', render: ({ rowCount }) => rowCount },
      {
        key: 'awayCount',
        title: t('archive.away'),
        align: 'right',
        render: ({ table, awayCount }) =>
          table === 'collection_orders' || table === 'payout_orders' ? awayCount : '–',
      },
      { key: 'bytes', title: t('archive.size'), align: 'right', render: ({ bytes }) => megabytes(bytes) },
      {
        key: 'beginTime',
        title: t('archive.begun'),
        render: ({ beginTime }) => <Moment time={beginTime} />,
      },
      {
        key: 'endTime',
        title: t('archive.ended'),
        render: ({ endTime }) => (endTime === null ? '–' : <Moment time={endTime} />),
      },
    ],
  };
  return <ListScreen definition={definition} />;
}
