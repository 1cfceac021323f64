import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { CallbackState } from '../figures/callback-state.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet, Raw, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { RowAction } from '../operator-table/list-definition.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { AttemptOutcome, isAcknowledged } from './attempt-outcome.tsx';
import type { Callback, CallbackAttempt, CallbackCall } from './callback.ts';
import styles from './callbacks.module.css';

interface CallbackDrawerProps {
  readonly id: string;
  readonly actionsOf: (callback: Callback) => readonly RowAction[];
  readonly onClose: () => void;
}

/** One callback with all its attempts: what was sent, and what the merchant answered. */
export function CallbackDrawer({ id, actionsOf, onClose }: CallbackDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const callback = useListedRow<InputOf<CallbackCall>, Callback>(endpoints.callback.getCallbackList, id);
  const attempts = useCall(endpoints.callback.getCallbackDetailList, { callbackId: id, pageSize: 100 });
  return (
    <RowDrawer
      width={640}
      onClose={onClose}
      title={callback ? t('callbacks.drawer', { orderCode: callback.orderCode }) : id}
    >
      {callback ? (
        <>
          <div className={styles['lead']}>
            <CallbackState state={callback.state} paused={callback.paused} />
            <div className={styles['actions']} role="group" aria-label={t('list.actions')}>
              {actionsOf(callback).map((action) => (
                <Button key={action.key} size="small" icon={action.icon} onClick={action.run}>
                  {action.label}
                </Button>
              ))}
            </div>
          </div>
          <Facts
            facts={[
              [t('orders.merchant'), callback.merchantName],
              [t('callbacks.kind'), name('callbackKinds', callback.kind)],
              [t('orders.mchOrderNo'), <Copyable text={callback.merchantOrderNo} limit={28} />],
              [t('callbacks.url'), <Copyable text={callback.url} limit={36} />],
              [t('callbacks.nextTime'), <Moment time={callback.nextTime} exact />],
              [t('callbacks.schedule'), callback.waitSeconds?.join(', ') ?? t('callbacks.usualSchedule')],
            ]}
          />
        </>
      ) : (
        <NothingYet text={t('callbacks.notOnPage')} />
      )}
      <Section title={t('callbacks.attempts')} count={attempts.data?.list.length ?? 0}>
        {attempts.data?.list.length === 0 && <NothingYet text={t('callbacks.noAttempts')} />}
        {attempts.data?.list.map((attempt) => (
          <AttemptFold key={attempt.id} attempt={attempt} />
        ))}
      </Section>
    </RowDrawer>
  );
}

function AttemptFold({ attempt }: { readonly attempt: CallbackAttempt }) {
  const { t } = useTranslation();
  return (
    <details className={styles['fold']}>
      <summary>
        <Moment time={attempt.time} exact />
        <AttemptOutcome {...attempt} acknowledged={isAcknowledged(attempt.answer)} />
        <span>{t('orders.milliseconds', { count: attempt.durationMs })}</span>
      </summary>
      <Raw title={`${attempt.httpMethod} ${attempt.url}`} text={attempt.request} />
      <Raw title={t('orders.answer')} text={attempt.answer} />
    </details>
  );
}
