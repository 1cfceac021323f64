import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useFieldForm } from '../dialogs/field-form.tsx';
import { NothingYet, Raw } from '../figures/details.tsx';
import { Status } from '../figures/status.tsx';
import { call } from '../http/client.ts';
import { fieldsOfBody } from './fields-of-body.ts';
import { CALLS, CREATE_PATH } from './own-interface.ts';
import styles from './interface-test.module.css';
import { useAttempt } from './use-attempt.ts';

interface Checked {
  readonly stringToSign: string;
  readonly expected: string;
  readonly given: string | undefined;
}

/** Checks whether the signature of a request from somebody's program is the one the server computes. */
export function SignatureChecker() {
  const { t } = useTranslation();
  const { form, submit } = useFieldForm([
    {
      name: 'path',
      label: t('interface.forCall'),
      kind: 'choice',
      options: CALLS.map(([, path]) => ({ value: path, label: path })),
      initial: CREATE_PATH,
      required: true,
    },
    {
      name: 'body',
      label: t('interface.body'),
      hint: t('interface.bodyHint'),
      kind: 'lines',
      maxLength: 20_000,
      required: true,
    },
  ]);
  const {
    answer: checked,
    failure,
    busy,
    run,
  } = useAttempt(() =>
    submit(async ({ body, path }): Promise<Checked> => {
      const { sign: given, ...fields } = fieldsOfBody(body as string);
      const signed = await call(endpoints.interfaceTest.signFields, {
        fields,
        path: path as string,
      });
      return { stringToSign: signed.stringToSign, expected: signed.sign, given };
    }),
  );
  const matches = checked?.given?.toLowerCase() === checked?.expected.toLowerCase();
  return (
    <div className={styles['halves']}>
      <div>
        {form}
        <Button type="primary" loading={busy} onClick={() => void run()}>
          {t('interface.check')}
        </Button>
      </div>
      <div aria-live="polite">
        {failure && <Alert type="error" showIcon title={failure} />}
        {checked ? (
          <>
            {checked.given !== undefined && (
              <Status
                tone={matches ? 'positive' : 'negative'}
                label={t(matches ? 'interface.matches' : 'interface.differs')}
              />
            )}
            <Raw title={t('interface.stringToSign')} text={checked.stringToSign} />
            <Raw title={t('interface.expected')} text={checked.expected} />
            {checked.given !== undefined && <Raw title={t('interface.given')} text={checked.given} />}
          </>
        ) : (
          !failure && <NothingYet text={t('interface.nothingChecked')} />
        )}
      </div>
    </div>
  );
}
