import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { spanText } from '../figures/span.ts';
import { useCall } from '../http/use-call.ts';
import styles from './home.module.css';

const LIVE_MS = 15_000;

/** Silent monitors and waiting queues, with the age of the oldest item. For the technical roles, who see this in place of revenue. */
export function HomeHealth() {
  const { t, i18n } = useTranslation();
  const { data, error } = useCall(endpoints.maintenance.getSystemState, {}, { everyMs: LIVE_MS });
  if (!data)
    return error && <Alert type="error" showIcon title={`${t('maintenance.queues')}: ${error.message}`} />;
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <section className={styles['day']} aria-label={t('home.monitorsAndQueues')}>
      <h2>{t('home.monitorsAndQueues')}</h2>
      <dl className={styles['figures']}>
        <div>
          <dt>{t('home.monitorsAlive')}</dt>
          <dd>
            <strong>
              {number.format(data.monitors.total - data.monitors.silent)} /{' '}
              {number.format(data.monitors.total)}
            </strong>
            <span>{t('home.monitorsSilent', { count: data.monitors.silent })}</span>
          </dd>
        </div>
        {data.queues.map(({ kind, count, oldestSeconds }) => (
          <div key={kind}>
            <dt>{t(`maintenance.queueOf.${kind}`)}</dt>
            <dd>
              <strong>{number.format(count)}</strong>
              <span>
                {oldestSeconds === null
                  ? t('maintenance.empty')
                  : t('maintenance.oldest', { span: spanText(oldestSeconds, i18n.language) })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
