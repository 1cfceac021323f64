/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { user } from 'virtual:endpoints/user';
import { LOGIN } from '../navigation/guard.ts';
import { call } from './call.ts';
import { Field, focusField, typed } from './field.tsx';
import { SignInFrame, type SignInFrameProps } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

const FIELDS = ['password', 'passwordAgain', 'payPassword', 'payPasswordAgain'] as const;

/** The contract's rule. The contract's schemas are too large for this page. */
const isLongEnough = (password: string) =>
  password.length >= 8 && /\d/.test(password) && /\p{L}/u.test(password);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A user sets its two passwords by a link. The secret is in the fragment (after #) of the address, which no server and no log sees. */
export function SetPasswordsPage(frame: SignInFrameProps) {
  const { setPasswords: texts } = frame.texts;
  const [token] = useState(() => location.hash.slice(1));
  const [account, setAccount] = useState<string>();
  const [state, setState] = useState<'open' | 'ended' | 'done'>('open');
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    call(user.getPasswordLink, { token }).then(
      (link) => setAccount(link.account),
      () => setState('ended'),
    );
  }, [token]);

  const submit = async (form: HTMLFormElement) => {
    const [password, again, payPassword, payAgain] = FIELDS.map((name) => typed(form, name)) as [
      string,
      string,
      string,
      string,
    ];
    const problems = {
      ...(isLongEnough(password) ? {} : { password: texts.weak }),
      ...(again === password ? {} : { passwordAgain: texts.differs }),
      ...(isLongEnough(payPassword) ? {} : { payPassword: texts.weak }),
      ...(payAgain === payPassword ? {} : { payPasswordAgain: texts.differs }),
    };
    setWrong(problems);
    const first = FIELDS.find((name) => name in problems);
    if (first) {
      focusField(form, first);
      return;
    }
    if (busy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      await call(user.setPasswords, { token, password, payPassword });
      history.replaceState(null, '', location.pathname);
      setState('done');
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  const field = (name: (typeof FIELDS)[number], label: string, hint?: string) => (
    <Field name={name} label={label} error={wrong[name] ?? false} {...(hint ? { hint } : {})}>
      {(described) => <input {...described} type="password" autoComplete="new-password" maxLength={128} />}
    </Field>
  );
  const text = state === 'ended' ? texts.ended : state === 'done' ? texts.done : texts.why;
  return (
    <SignInFrame {...frame} title={texts.title} heading={texts.heading}>
      {(state === 'ended' || account !== undefined) && (
        <p className={styles['hint']} role="status">
          {text.replace('{{account}}', account ?? '')}
        </p>
      )}
      {state === 'open' && account !== undefined && (
        <form
          noValidate
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            void submit(event.currentTarget);
          }}
        >
          {refusal && (
            <p role="alert" className={styles['refusal']}>
              {refusal}
            </p>
          )}
          <input type="hidden" autoComplete="username" value={account} />
          {field('password', texts.password, texts.passwordHint)}
          {field('passwordAgain', texts.again)}
          {field('payPassword', texts.payPassword, texts.payPasswordHint)}
          {field('payPasswordAgain', texts.again)}
          <button type="submit" className={styles['submit']} aria-busy={busy}>
            {texts.submit}
          </button>
        </form>
      )}
      {state !== 'open' && (
        <a className={`${styles['plain']} ${styles['back']}`} href={LOGIN}>
          {texts.toSignIn}
        </a>
      )}
    </SignInFrame>
  );
}
