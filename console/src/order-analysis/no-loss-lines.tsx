import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { MoreButton } from '../figures/more-button.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { usePages } from '../http/use-pages.ts';
import { ListLink } from '../operator-table/list-link.tsx';

type LinesCall = typeof endpoints.noLoss.getNoLossLines;

const PAGE = 100;
const CLOSED: ReadonlySet<string> = new Set(['acknowledged', 'reversed', 'late']);
const GRAVE: ReadonlySet<string> = new Set(['noEvidence', 'notCredited', 'creditDiffers']);

function toneOf({ kind, open }: RowOf<LinesCall>): Tone {
  if (CLOSED.has(kind)) return 'quiet';
  if (GRAVE.has(kind)) return 'negative';
  return open ? 'warning' : 'quiet';
}

interface NoLossLinesProps {
  readonly title: string;
  readonly input: InputOf<LinesCall>;
  readonly emptyText: string;
  readonly everyMs?: number;
}

/** Lines of no-loss statements: each names its order, the reason, and who looks after it. */
export function NoLossLines({ title, input, emptyText, everyMs }: NoLossLinesProps) {
  const { t } = useTranslation();
  const { pages, more, busy } = usePages(
    endpoints.noLoss.getNoLossLines,
    { ...input, pageSize: PAGE },
    everyMs === undefined ? {} : { everyMs },
  );
  const [first] = pages;
  if (!first) return null;
  const rows = pages.flatMap(({ list }) => list);
  return (
    <Section title={title} count={first.total}>
      {rows.length === 0 ? (
        <NothingYet text={emptyText} />
      ) : (
        <PlainTable
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t('orders.orderCode'),
              cell: ({ orderCode }) => (
                <ListLink list="collectionOrders" filters={{ orderCode }}>
                  {orderCode}
                </ListLink>
              ),
            },
            {
              title: t('noLoss.why'),
              cell: (row) => <Status tone={toneOf(row)} label={t(`noLoss.kind.${row.kind}`)} />,
            },
            { title: t('noLoss.holder'), cell: ({ holder }) => t(`noLoss.holderOf.${holder}`) },
            {
              title: t('orders.amount'),
              right: true,
              cell: (row) => <Money minor={row.amount} currency={row.currency} directed />,
            },
            { title: t('orders.merchant'), cell: ({ merchantName }) => merchantName },
            { title: t('noLoss.paidHour'), cell: ({ paidHourTime }) => <Moment time={paidHourTime} exact /> },
          ]}
        />
      )}
      <MoreButton more={more} busy={busy} />
    </Section>
  );
}
