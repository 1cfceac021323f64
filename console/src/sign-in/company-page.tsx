/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { companySignIn as company } from 'virtual:endpoints/companySignIn';
import { CODES } from '@sangam/contract/codes.ts';
import { CallError } from '../http/call-error.ts';
import { HOME, LOGIN, PROFILE } from '../navigation/guard.ts';
import { visitThatEnds } from '../session/company-visit.ts';
import { signWithPasskey } from '../session/passkey.ts';
import { session } from '../session/session.ts';
import { bindInstead } from './binding-token.ts';
import { call } from './call.ts';
import { GoogleCodeField, googleCodeOf } from './field.tsx';
import { refusalText } from './refusal-text.ts';
import { SignInFrame, type SignInFrameProps } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

/** The request for a second factor (1009). */
interface Asked {
  readonly ticket: string;
  readonly code: boolean;
  readonly options?: unknown;
  /** The server's text, in the reader's language. */
  readonly hint: string;
}

type Confirmation = NonNullable<typeof company.confirmCompanySignIn.types>['input'];

const enter = (token: string) => {
  session.begin(token);
  location.replace(HOME);
};

/** The page that the company's identity service redirects to. It signs the user in, or links the signed-in user. */
export function CompanyPage(frame: SignInFrameProps) {
  const { signIn: texts } = frame.texts;
  const [query] = useState(() => location.search.slice(1));
  const [asked, setAsked] = useState<Asked>();
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);

  const refuse = (error: unknown) => {
    if (bindInstead(error)) return;
    setRefusal(refusalText(error, texts));
  };

  useEffect(() => {
    const visit = visitThatEnds(query);
    // The code works once, and must not stay in the browser's history.
    history.replaceState(history.state, '', location.pathname);
    if (!visit) {
      setRefusal(texts.companyElsewhere);
      return;
    }
    const input = { state: visit.state, query };
    if (visit.links) call(company.linkIdentity, input).then(() => location.replace(PROFILE), refuse);
    else
      call(company.companySignIn, input).then(
        ({ token }) => enter(token),
        (error: unknown) => {
          if (error instanceof CallError && error.code === CODES.secondFactorNeeded.code)
            setAsked({ ...(error.data as Omit<Asked, 'hint'>), hint: error.message });
          else refuse(error);
        },
      );
    // oxlint-disable-next-line react/exhaustive-deps -- one answer, once
  }, []);

  const confirm = async (factor: () => Promise<Omit<Confirmation, 'ticket'>>) => {
    if (busy || !asked) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      const { token } = await call(company.confirmCompanySignIn, {
        ticket: asked.ticket,
        ...(await factor()),
      });
      enter(token);
    } catch (error) {
      refuse(error);
    } finally {
      setBusy(false);
    }
  };
  const byPasskey = async () => ({
    passkey: (await signWithPasskey(asked!.options)) as NonNullable<Confirmation['passkey']>,
  });

  return (
    <SignInFrame {...frame} title={texts.title} heading={texts.heading}>
      {refusal && (
        <p role="alert" className={styles['refusal']}>
          {refusal}
        </p>
      )}
      {asked && (
        <div className={styles['form']}>
          <p className={styles['hint']}>{asked.hint}</p>
          {asked.code && (
            <form
              noValidate
              className={styles['form']}
              onSubmit={(event) => {
                event.preventDefault();
                const googleCode = googleCodeOf(event.currentTarget);
                if (googleCode) void confirm(() => Promise.resolve({ googleCode }));
              }}
            >
              <GoogleCodeField label={texts.googleCode} />
              <button type="submit" className={styles['submit']} aria-busy={busy}>
                {texts.submit}
              </button>
            </form>
          )}
          {asked.options !== undefined && (
            <button type="button" className={styles['other']} onClick={() => void confirm(byPasskey)}>
              {texts.withPasskey}
            </button>
          )}
        </div>
      )}
      {(refusal || asked) && (
        <a className={`${styles['plain']} ${styles['back']}`} href={LOGIN}>
          {texts.back}
        </a>
      )}
    </SignInFrame>
  );
}
