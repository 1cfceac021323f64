/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import { user } from 'virtual:endpoints/user';
import { CODES } from '@sangam/contract/codes.ts';
import { CallError } from '../http/call-error.ts';
import { signWithPasskey } from '../session/passkey.ts';
import { session } from '../session/session.ts';
import { bindInstead } from './binding-token.ts';
import { call } from './call.ts';
import { CompanyButton } from './company-button.tsx';
import { Field, focusField, GoogleCodeField, googleCodeOf, typed } from './field.tsx';
import { refusalText } from './refusal-text.ts';
import { SignInFrame, type SignInFrameProps } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

const NEEDED = ['userName', 'password'] as const;

/** The options for the browser's question about a passkey, from refusal 1007. */
function passkeyOptions(error: unknown): unknown {
  if (!(error instanceof CallError) || error.code !== CODES.passkeyNeeded.code) return undefined;
  return (error.data as { readonly options?: unknown } | undefined)?.options;
}

type Credentials = NonNullable<typeof user.login.types>['input'];

/** Signs in, with a passkey where the server asks for one. */
async function signIn(credentials: Credentials): Promise<{ readonly token: string }> {
  try {
    return await call(user.login, credentials);
  } catch (error) {
    const options = passkeyOptions(error);
    if (options === undefined) throw error;
    const passkey = (await signWithPasskey(options)) as NonNullable<Credentials['passkey']>;
    return call(user.login, { ...credentials, passkey });
  }
}

/** The sign-in page. `onTyping` is called when the user begins to type. */
export function LoginPage({ onTyping, ...frame }: SignInFrameProps & { readonly onTyping: () => void }) {
  const { signIn: texts, sessionExpired } = frame.texts;
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (form.current) focusField(form.current, 'userName');
  }, []);

  const submit = async (of: HTMLFormElement) => {
    const userName = typed(of, 'userName').trim();
    const password = typed(of, 'password');
    const googleCode = googleCodeOf(of);
    const left = NEEDED.filter((name) => (name === 'userName' ? userName : password) === '');
    setMissing(left);
    if (left[0]) {
      focusField(of, left[0]);
      return;
    }
    if (busy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      const { token } = await signIn({ userName, password, ...(googleCode ? { googleCode } : {}) });
      session.begin(token);
    } catch (error) {
      if (bindInstead(error)) return;
      setRefusal(refusalText(error, texts));
      of.querySelector<HTMLInputElement>('[name=googleCode]')!.value = '';
    } finally {
      setBusy(false);
    }
  };

  const notice = refusal ?? (session.hasExpired() ? sessionExpired : undefined);
  return (
    <SignInFrame {...frame} title={texts.title} heading={texts.heading}>
      <form
        ref={form}
        noValidate
        className={styles['form']}
        onInput={onTyping}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {notice && (
          <p role="alert" className={refusal ? styles['refusal'] : styles['notice']}>
            {notice}
          </p>
        )}
        <Field
          name="userName"
          label={texts.account}
          error={missing.includes('userName') && texts.accountRequired}
        >
          {(described) => (
            <input
              {...described}
              autoComplete="username"
              maxLength={64}
              spellcheck={false}
              autoCapitalize="off"
            />
          )}
        </Field>
        <Field
          name="password"
          label={texts.password}
          error={missing.includes('password') && texts.passwordRequired}
        >
          {(described) => (
            <input {...described} type="password" autoComplete="current-password" maxLength={128} />
          )}
        </Field>
        <GoogleCodeField label={texts.googleCode} hint={texts.googleCodeHint} />
        <button type="submit" className={styles['submit']} aria-busy={busy}>
          {texts.submit}
        </button>
        <CompanyButton text={texts.withCompany} onRefusal={setRefusal} />
      </form>
    </SignInFrame>
  );
}
