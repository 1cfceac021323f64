import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { moneyText } from '../figures/money-text.ts';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useViewer } from '../session/viewer.ts';
import { FigureLink } from '../statistics/figure-link.tsx';
import { teamLink, type Span } from './day-link.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import styles from './home.module.css';

type Team = NonNullable<OutputOf<typeof endpoints.home.getHome>['team']>;

const TEAM_PATH = '/supplier-proxy';

/** Figures of the suppliers below an agent: deposit, accounts, payouts. */
export function HomeTeam({ team }: { readonly team: Team }) {
  const { t, i18n } = useTranslation();
  const { openTab } = useTabLocation();
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <section className={styles['day']} aria-label={t('home.team')}>
      <h2>{t('home.team')}</h2>
      <PlainTable
        rows={team.list}
        keyOf={({ supplierId }) => supplierId}
        columns={[
          { title: t('orders.supplier'), cell: ({ name }) => name },
          {
            title: t('buckets.deposit'),
            right: true,
            cell: ({ deposits }) =>
              deposits.length === 0
                ? '–'
                : deposits.map(({ currency, balance }) => (
                    <div key={currency}>
                      <Money minor={balance} currency={currency} />
                    </div>
                  )),
          },
          {
            title: t('home.accountFigures.open'),
            right: true,
            cell: ({ open, accounts }) => `${number.format(open)} / ${number.format(accounts)}`,
          },
          {
            title: t('home.accountFigures.online'),
            right: true,
            cell: ({ online }) => number.format(online),
          },
          {
            title: t('home.toClaim'),
            right: true,
            cell: ({ payoutsWaiting }) => number.format(payoutsWaiting),
          },
          {
            title: t('home.claimed'),
            right: true,
            cell: ({ payoutsClaimed }) => number.format(payoutsClaimed),
          },
        ]}
      />
      <Earned earned={team.earned} />
      <a
        href={TEAM_PATH}
        onClick={(event) => {
          event.preventDefault();
          openTab(TEAM_PATH, () => '');
        }}
      >
        {t('home.allTeam', { count: team.total })}
      </a>
    </section>
  );
}

/** What the viewer earned on the orders of its team. */
function Earned({ earned }: { readonly earned: Team['earned'] }) {
  const { t } = useTranslation();
  const { access } = useViewer();
  const { filing, yesterdayDate, todayDate, tomorrowDate, list } = earned;
  if (list.length === 0) return null;
  const column = (day: 'today' | 'yesterday', span: Span) => ({
    title: t(`home.${day}`),
    right: true,
    cell: ({ currency, direction, ...of }: (typeof list)[number]) => (
      <FigureLink
        link={of[day] === 0 ? undefined : teamLink(access, direction, filing, currency, span)}
        label={`${t('home.earned')}, ${t(`home.${day}`)}: ${moneyText(of[day], currency)}`}
      >
        <Money minor={of[day]} currency={currency} />
      </FigureLink>
    ),
  });
  return (
    <PlainTable
      rows={list}
      keyOf={({ currency, direction }) => `${currency} ${direction}`}
      columns={[
        { title: t('home.earned'), cell: ({ direction }) => t(`home.earnedOn.${direction}`) },
        column('today', { startTime: todayDate, endTime: tomorrowDate }),
        column('yesterday', { startTime: yesterdayDate, endTime: todayDate }),
      ]}
    />
  );
}
