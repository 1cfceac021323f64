import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import type { OutputOf } from '../http/call-types.ts';
import { OrderLinks } from '../orders/order-links.tsx';
import styles from './settings.module.css';

interface SettingPreviewProps {
  readonly answer: OutputOf<typeof endpoints.systemConfig.previewSetting>;
}

/** The effect that a value would have had on the last days, with the orders behind each number. */
export function SettingPreview({ answer: { from, to, lines } }: SettingPreviewProps) {
  const { t } = useTranslation();
  if (lines.length === 0) return <Alert type="info" showIcon title={t('systemConfig.historySilent')} />;
  return (
    <section className={styles['preview']} aria-label={t('systemConfig.preview')} aria-live="polite">
      <h4>{t('systemConfig.previewOf', { from, to })}</h4>
      <ul>
        {lines.map(({ key, count, orders }) => (
          <li key={key}>
            <strong>{count}</strong> {t(`settingPreviews.${key}`)}
            {orders.length > 0 && <OrderLinks codes={orders} count={count} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
