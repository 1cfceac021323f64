import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { spanText } from '../figures/span.ts';
import { useCall } from '../http/use-call.ts';
import styles from './home.module.css';

const LIVE_MS = 15_000;

/** Queues of the machinery: what waits in each, and for how long. For those who look after it instead of its revenue. */
export function HomeHealth() {
  const { t, i18n } = useTranslation();
  const { data, error } = useCall(endpoints.maintenance.getSystemState, {}, { everyMs: LIVE_MS });
  if (!data)
    return error && <Alert type="error" showIcon title={`${t('maintenance.queues')}: ${error.message}`} />;
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <section className={styles['day']} aria-label={t('maintenance.queues')}>
      <h2>{t('maintenance.queues')}</h2>
      <dl className={styles['figures']}>
        {data.queues.map(({ kind, count, oldestSeconds }) => (
          <div key={kind}>
            <dt>{t(`maintenance.queueOf.${kind}`)}</dt>
            <dd>
              <strong>{number.format(count)}</strong>
              <span>
                {oldestSeconds === null
                  ? t('maintenance.empty')
                  : t('maintenance.oldest', { span: spanText(oldestSeconds) })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
