import { useTranslation } from 'react-i18next';
import type { Bot } from '@sangam/contract/bots.ts';
import { NothingYet } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable, type PlainTableProps } from '../figures/plain-table.tsx';

interface Unknown {
  readonly id: string;
  readonly bot: Bot;
  readonly count: number;
  readonly lastTime: string;
}

interface UnknownTableProps<Row> {
  readonly rows: readonly Row[];
  readonly emptyText: string;
  /** Who wrote. */
  readonly columns: PlainTableProps<Row>['columns'];
  readonly actions?: PlainTableProps<Row>['columns'];
}

/** Who wrote to a bot and got no answer, with a count. */
export function UnknownTable<Row extends Unknown>({
  rows,
  emptyText,
  columns,
  actions = [],
}: UnknownTableProps<Row>) {
  const { t } = useTranslation();
  if (rows.length === 0) return <NothingYet text={emptyText} />;
  return (
    <PlainTable
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: t('botScreens.bot'), cell: ({ bot }) => t(`botScreens.bots.${bot}`) },
        ...columns,
        { title: t('botScreens.times'), right: true, cell: ({ count }) => count },
        { title: t('botScreens.lastTime'), cell: ({ lastTime }) => <Moment time={lastTime} /> },
        ...actions,
      ]}
    />
  );
}
