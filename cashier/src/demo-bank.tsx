import { DEMO_PAYMENTS, type DemoPaymentKind } from '@sangam/contract/demo-payments.ts';
import { useState } from 'preact/hooks';
import { payInDemo } from './api.ts';
import { useLanguage } from './language.tsx';

/** The bank of the demo: a visitor who tries Sangam plays the payer here. */
export function DemoBank({ token }: { token: string }) {
  const { t } = useLanguage();
  const [sending, setSending] = useState(false);
  const [said, setSaid] = useState<'demoBankPaid' | 'demoBankAway'>();
  const pay = async (how: DemoPaymentKind): Promise<void> => {
    setSending(true);
    const { kind } = await payInDemo(token, how, document.documentElement.lang);
    setSaid(kind === 'accepted' ? 'demoBankPaid' : 'demoBankAway');
    setSending(false);
  };
  return (
    <section class="card after demo" aria-labelledby="demo-heading">
      <h2 id="demo-heading">{t('demoBank')}</h2>
      <p class="hint">{t('demoBankHint')}</p>
      {DEMO_PAYMENTS.map((how) => (
        <button key={how} type="button" class="button quiet" disabled={sending} onClick={() => void pay(how)}>
          {t(`demoBank_${how}`)}
        </button>
      ))}
      <p class="hint" role="status">
        {said ? t(said) : ''}
      </p>
    </section>
  );
}
