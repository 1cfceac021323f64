import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PayPage } from './api.ts';
import { formatAmount } from './amount.ts';
import { useLanguage } from './language.tsx';
import { webAddress } from './links.ts';
import { recall, remember } from './memory.ts';
import { StateIcon } from './state-icon.tsx';

const RETURN_AFTER_S = 5;

export function Paid({ token, page }: { token: string; page: PayPage }) {
  const { t } = useLanguage();
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused element (the UTR field) has left the page. Without this the keyboard focus would restart at the top.
  useEffect(() => heading.current?.focus(), []);
  const address = webAddress(page.returnUrl);
  return (
    <section class="card outcome">
      <StateIcon outcome="good" />
      <h1 ref={heading} tabIndex={-1}>
        {t('paid')}
      </h1>
      <p class="amount">{formatAmount(page.payParams?.payableAmount ?? page.amount, page.currency)}</p>
      {page.subject && <p class="subject">{page.subject}</p>}
      <p class="hint">{t('paidHint')}</p>
      <Receipt page={page} />
      {address !== undefined && <Return token={token} address={address} />}
    </section>
  );
}

/** The receipt that the payer keeps: the page itself, printed or saved as a file in the browser's print dialog. */
function Receipt({ page }: { page: PayPage }) {
  const { t } = useLanguage();
  const rows = [
    ['merchant', page.merchantName],
    ['orderCode', page.orderCode],
    ['utr', page.submittedUtr],
    ['paidAt', page.payTime === null ? null : `${page.payTime} IST`],
  ] as const;
  return (
    <>
      <dl class="receipt">
        {rows.map(
          ([key, value]) =>
            value !== null && (
              <div key={key} class="row">
                <dt>{t(key)}</dt>
                <dd class="value">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <button type="button" class="button quiet" onClick={() => print()}>
        {t('saveReceipt')}
      </button>
    </>
  );
}

/**
 * Returns to the merchant after a countdown that the payer can stop. Once per tab: otherwise the back button would lead to the
 * merchant again. Seconds count only while the page is visible, so that a payer who comes back from the UPI app still finds the
 * result here.
 */
function Return({ token, address }: { token: string; address: string }) {
  const { t } = useLanguage();
  const done = `sangam.returned.${token}`;
  const [seconds, setSeconds] = useState(() =>
    recall('tab', done) === undefined ? RETURN_AFTER_S : undefined,
  );
  const finish = useCallback((): void => {
    remember('tab', done, 'yes');
    setSeconds(undefined);
  }, [done]);

  useEffect(() => {
    if (seconds === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      if (seconds > 1) return setSeconds(seconds - 1);
      finish();
      location.assign(address);
    }, 1000);
    return () => clearInterval(timer);
  }, [seconds, address, finish]);

  return (
    <div class="return">
      <a class="button" href={address} onClick={finish}>
        {t('backToMerchant')}
      </a>
      {seconds !== undefined && (
        <>
          <p class="hint">{t('returning', { seconds: String(seconds) })}</p>
          <button type="button" class="button quiet" onClick={finish}>
            {t('stay')}
          </button>
        </>
      )}
    </div>
  );
}
