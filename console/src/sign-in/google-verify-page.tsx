import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Form, Input, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { call } from '../http/client.ts';
import { session } from '../session/session.ts';
import { LOGIN } from '../shell/guard.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

/** Binds an authenticator during sign-in: the secret is shown once, the code proves it was taken over. */
export function GoogleVerifyPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [binding] = useState(session.binding);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const account = binding?.account ?? '';
  const options = { token: binding?.token ?? '' };

  useEffect(() => {
    document.title = `${t('binding.heading')} · Sangam`;
  }, [t]);

  // Each call makes a new secret and voids the one before, so it is asked for once.
  const secret = useQuery({
    queryKey: ['binding', options.token],
    queryFn: () => call(endpoints.user.bindUser, { userAccount: account }, options),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

  const confirm = async ({ googleCode }: { readonly googleCode: string }) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const { token } = await call(
        endpoints.user.confirmBind,
        { userAccount: account, googleCode: googleCode.trim() },
        options,
      );
      session.begin(token);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  const startAgain = () => {
    session.end('signedOut');
    void navigate(LOGIN);
  };
  const problem = refusal ?? secret.error?.message;

  return (
    <SignInFrame heading={t('binding.heading')}>
      <p className={styles['hint']}>{t('binding.hint', { account })}</p>
      {secret.data ? (
        <>
          <img
            className={styles['qr']}
            src={secret.data.qrCode}
            alt={t('binding.qrAlt')}
            width={184}
            height={184}
          />
          <div className={styles['secret']}>
            {t('binding.secret')}
            <code>
              <Copyable text={secret.data.secret} limit={40} />
            </code>
          </div>
        </>
      ) : (
        !secret.isError && <Skeleton active paragraph={{ rows: 5 }} />
      )}
      {problem && <Alert type="error" showIcon title={problem} style={{ marginBottom: 16 }} />}
      {secret.data && (
        <Form<{ googleCode: string }>
          layout="vertical"
          size="large"
          requiredMark={false}
          onFinish={(answer) => void confirm(answer)}
        >
          <Form.Item
            name="googleCode"
            label={t('signIn.googleCode')}
            rules={[{ required: true, pattern: /^\s*\d{6,8}\s*$/, message: t('binding.codeRequired') }]}
          >
            <Input autoFocus inputMode="numeric" autoComplete="one-time-code" maxLength={10} />
          </Form.Item>
          <Button type="primary" htmlType="submit" block loading={busy}>
            {t('binding.submit')}
          </Button>
        </Form>
      )}
      <Button type="link" className={styles['back'] ?? ''} onClick={startAgain}>
        {t('binding.startAgain')}
      </Button>
    </SignInFrame>
  );
}
