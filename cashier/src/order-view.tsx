import { formatMinor } from '@sangam/contract/money.ts';
import { useEffect } from 'preact/hooks';
import { amountParts, formatAmount } from './amount.ts';
import type { PayPage } from './api.ts';
import { CountdownClock, usePast } from './countdown-clock.tsx';
import { Copyable } from './copyable.tsx';
import { DemoBank } from './demo-bank.tsx';
import { useLanguage } from './language.tsx';
import { webAddress } from './links.ts';
import { Outcome, Working } from './outcome.tsx';
import { stageOf, type OrderState } from './page-state.ts';
import { Paid } from './paid.tsx';
import { NameForm } from './name-form.tsx';
import { PayDetails } from './pay-details.tsx';
import { PictureForm } from './picture-form.tsx';
import { UtrForm } from './utr-form.tsx';
import type { UtrKind } from './utr.ts';

interface OrderViewProps {
  readonly token: string;
  readonly order: OrderState;
  readonly refresh: () => void;
  readonly onSubmitted: (utr: string) => void;
}

export function OrderView({ token, order, refresh, onSubmitted }: OrderViewProps) {
  const { t } = useLanguage();
  const { page, deadline } = order;
  const past = usePast(deadline);
  const stage = stageOf(page, past);
  // The gateway itself reports which order was paid, so the payer has nothing to type or copy.
  const isHosted = page.channel === 'gateway';
  /** A payer who has said 'I have paid' must not be asked to pay again. */
  const isChecking = stage === 'waiting' && page.submittedUtr !== null && !isHosted;
  const over = stage === 'timedOut' && page.state === 'waiting';
  useEffect(() => {
    if (over) refresh();
  }, [over, refresh]);
  useEffect(() => {
    const said = isChecking ? t('checking') : stage === 'waiting' ? undefined : t(stage);
    document.title = said === undefined ? t('title') : `${said} · ${t('title')}`;
  }, [stage, isChecking, t]);
  const toPay = (
    <>
      {stage === 'waiting' && !page.needsName && <AmountToPay page={page} deadline={deadline} />}
      {stage === 'waiting' && page.payParams && (!isHosted || page.payParams.hostedUrl !== undefined) && (
        <PayDetails
          token={token}
          productId={page.productId}
          payParams={page.payParams}
          qrVersion={page.qrVersion}
        />
      )}
    </>
  );

  return (
    <div class={stage === 'waiting' && !page.needsName && !isChecking ? 'order columns' : 'order'}>
      <p class="unseen" role="status">
        {t(isChecking ? 'checking' : stage)}
      </p>
      {order.detailsChanged && stage === 'waiting' && (
        <p class="notice warning" role="alert">
          {t('detailsChanged')}
        </p>
      )}
      {stage === 'paid' && <Paid token={token} page={page} />}
      {stage === 'preparing' && <Working title={t('preparing')} hint={t('preparingHint')} />}
      {stage === 'failed' && (
        <Outcome kind="bad" title={t('failed')} hint={t('failedHint')}>
          <BackToMerchant returnUrl={page.returnUrl} />
        </Outcome>
      )}
      {stage === 'reversed' && (
        <Outcome kind="bad" title={t('reversed')} hint={t('reversedHint')}>
          <BackToMerchant returnUrl={page.returnUrl} />
        </Outcome>
      )}
      {stage === 'timedOut' && (
        <Outcome kind="late" title={t('timedOut')} hint={t('timedOutHint')}>
          <BackToMerchant returnUrl={page.returnUrl} />
        </Outcome>
      )}
      {!isChecking && toPay}
      {stage === 'waiting' && isHosted && !page.payParams?.hostedUrl && (
        <Working title={t('hostedPreparing')} />
      )}
      {stage === 'waiting' && page.needsName && <NameForm token={token} onSubmitted={refresh} />}
      {isChecking && (
        <section class="card head">
          <PaymentHead page={page} />
          <p class="amount">{formatAmount(payableOf(page), page.currency)}</p>
          <p class="notice warning">{t('dontPayAgain')}</p>
        </section>
      )}
      {((stage === 'waiting' && !page.needsName) || stage === 'timedOut') && !isHosted && (
        <UtrForm
          token={token}
          kind={kindOf(page.channel)}
          submittedUtr={page.submittedUtr}
          onSubmitted={onSubmitted}
        />
      )}
      {isChecking && (
        <details class="card folded">
          <summary>{t('showPayment')}</summary>
          {toPay}
        </details>
      )}
      {page.demoBank && stage === 'waiting' && !isChecking && <DemoBank token={token} />}
      {page.takesPicture && !page.needsName && (stage === 'waiting' || stage === 'timedOut') && (
        <PictureForm token={token} onSubmitted={refresh} />
      )}
      <footer>
        <p>
          {t('orderCode')} <span class="value">{page.orderCode}</span>
        </p>
        {page.contactInfo && <p class="contact">{t('help', { contact: page.contactInfo })}</p>}
      </footer>
    </div>
  );
}

/** The kind of reference that the payer is asked for. */
function kindOf(channel: string): UtrKind {
  if (channel === 'usdt' || channel === 'mpesa') return channel;
  return channel === 'upi' || channel === 'wallet' ? 'upi' : 'bank';
}

function AmountToPay({ page, deadline }: { page: PayPage; deadline: number }) {
  const { t } = useLanguage();
  const payable = payableOf(page);
  const floated = payable !== page.amount;
  const { whole, fraction, suffix } = amountParts(payable, page.currency);
  return (
    <section class="card head">
      <PaymentHead page={page} />
      <h1>{t('amountToPay')}</h1>
      <p class="amount">
        <Copyable name={t('amount')} text={formatMinor(payable, page.currency)}>
          {whole}
          <span class={floated ? 'fraction stressed' : 'fraction'}>{fraction}</span>
          {suffix}
        </Copyable>
      </p>
      <p class={floated ? 'exact stressed' : 'exact'}>
        {floated
          ? t('exactAmountInstead', { asked: formatAmount(page.amount, page.currency) })
          : t('exactAmount')}
      </p>
      <CountdownClock deadline={deadline} />
      <p class="live">
        <strong>
          <span class="pulse" aria-hidden="true" /> {t('waiting')}
        </strong>
        {t('waitingHint')}
      </p>
    </section>
  );
}

const payableOf = ({ payParams, amount }: PayPage): number => payParams?.payableAmount ?? amount;

/** The merchant's name, and what the payment is for. */
function PaymentHead({ page: { merchantName, subject } }: { page: PayPage }) {
  return (
    <>
      <p class="merchant">{merchantName}</p>
      {subject && <p class="subject">{subject}</p>}
    </>
  );
}

function BackToMerchant({ returnUrl }: { returnUrl: string | null }) {
  const { t } = useLanguage();
  const address = webAddress(returnUrl);
  return address === undefined ? null : (
    <a class="button quiet" href={address}>
      {t('backToMerchant')}
    </a>
  );
}
