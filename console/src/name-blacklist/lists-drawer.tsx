import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';

interface ListsDrawerProps {
  readonly lists: OutputOf<typeof endpoints.nameList.getNameLists>['list'];
  readonly onClose: () => void;
}

/** Where each list comes from, how old it is, and who imported it when. */
export function ListsDrawer({ lists, onClose }: ListsDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <RowDrawer width={720} onClose={onClose} title={t('nameBlacklist.lists.title')}>
      <PlainTable
        rows={lists}
        keyOf={({ id }) => id}
        columns={[
          { title: t('nameBlacklist.list'), cell: ({ source }) => name('nameLists', source) },
          { title: t('nameBlacklist.lists.date'), cell: ({ listDate }) => listDate ?? '–' },
          { title: t('nameBlacklist.lists.entries'), right: true, cell: ({ entries }) => entries },
          { title: t('nameBlacklist.lists.importedBy'), cell: ({ importedBy }) => importedBy ?? '–' },
          {
            title: t('nameBlacklist.lists.imported'),
            cell: ({ importTime }) => (importTime === null ? '–' : <Moment time={importTime} />),
          },
        ]}
      />
    </RowDrawer>
  );
}
