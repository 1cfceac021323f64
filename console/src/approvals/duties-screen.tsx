import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Money } from '../figures/money.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';

type DutiesCall = typeof endpoints.todo.getDuties;
type Duty = RowOf<DutiesCall>;

/** Who approved whose requests, who created or reset which users, and what each person moved alone. */
export function DutiesScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const definition: ListDefinition<Duty, InputOf<DutiesCall>> = {
    name: 'duties',
    title: title(screen),
    call: endpoints.todo.getDuties,
    keyOf: (row) => row.id,
    emptyText: t('duties.none'),
    filters: [
      { name: 'account', param: 'q', kind: 'text', label: t('people.account'), pinned: true },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
    ],
    columns: [
      { key: 'account', title: t('duties.asked'), names: true, render: (row) => row.account },
      { key: 'other', title: t('duties.decided'), render: (row) => row.other ?? t('duties.alone') },
      { key: 'approved', title: t('duties.approved'), render: (row) => row.approved },
      { key: 'refused', title: t('duties.refused'), render: (row) => row.refused },
      {
        key: 'sharePercent',
        title: t('duties.share'),
        render: (row) => (row.approved + row.refused > 0 ? `${row.sharePercent}%` : '–'),
      },
      { key: 'approvedBack', title: t('duties.back'), render: (row) => row.approvedBack },
      {
        key: 'changes',
        title: t('duties.changes'),
        render: (row) => row.changes.map((each) => name('controlChanges', each)).join(', ') || '–',
      },
      {
        key: 'amount',
        title: t('duties.ownWord'),
        parts: [{ field: 'currency', title: t('fund.currency') }],
        render: (row) =>
          row.amount === null || row.currency === null ? (
            '–'
          ) : (
            <Money minor={row.amount} currency={row.currency} />
          ),
      },
    ],
  };
  return <ListScreen definition={definition} />;
}
