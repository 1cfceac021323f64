import { useTranslation } from 'react-i18next';
import { PlainTable } from '../figures/plain-table.tsx';
import type { ListLink } from '../statistics/cell-link.ts';
import { FigureLink } from '../statistics/figure-link.tsx';

/** One of the two days that home compares. */
export type HomeDay = 'today' | 'yesterday';

interface HourTableProps {
  readonly metric: string;
  /** 24 values each, null where there is none. */
  readonly values: Readonly<Record<HomeDay, readonly (number | null)[]>>;
  readonly format: (value: number) => string;
  /** The orders behind an hour's number. */
  readonly linkOf: (day: HomeDay, hour: number) => ListLink | undefined;
}

/** The numbers of the chart, each with a link to its orders. */
export function HourTable({ metric, values, format, linkOf }: HourTableProps) {
  const { t } = useTranslation();
  const hours = values.today.flatMap((today, hour) => (today || values.yesterday[hour] ? [hour] : []));
  const column = (day: HomeDay) => ({
    title: t(`home.${day}`),
    right: true,
    cell: (hour: number) => {
      const value = values[day][hour] ?? null;
      if (value === null) return '–';
      return (
        <FigureLink
          link={value ? linkOf(day, hour) : undefined}
          label={`${metric}, ${t(`home.${day}`)} ${t('home.hour', { hour })}: ${format(value)}`}
        >
          {format(value)}
        </FigureLink>
      );
    },
  });
  if (hours.length === 0) return null;
  return (
    <details>
      <summary>{t('home.hourTable')}</summary>
      <PlainTable
        rows={hours}
        keyOf={String}
        columns={[
          { title: t('home.hourColumn'), cell: (hour) => t('home.hour', { hour }) },
          column('today'),
          column('yesterday'),
        ]}
      />
    </details>
  );
}
