import { useTranslation } from 'react-i18next';
import { PlainTable } from '../figures/plain-table.tsx';
import { useViewer } from '../session/viewer.ts';
import { cellLink } from './cell-link.ts';
import { durationText, type Row, type Table } from './figures.ts';
import { FigureLink } from './figure-link.tsx';
import type { AskedQuestion } from './use-question.ts';

export interface Bucket {
  readonly bucket: number;
  readonly from: number;
  readonly to: number;
  readonly orders: number;
}

interface DurationTableProps {
  readonly asked: AskedQuestion;
  readonly table: Table;
  readonly total: Row;
  readonly buckets: readonly Bucket[];
}

/** The histogram as a table. Each count links to the orders that took this long. */
export function DurationTable({ asked, table, total, buckets }: DurationTableProps) {
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const duration = (seconds: number) => durationText(seconds, i18n.language);
  const number = new Intl.NumberFormat(i18n.language);
  if (buckets.length === 0) return null;
  return (
    <details>
      <summary>{`${total.currency} ${t('statistics.timeToPay')}`}</summary>
      <PlainTable
        rows={buckets}
        keyOf={({ bucket }) => String(bucket)}
        columns={[
          {
            title: t('statistics.timeToPay'),
            cell: ({ from, to }) => `${duration(from)} – ${duration(to)}`,
          },
          {
            title: t('statistics.measures.paid.label'),
            right: true,
            cell: ({ bucket, to, orders }) => (
              <FigureLink
                link={cellLink(access, asked.direction, table, asked.input, total, 'paid', bucket)}
                label={`${duration(to)}: ${number.format(orders)}`}
              >
                {number.format(orders)}
              </FigureLink>
            ),
          },
        ]}
      />
    </details>
  );
}
