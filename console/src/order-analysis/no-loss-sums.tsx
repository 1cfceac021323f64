import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Money } from '../figures/money.tsx';
import type { InputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import type { CardsProps } from '../operator-table/list-definition.ts';
import { NoLossLines } from './no-loss-lines.tsx';
import styles from './order-analysis.module.css';

type NoLossInput = InputOf<typeof endpoints.noLoss.getNoLoss>;

const STEPS = [
  'evidence',
  'credited',
  'reversed',
  'notified',
  'acknowledged',
  'residue',
  'closed',
  'open',
] as const;

/** The sums of the period per currency, and below them what is open now, line by line. */
export function NoLossSums({ input, everyMs }: CardsProps<NoLossInput>) {
  const { t, i18n } = useTranslation();
  const { startTime, endTime, currency } = input;
  const { data } = useCall(
    endpoints.noLoss.getNoLossSums,
    { startTime, endTime, currency },
    { everyMs, keepPrevious: true },
  );
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <>
      <div className={styles['sums']}>
        {data?.list.map((row) => (
          <dl key={row.currency}>
            {STEPS.map((step) => (
              <div key={step}>
                <dt>{t(`noLoss.step.${step}`)}</dt>
                <dd>
                  <Money minor={row[`${step}Amount`]} currency={row.currency} strong />
                  <span className="figures">{number.format(row[`${step}Count`])}</span>
                </dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
      <NoLossLines
        title={t('noLoss.openNow')}
        input={{ open: 'true', currency }}
        emptyText={t('noLoss.nothingOpen')}
        everyMs={everyMs}
      />
    </>
  );
}
