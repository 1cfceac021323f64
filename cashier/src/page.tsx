import { useEffect } from 'preact/hooks';
import { LanguageSwitch, useLanguage } from './language.tsx';
import mark from './mark.svg';
import { OrderView } from './order-view.tsx';
import { Outcome, Working } from './outcome.tsx';
import { useOnline } from './use-online.ts';
import { useOrder } from './use-order.ts';

/** One lost poll is common on a moving phone, and the next one succeeds. After two the payer is warned. */
const FAILURES_WORTH_TELLING = 2;

export function Page({ token }: { token: string }) {
  const { t } = useLanguage();
  const { state, refresh, submitted } = useOrder(token);
  const online = useOnline();
  const settled = state.kind === 'order' && state.page.state === 'paid';
  const trouble = settled
    ? undefined
    : !online
      ? 'offline'
      : state.failures >= FAILURES_WORTH_TELLING
        ? 'connectionLost'
        : undefined;
  useEffect(() => {
    if (state.kind !== 'order') document.title = t('title');
  }, [state.kind, t]);

  return (
    <>
      <header>
        <img src={mark} alt="" width="28" height="28" />
        <span class="brand">{t('title')}</span>
        <LanguageSwitch />
      </header>
      <main>
        <div role="status">
          {state.kind === 'order' && trouble && <p class="notice warning">{t(trouble)}</p>}
        </div>
        {state.kind === 'loading' && <Working title={t('loading')} />}
        {state.kind === 'unknown' && <Outcome kind="bad" title={t('unknown')} hint={t('unknownHint')} />}
        {state.kind === 'closed' && <Outcome kind="late" title={t('closed')} hint={t('closedHint')} />}
        {state.kind === 'barred' && <Outcome kind="bad" title={t('barred')} hint={t('barredHint')} />}
        {state.kind === 'unreachable' && (
          <Outcome kind="bad" title={t('unreachable')} hint={t(online ? 'unreachableHint' : 'offline')}>
            <button type="button" class="button" onClick={refresh}>
              {t('tryAgain')}
            </button>
          </Outcome>
        )}
        {state.kind === 'order' && (
          <OrderView token={token} order={state} refresh={refresh} onSubmitted={submitted} />
        )}
      </main>
    </>
  );
}
