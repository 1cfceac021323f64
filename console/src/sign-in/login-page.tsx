import { Alert, Button, Form, Input } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import { CallError } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { session } from '../session/session.ts';
import { BINDING } from '../shell/guard.ts';
import { SignInFrame } from './sign-in-frame.tsx';

interface Credentials {
  readonly userName: string;
  readonly password: string;
  readonly googleCode?: string;
}

/** The token a refusal with 1006 carries: it opens only the binding of an authenticator. */
function bindingToken(error: unknown): string | undefined {
  if (!(error instanceof CallError) || error.code !== CODES.mustBind.code) return undefined;
  const { data } = error;
  return typeof data === 'object' && data !== null && 'token' in data && typeof data.token === 'string'
    ? data.token
    : undefined;
}

export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [form] = Form.useForm<Credentials>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  useEffect(() => {
    document.title = `${t('signIn.title')} · Sangam`;
  }, [t]);

  const submit = async ({ userName, password, googleCode }: Credentials) => {
    setBusy(true);
    setRefusal(undefined);
    const account = userName.trim();
    const code = googleCode?.trim();
    try {
      const { token } = await call(endpoints.user.login, {
        userName: account,
        password,
        ...(code ? { googleCode: code } : {}),
      });
      // The guard leads on from here.
      session.begin(token);
    } catch (error) {
      const token = bindingToken(error);
      if (token) {
        session.beginBinding({ account, token });
        void navigate(BINDING);
        return;
      }
      setRefusal(error instanceof Error ? error.message : String(error));
      form.resetFields(['googleCode']);
    } finally {
      setBusy(false);
    }
  };

  const notice = refusal ?? (session.hasExpired() ? t('codes.sessionExpired') : undefined);
  return (
    <SignInFrame heading={t('signIn.heading')}>
      <Form<Credentials>
        form={form}
        layout="vertical"
        size="large"
        requiredMark={false}
        onFinish={(credentials) => void submit(credentials)}
      >
        {notice && (
          <Alert type={refusal ? 'error' : 'info'} showIcon title={notice} style={{ marginBottom: 16 }} />
        )}
        <Form.Item
          name="userName"
          label={t('signIn.account')}
          rules={[{ required: true, whitespace: true, message: t('signIn.accountRequired') }]}
        >
          <Input autoFocus autoComplete="username" maxLength={64} spellCheck={false} autoCapitalize="off" />
        </Form.Item>
        <Form.Item
          name="password"
          label={t('signIn.password')}
          rules={[{ required: true, message: t('signIn.passwordRequired') }]}
        >
          <Input.Password autoComplete="current-password" maxLength={128} />
        </Form.Item>
        <Form.Item name="googleCode" label={t('signIn.googleCode')} extra={t('signIn.googleCodeHint')}>
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={8} />
        </Form.Item>
        <Button type="primary" htmlType="submit" block loading={busy}>
          {t('signIn.submit')}
        </Button>
      </Form>
    </SignInFrame>
  );
}
