import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CURRENCIES } from '@sangam/contract/money.ts';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { NoLossLines } from './no-loss-lines.tsx';
import { NoLossSums } from './no-loss-sums.tsx';

type NoLossCall = typeof endpoints.noLoss.getNoLoss;
type Statement = RowOf<NoLossCall>;

const STEPS = ['evidence', 'credited', 'notified', 'acknowledged', 'residue', 'closed'] as const;
const CURRENCY_NAMES = Object.keys(CURRENCIES);

function useColumns(): readonly ListColumn<Statement>[] {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      key: 'hourTime',
      title: t('noLoss.hour'),
      names: true,
      render: (row) => <Moment time={row.hourTime} exact />,
    },
    { key: 'currency', title: t('source.currency'), render: ({ currency }) => currency },
    ...STEPS.flatMap((step): ListColumn<Statement>[] => [
      {
        key: `${step}Amount`,
        title: t(`noLoss.step.${step}`),
        align: 'right',
        render: (row) => <Money minor={row[`${step}Amount`]} currency={row.currency} />,
      },
      {
        key: `${step}Count`,
        title: t('noLoss.ordersOf', { step: t(`noLoss.step.${step}`) }),
        align: 'right',
        optional: true,
        render: (row) => number.format(row[`${step}Count`]),
      },
    ]),
    {
      key: 'intact',
      title: t('noLoss.signature'),
      render: ({ intact }) => (
        <Status
          tone={intact ? 'positive' : 'negative'}
          label={t(intact ? 'noLoss.intact' : 'noLoss.broken')}
        />
      ),
    },
    {
      key: 'writtenTime',
      title: t('noLoss.written'),
      optional: true,
      render: (row) => <Moment time={row.writtenTime} />,
    },
  ];
}

/**
 * The no-loss statement, hour by hour: what was paid, credited, notified and acknowledged, and line by line what is still open at
 * the end.
 */
export function NoLossScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<Statement, InputOf<NoLossCall>> = {
    name: 'noLoss',
    title: title(screen),
    call: endpoints.noLoss.getNoLoss,
    keyOf: ({ id }) => id,
    emptyText: t('noLoss.none'),
    Cards: NoLossSums,
    cardsFilter: 'currency',
    filters: [
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
      {
        name: 'currency',
        param: 'cy',
        kind: 'choice',
        label: t('source.currency'),
        pinned: true,
        values: CURRENCY_NAMES,
        options: CURRENCY_NAMES.map((value) => ({ value, label: value })),
      },
    ],
    columns: useColumns(),
    drawer: (key, close) => <StatementDrawer statementId={key} onClose={close} />,
  };
  return <ListScreen definition={definition} />;
}

function StatementDrawer({
  statementId,
  onClose,
}: {
  readonly statementId: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const row = useListedRow(endpoints.noLoss.getNoLoss, statementId);
  return (
    <RowDrawer
      width={720}
      title={row ? `${row.hourTime} · ${row.currency}` : t('noLoss.hour')}
      onClose={onClose}
    >
      {row && (
        <NoLossLines
          title={t('noLoss.lines')}
          input={{ hourTime: row.hourTime, currency: row.currency }}
          emptyText={t('noLoss.noLines')}
        />
      )}
    </RowDrawer>
  );
}
