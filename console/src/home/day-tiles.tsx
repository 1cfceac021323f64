import { useTranslation } from 'react-i18next';
import type { Currency } from '@sangam/contract/money.ts';
import type { Filing, MeasureName } from '@sangam/contract/statistics.ts';
import { moneyText, shortMoneyText } from '../figures/money-text.ts';
import { useViewer } from '../session/viewer.ts';
import { FigureLink } from '../statistics/figure-link.tsx';
import { dayLink, type Span } from './day-link.ts';
import { type DayFigures, type SoFar, type SoFarFigures, successRate } from './figures-of-day.ts';
import styles from './home.module.css';

const TILE_CHARACTERS = 13;

interface Days {
  readonly yesterdayDate: string;
  readonly todayDate: string;
  readonly tomorrowDate: string;
}

interface Tile {
  readonly measure: MeasureName;
  readonly label: string;
  readonly value: (of: SoFarFigures) => number | undefined;
  readonly text: (value: number) => string;
  /** The text in a tile: a long sum is shortened and shown in full on hover. */
  readonly short?: (value: number) => string;
}

function useTiles(currency: Currency, withFee: boolean): readonly Tile[] {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const count = (value: number) => number.format(value);
  const money = (minor: number) => moneyText(minor, currency);
  const short = (minor: number) =>
    money(minor).length > TILE_CHARACTERS ? shortMoneyText(minor, currency) : money(minor);
  const tiles: readonly Tile[] = [
    { measure: 'created', label: t('home.created'), value: (of) => of.created, text: count },
    { measure: 'paid', label: t('home.paid'), value: (of) => of.paid, text: count },
    {
      measure: 'successRate',
      label: t('home.successRate'),
      value: successRate,
      text: (value) => percent.format(value),
    },
    {
      measure: 'paidAmount',
      label: t('home.paidAmount'),
      value: (of) => of.paidAmount,
      text: money,
      short,
    },
  ];
  if (!withFee) return tiles;
  return [...tiles, { measure: 'fee', label: t('home.fee'), value: (of) => of.fee, text: money, short }];
}

export interface DayTilesProps {
  readonly currency: Currency;
  readonly filing: Filing;
  readonly days: Days;
  readonly today: DayFigures;
  readonly yesterday: DayFigures;
  readonly soFar: SoFar | null;
}

/** The figures of today and yesterday. Each number links to the orders it counts. */
export function DayTiles({ currency, filing, days, today, yesterday, soFar }: DayTilesProps) {
  const { t } = useTranslation();
  const { access } = useViewer();
  const tiles = useTiles(currency, today.fee !== undefined);
  const { yesterdayDate, todayDate, tomorrowDate } = days;
  const upTo = (day: string): Span => ({ startTime: day, endTime: `${day} ${soFar?.until}:00` });
  const figure = (tile: Tile, of: SoFarFigures, span: Span, when: string, isShort = false) => {
    const value = tile.value(of);
    if (value === undefined) return '–';
    const text = tile.text(value);
    return (
      <FigureLink
        link={value ? dayLink(access, filing, currency, span, tile.measure) : undefined}
        label={`${tile.label}, ${when}: ${text}`}
      >
        {isShort && tile.short ? tile.short(value) : text}
      </FigureLink>
    );
  };
  const exact = (tile: Tile) => tile.short && tile.text(tile.value(today) ?? 0);
  return (
    <dl className={styles['figures']}>
      {tiles.map((tile) => (
        <div key={tile.measure}>
          <dt>{tile.label}</dt>
          <dd>
            <strong title={exact(tile)}>
              {figure(tile, today, { startTime: todayDate, endTime: tomorrowDate }, t('home.today'), true)}
            </strong>
            <span>
              {t('home.byThisTime')}{' '}
              {figure(tile, yesterday, { startTime: yesterdayDate, endTime: todayDate }, t('home.yesterday'))}
            </span>
            {soFar && (
              <span>
                {t('home.soFar', { until: soFar.until })}{' '}
                {figure(tile, soFar.today, upTo(todayDate), `${t('home.today')} 00:00–${soFar.until}`)} ·{' '}
                {t('home.soFarYesterday')}{' '}
                {figure(
                  tile,
                  soFar.yesterday,
                  upTo(yesterdayDate),
                  `${t('home.yesterday')} 00:00–${soFar.until}`,
                )}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
