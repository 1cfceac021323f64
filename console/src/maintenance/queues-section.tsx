import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { Section } from '../figures/details.tsx';
import type { OutputOf } from '../http/call-types.ts';
import styles from './maintenance.module.css';
import { spanText } from '../figures/span.ts';

interface QueuesProps {
  readonly queues: OutputOf<typeof endpoints.maintenance.getSystemState>['queues'];
}

/** Queues: how many items wait, and the age of the oldest. */
export function QueuesSection({ queues }: QueuesProps) {
  const { t, i18n } = useTranslation();
  return (
    <Section title={t('maintenance.queues')}>
      <ul className={styles['cards']}>
        {queues.map(({ kind, count, oldestSeconds }) => (
          <li key={kind} className={styles['card']}>
            <span>{t(`maintenance.queueOf.${kind}`)}</span>
            <strong>{count}</strong>
            <span>
              {oldestSeconds === null
                ? t('maintenance.empty')
                : t('maintenance.oldest', { span: spanText(oldestSeconds, i18n.language) })}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
