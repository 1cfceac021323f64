import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { SOURCE_STEPS, sourceCellText } from '@sangam/contract/order-source.ts';
import type { InputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import type { CardsProps } from '../operator-table/list-definition.ts';
import { ListLink } from '../operator-table/list-link.tsx';
import styles from './order-analysis.module.css';

type SourceInput = InputOf<typeof endpoints.orderSource.getOrderSource>;

/** The funnel per currency: the orders at each step, their share of all orders, and how many were lost on the way to it. */
export function SourceFunnel({ input, everyMs }: CardsProps<SourceInput>) {
  const { t, i18n } = useTranslation();
  const { startTime, endTime, merchantId } = input;
  const { data } = useCall(
    endpoints.orderSource.getSourceFunnel,
    { startTime, endTime, merchantId },
    { everyMs, keepPrevious: true },
  );
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <div className={styles['funnels']}>
      {data?.list.map((row) => (
        <section key={row.currency} aria-label={t('source.funnel', { currency: row.currency })}>
          <h2>{t('source.funnel', { currency: row.currency })}</h2>
          <ol className={styles['funnel']}>
            {SOURCE_STEPS.map((step, reached) => {
              const before = reached === 0 ? row.created : row[SOURCE_STEPS[reached - 1]!];
              const [share, lost] = [row[step] / row.created, before - row[step]];
              const cell = {
                from: data.fromTime.slice(0, 10),
                to: data.toTime.slice(0, 10),
                currency: row.currency,
                reached,
                of: undefined,
              };
              return (
                <li key={step}>
                  <span>{t(`source.step.${step}`)}</span>
                  <strong className="figures">
                    <ListLink
                      list="collectionOrders"
                      filters={{
                        source: sourceCellText(cell),
                        period: `${data.fromTime}~${data.toTime}`,
                        ...(merchantId && { merchantId }),
                      }}
                    >
                      {number.format(row[step])}
                    </ListLink>
                  </strong>
                  <span className={styles['bar']} aria-hidden>
                    <span style={{ width: `${share * 100}%` }} />
                  </span>
                  <span className="figures">{percent.format(share)}</span>
                  <span className={`figures ${styles['lost']}`}>
                    {reached > 0 && t('source.lost', { count: lost, shown: number.format(lost) })}
                  </span>
                </li>
              );
            })}
          </ol>
        </section>
      ))}
    </div>
  );
}
