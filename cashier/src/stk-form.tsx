import { useState } from 'preact/hooks';
import { askPhone } from './api.ts';
import { useLanguage } from './language.tsx';

type Said = 'stkAsked' | 'stkWrongPhone' | 'stkJustNow' | 'stkFailed';

/** A Kenyan mobile number, however it is written. */
const PHONE = /^(?:\+?254|0)?[17]\d{8}$/;

/** The form for an M-Pesa payment request. The payer enters the PIN on the phone. */
export function StkForm({ token }: { token: string }) {
  const { t } = useLanguage();
  const [phone, setPhone] = useState('');
  const [sending, setSending] = useState(false);
  const [said, setSaid] = useState<Said>();

  const send = async (): Promise<void> => {
    if (!PHONE.test(phone.replace(/[\s-]/g, ''))) return setSaid('stkWrongPhone');
    setSending(true);
    const result = await askPhone(token, phone, document.documentElement.lang);
    setSending(false);
    setSaid(
      result.kind === 'accepted'
        ? 'stkAsked'
        : result.kind === 'refused' && result.code === 409
          ? 'stkJustNow'
          : 'stkFailed',
    );
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending) void send();
      }}
    >
      <label for="stk-phone">{t('stkLabel')}</label>
      <input
        id="stk-phone"
        type="tel"
        inputmode="tel"
        autocomplete="tel"
        placeholder="0712 345 678"
        value={phone}
        onInput={({ currentTarget }) => setPhone(currentTarget.value)}
        aria-invalid={said === 'stkWrongPhone'}
        aria-describedby="stk-said"
      />
      <p id="stk-said" class={said === 'stkAsked' ? 'hint' : 'problem'} role="status">
        {said ? t(said) : ''}
      </p>
      <button type="submit" class="button" aria-disabled={sending}>
        {t(sending ? 'sending' : 'stkSend')}
      </button>
    </form>
  );
}
