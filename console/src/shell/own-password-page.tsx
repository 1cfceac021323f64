import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useFieldForm } from '../dialogs/field-form.tsx';
import { useSend } from '../http/use-send.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './shell.module.css';
import { signOut } from './sign-out.ts';

/** Before anything else for a user whose password somebody else has set. */
export function OwnPasswordPage() {
  const { t } = useTranslation();
  const { account, user_id } = useViewer();
  const send = useSend(endpoints.user.getInfo);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { form, submit } = useFieldForm([
    { name: 'oldPassword', label: t('profile.oldPassword'), kind: 'password', required: true },
    {
      name: 'newPassword',
      label: t('profile.newPassword'),
      hint: t('people.passwordHint'),
      kind: 'password',
      required: true,
    },
    { name: 'repeated', label: t('ownPassword.repeat'), kind: 'password', required: true },
  ]);
  const change = async () => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await submit(async ({ oldPassword, newPassword, repeated }) => {
        if (newPassword !== repeated) throw new Error(t('ownPassword.differs'));
        const input = { oldPassword: oldPassword as string, newPassword: newPassword as string };
        await send(endpoints.user.replacePassword, input, t('people.saved'));
      });
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className={styles['ownPassword']}>
      <h1>{t('ownPassword.title')}</h1>
      <p>
        <strong>{account}</strong> · {t('ownPassword.why')}
      </p>
      {form}
      {refusal && <Alert type="error" showIcon title={refusal} />}
      <div className={styles['ownPasswordButtons']}>
        <Button type="primary" loading={busy} onClick={() => void change()}>
          {t('ownPassword.ok')}
        </Button>
        <Button onClick={() => signOut(user_id)}>{t('shell.signOut')}</Button>
      </div>
    </main>
  );
}
