import { useEffect, useRef, useState, type FormEvent, type InputHTMLAttributes, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import { CallError } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { session } from '../session/session.ts';
import { BINDING } from '../shell/guard.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

interface Credentials {
  readonly userName: string;
  readonly password: string;
  readonly googleCode: string;
}

/** The token a refusal with 1006 carries: it opens only the binding of an authenticator. */
function bindingToken(error: unknown): string | undefined {
  if (!(error instanceof CallError) || error.code !== CODES.mustBind.code) return undefined;
  const { data } = error;
  return typeof data === 'object' && data !== null && 'token' in data && typeof data.token === 'string'
    ? data.token
    : undefined;
}

/** The first page of all, and the only one without antd: it is there before the rest has begun to load. */
export function LoginPage({ onTyping }: { readonly onTyping: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const codeField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    document.title = `${t('signIn.title')} · Sangam`;
  }, [t]);

  const submit = async ({ userName, password, googleCode }: Credentials) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const { token } = await call(endpoints.user.login, {
        userName,
        password,
        ...(googleCode ? { googleCode } : {}),
      });
      // The guard leads on from here.
      session.begin(token);
    } catch (error) {
      const token = bindingToken(error);
      if (token) {
        session.beginBinding({ account: userName, token });
        void navigate(BINDING);
        return;
      }
      setRefusal(error instanceof Error ? error.message : String(error));
      if (codeField.current) codeField.current.value = '';
    } finally {
      setBusy(false);
    }
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const field = (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    };
    const credentials = {
      userName: field('userName').trim(),
      password: field('password'),
      googleCode: field('googleCode').trim(),
    };
    const left = (['userName', 'password'] as const).filter((name) => credentials[name] === '');
    setMissing(new Set(left));
    if (left[0]) event.currentTarget.querySelector<HTMLInputElement>(`[name=${left[0]}]`)?.focus();
    else if (!busy) void submit(credentials);
  };

  const notice = refusal ?? (session.hasExpired() ? t('codes.sessionExpired') : undefined);
  return (
    <SignInFrame heading={t('signIn.heading')}>
      <form noValidate className={styles['form']} onSubmit={onSubmit} onInput={onTyping}>
        {notice && (
          <p role="alert" className={refusal ? styles['refusal'] : styles['notice']}>
            {notice}
          </p>
        )}
        <Field
          name="userName"
          label={t('signIn.account')}
          error={missing.has('userName') && t('signIn.accountRequired')}
        >
          {(described) => (
            <input
              {...described}
              autoFocus
              autoComplete="username"
              maxLength={64}
              spellCheck={false}
              autoCapitalize="off"
            />
          )}
        </Field>
        <Field
          name="password"
          label={t('signIn.password')}
          error={missing.has('password') && t('signIn.passwordRequired')}
        >
          {(described) => (
            <input {...described} type="password" autoComplete="current-password" maxLength={128} />
          )}
        </Field>
        <Field name="googleCode" label={t('signIn.googleCode')} hint={t('signIn.googleCodeHint')}>
          {(described) => (
            <input
              {...described}
              ref={codeField}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={8}
            />
          )}
        </Field>
        <button type="submit" className={styles['submit']} aria-busy={busy}>
          {t('signIn.submit')}
        </button>
      </form>
    </SignInFrame>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | false;
  readonly children: (described: InputHTMLAttributes<HTMLInputElement>) => ReactNode;
}

function Field({ name, label, hint, error, children }: FieldProps) {
  const told = error || hint;
  return (
    <div className={styles['field']}>
      <label htmlFor={name}>{label}</label>
      {children({
        id: name,
        name,
        'aria-invalid': Boolean(error),
        ...(told ? { 'aria-describedby': `${name}-told` } : {}),
      })}
      {told && (
        <span id={`${name}-told`} className={error ? styles['wrong'] : styles['told']}>
          {told}
        </span>
      )}
    </div>
  );
}
