/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { user } from 'virtual:endpoints/user';
import { session } from '../session/session.ts';
import { call } from './call.ts';
import { GoogleCodeField, googleCodeOf } from './field.tsx';
import { SignInFrame, type SignInFrameProps } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

interface Secret {
  readonly secret: string;
  readonly qrCode: string;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Binds an authenticator during sign-in. The secret is shown once; a code proves that the user has stored it. */
export function BindingPage(frame: SignInFrameProps) {
  const { binding: texts, signIn, figures } = frame.texts;
  const [{ account, token } = { account: '', token: '' }] = useState(session.binding);
  const [secret, setSecret] = useState<Secret>();
  const [copied, setCopied] = useState(false);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  // Each call makes a new secret and voids the previous one, so it is called once.
  useEffect(() => {
    call(user.bindUser, { userAccount: account }, { token }).then(setSecret, (error: unknown) =>
      setRefusal(messageOf(error)),
    );
  }, [account, token]);

  const confirm = async (form: HTMLFormElement) => {
    const googleCode = googleCodeOf(form);
    const isCode = /^\d{6,8}$/.test(googleCode);
    setMissing(!isCode);
    if (!isCode || busy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      const { token: full } = await call(user.confirmBind, { userAccount: account, googleCode }, { token });
      session.begin(full);
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <SignInFrame {...frame} title={texts.heading} heading={texts.heading}>
      <p className={styles['hint']}>{texts.hint.replace('{{account}}', account)}</p>
      {secret && (
        <>
          <img className={styles['qr']} src={secret.qrCode} alt={texts.qrAlt} width={184} height={184} />
          <div className={styles['secret']}>
            {texts.secret}
            <code>{secret.secret}</code>
            <button
              type="button"
              className={styles['plain']}
              onClick={() => void navigator.clipboard.writeText(secret.secret).then(() => setCopied(true))}
            >
              {copied ? figures.copied : figures.copy.replace('{{text}}', '').trim()}
            </button>
          </div>
        </>
      )}
      {refusal && (
        <p role="alert" className={styles['refusal']}>
          {refusal}
        </p>
      )}
      {secret && (
        <form
          noValidate
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            void confirm(event.currentTarget);
          }}
        >
          <GoogleCodeField label={signIn.googleCode} error={missing && texts.codeRequired} />
          <button type="submit" className={styles['submit']} aria-busy={busy}>
            {texts.submit}
          </button>
        </form>
      )}
      <button
        type="button"
        className={`${styles['plain']} ${styles['back']}`}
        onClick={() => session.end('signedOut')}
      >
        {texts.startAgain}
      </button>
    </SignInFrame>
  );
}
