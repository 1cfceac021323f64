import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { CallbackState } from '../figures/callback-state.tsx';
import { NothingYet, Raw, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { useNames } from '../language/names.ts';
import type { RowAction } from '../operator-table/list-definition.ts';
import styles from './orders.module.css';
import type { Story } from './order.ts';

type Callback = Story['callbacks'][number];
type Attempt = Callback['attemptList'][number];

interface OrderCallbacksProps {
  readonly callbacks: readonly Callback[];
  readonly sendAgain: RowAction | undefined;
  readonly busy: boolean;
}

/** The callbacks of an order with the merchant's answers, attempt by attempt. */
export function OrderCallbacks({ callbacks, sendAgain, busy }: OrderCallbacksProps) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <Section
      title={t('orders.callbacks')}
      count={callbacks.length}
      extra={
        sendAgain && (
          <Button size="small" icon={sendAgain.icon} loading={busy} onClick={sendAgain.run}>
            {t('orders.sendAgain')}
          </Button>
        )
      }
    >
      {callbacks.length === 0 && <NothingYet text={t('orders.noCallbacks')} />}
      {callbacks.map((callback) => (
        <article key={callback.id} className={styles['callback']}>
          <header>
            <strong>{name('callbackKinds', callback.kind)}</strong>
            <CallbackState state={callback.state} />
            <span className={styles['soft']}>
              {t('orders.attempts', { count: callback.attempts })}
              {callback.nextTime !== null && (
                <>
                  {' · '}
                  {t('orders.nextAttempt')} <Moment time={callback.nextTime} />
                </>
              )}
            </span>
          </header>
          {callback.attemptList.map((attempt) => (
            <AttemptFold key={attempt.id} attempt={attempt} />
          ))}
        </article>
      ))}
    </Section>
  );
}

function AttemptFold({ attempt }: { readonly attempt: Attempt }) {
  const { t } = useTranslation();
  const outcome =
    attempt.error ?? (attempt.status === null ? t('orders.noAnswer') : `HTTP ${attempt.status}`);
  const accepted = attempt.answer?.trim().toLowerCase() === 'success';
  return (
    <details className={styles['fold']}>
      <summary>
        <Moment time={attempt.time} exact />
        <span className={accepted ? styles['positive'] : styles['negative']}>{outcome}</span>
        <span className={styles['soft']}>{t('orders.milliseconds', { count: attempt.durationMs })}</span>
      </summary>
      <div className={styles['attempt']}>
        <Raw title={`${attempt.httpMethod} ${attempt.url}`} text={attempt.request} />
        <Raw title={t('orders.answer')} text={attempt.answer ?? attempt.error} />
      </div>
    </details>
  );
}
