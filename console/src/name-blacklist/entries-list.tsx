import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Moment } from '../figures/moment.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { AddDialog } from './add-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { ListsDrawer } from './lists-drawer.tsx';
import { TryNameDialog } from './try-name-dialog.tsx';

type NamesCall = typeof endpoints.nameList.getListedNames;
type Entry = RowOf<NamesCall>;
type Asked = 'add' | 'import' | 'try' | 'lists' | Entry;

function useColumns(): readonly ListColumn<Entry>[] {
  const { t } = useTranslation();
  const name = useNames();
  return [
    {
      key: 'names',
      title: t('nameBlacklist.name'),
      names: true,
      width: 320,
      render: (entry) => entry.names.join(' · ') || '–',
    },
    {
      key: 'list',
      words: 'nameLists',
      title: t('nameBlacklist.list'),
      render: ({ list }) => name('nameLists', list),
    },
    {
      key: 'reference',
      title: t('nameBlacklist.reference'),
      optional: true,
      render: (entry) => entry.reference,
    },
    {
      key: 'marks',
      title: t('nameBlacklist.marks'),
      render: ({ marks }) => marks.map((mark) => name('nameMarks', mark)).join(', ') || '–',
    },
    { key: 'note', title: t('ipRules.note'), width: 280, render: (entry) => entry.note || '–' },
    {
      key: 'exemptions',
      title: t('nameBlacklist.exemptions'),
      align: 'right',
      render: (entry) => entry.exemptions,
    },
    { key: 'addedBy', title: t('nameBlacklist.addedBy'), render: (entry) => entry.addedBy ?? '–' },
    { key: 'addTime', title: t('nameBlacklist.added'), render: (entry) => <Moment time={entry.addTime} /> },
  ];
}

/** The entries of the blacklist: added by hand, or imported with their source. */
export function EntriesList({ title, parts }: { readonly title: string; readonly parts: ReactNode }) {
  const { t } = useTranslation();
  const name = useNames();
  const [asked, setAsked] = useState<Asked>();
  const lists = useCall(endpoints.nameList.getNameLists, {}, { staleMs: 60_000 });
  const close = () => setAsked(undefined);
  const definition: ListDefinition<Entry, InputOf<NamesCall>> = {
    name: 'nameBlacklist.entries',
    title,
    call: endpoints.nameList.getListedNames,
    keyOf: (entry) => entry.id,
    emptyText: t('nameBlacklist.noEntries'),
    waiting: { about: { kind: 'nameListChange' } },
    tools: (
      <>
        {parts}
        <Button onClick={() => setAsked('try')}>{t('nameBlacklist.try.button')}</Button>
        {(lists.data?.list ?? []).length > 0 && (
          <Button onClick={() => setAsked('lists')}>{t('nameBlacklist.lists.title')}</Button>
        )}
        <Button onClick={() => setAsked('import')}>{t('nameBlacklist.import.button')}</Button>
        <Button type="primary" onClick={() => setAsked('add')}>
          {t('nameBlacklist.add')}
        </Button>
      </>
    ),
    filters: [
      { name: 'name', param: 'q', kind: 'text', label: t('nameBlacklist.name'), pinned: true },
      {
        name: 'listId',
        param: 'l',
        kind: 'choice',
        label: t('nameBlacklist.list'),
        pinned: true,
        options: (lists.data?.list ?? []).map(({ id, source, listDate, entries }) => ({
          value: id,
          label: `${name('nameLists', source)}${listDate === null ? '' : ` · ${listDate}`} · ${entries}`,
        })),
      },
    ],
    columns: useColumns(),
    actionsOf: (entry) => [{ key: 'remove', label: t('nameBlacklist.remove'), run: () => setAsked(entry) }],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked === 'add' && <AddDialog onClose={close} />}
      {asked === 'import' && <ImportDialog onClose={close} />}
      {asked === 'lists' && <ListsDrawer lists={lists.data?.list ?? []} onClose={close} />}
      {asked === 'try' && <TryNameDialog onClose={close} />}
      {typeof asked === 'object' && <RemoveDialog entry={asked} onClose={close} />}
    </>
  );
}

function RemoveDialog({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.nameList.getListedNames);
  return (
    <FormDialog
      title={`${t('nameBlacklist.remove')} · ${entry.names[0] ?? entry.reference}`}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true }]}
      consequence={t('nameBlacklist.consequence.remove')}
      okText={t('nameBlacklist.remove')}
      danger
      onSubmit={async ({ reason }) => {
        const input = { id: entry.id, reason: reason as string };
        await send(endpoints.nameList.removeListedName, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
