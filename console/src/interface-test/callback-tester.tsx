import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useFieldForm } from '../dialogs/field-form.tsx';
import { NothingYet, Raw } from '../figures/details.tsx';
import { Status } from '../figures/status.tsx';
import { call } from '../http/client.ts';
import styles from './interface-test.module.css';
import { useAttempt } from './use-attempt.ts';

/** Sends a signed test callback (of no real order) to the merchant's own address, and shows the answer. */
export function CallbackTester() {
  const { t } = useTranslation();
  const { form, submit } = useFieldForm([
    { name: 'url', label: 'notifyUrl', kind: 'text', maxLength: 512, required: true },
    {
      name: 'paid',
      label: t('interface.outcome'),
      kind: 'choice',
      options: [
        { value: 'yes', label: t('interface.outcomePaid') },
        { value: 'no', label: t('interface.outcomeTimedOut') },
      ],
      initial: 'yes',
      required: true,
    },
  ]);
  const {
    answer: tried,
    failure,
    busy,
    run,
  } = useAttempt(() =>
    submit(({ url, paid }) =>
      call(endpoints.interfaceTest.tryCallback, { url: url as string, paid: paid === 'yes' }),
    ),
  );
  return (
    <div className={styles['halves']}>
      <div>
        {form}
        <Button type="primary" loading={busy} onClick={() => void run()}>
          {t('interface.sendCallback')}
        </Button>
        <p className={styles['soft']}>{t('interface.callbackHint')}</p>
      </div>
      <div aria-live="polite">
        {failure && <Alert type="error" showIcon title={failure} />}
        {tried ? (
          <>
            <Status
              tone={tried.acknowledged ? 'positive' : 'negative'}
              label={t(tried.acknowledged ? 'interface.acknowledged' : 'interface.notAcknowledged')}
            />{' '}
            <span className={styles['soft']}>{t('orders.milliseconds', { count: tried.durationMs })}</span>
            <Raw title={tried.httpMethod} text={tried.request} />
            <Raw
              title={`${t('orders.answer')}${tried.status === null ? '' : ` · HTTP ${tried.status}`}`}
              text={tried.error ?? tried.answer}
            />
          </>
        ) : (
          !failure && <NothingYet text={t('interface.nothingSent')} />
        )}
      </div>
    </div>
  );
}
