import { looksLikeUpi } from '@sangam/contract/references.ts';
import { useRef, useState } from 'preact/hooks';
import { submitUtr } from './api.ts';
import { useLanguage } from './language.tsx';
import type { Translate } from './locale.ts';
import { recall, remember } from './memory.ts';
import { normaliseUtr, type UtrKind, utrProblem } from './utr.ts';

const HINTS = {
  upi: 'utrHintUpi',
  bank: 'utrHintBank',
  usdt: 'utrHintUsdt',
  mpesa: 'utrHintMpesa',
} as const satisfies Record<UtrKind, string>;

interface UtrFormProps {
  readonly token: string;
  readonly kind: UtrKind;
  readonly submittedUtr: string | null;
  readonly onSubmitted: (utr: string) => void;
}

/** 'I have paid': accepts the payer's UTR, shows it and lets the payer correct it. The input survives a reload. */
export function UtrForm({ token, kind, submittedUtr, onSubmitted }: UtrFormProps) {
  const { t } = useLanguage();
  const draft = `sangam.utr.${token}`;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(() => recall('tab', draft) ?? '');
  const [correcting, setCorrecting] = useState(false);
  const [sending, setSending] = useState(false);
  /** A function, so that the text changes with the language. */
  const [problem, setProblem] = useState<{ say: (t: Translate) => string }>();
  /** An unusual UTR that the payer was asked to check. Sending it again submits it. */
  const [doubted, setDoubted] = useState<string>();

  const type = (text: string): void => {
    setTyped(text);
    remember('tab', draft, text);
    setProblem(undefined);
  };
  const object = (say: (t: Translate) => string): void => {
    setProblem({ say });
    input.current?.focus();
  };

  const submit = async (): Promise<void> => {
    const utr = normaliseUtr(typed);
    const wrong = utrProblem(utr, kind);
    if (wrong) return object((translate) => translate(wrong));
    if (kind === 'upi' && !looksLikeUpi(utr) && doubted !== utr) {
      setDoubted(utr);
      return object((translate) => translate('utrNotUpi', { length: String(utr.length) }));
    }
    setSending(true);
    const result = await submitUtr(token, utr, document.documentElement.lang);
    setSending(false);
    switch (result.kind) {
      case 'accepted':
        type('');
        setCorrecting(false);
        return onSubmitted(utr);
      case 'unreachable':
        return object((translate) => translate('sendFailed'));
      case 'refused':
        return object((translate) => refusal(result.code, result.msg, translate));
    }
  };

  if (submittedUtr !== null && !correcting) {
    return (
      <section class="card after" aria-labelledby="utr-heading">
        <h2 id="utr-heading">{t('checking')}</h2>
        <p>
          {t('utr')} <span class="value">{submittedUtr}</span>
        </p>
        <p class="hint">{t('waitingHint')}</p>
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            type(submittedUtr);
            setCorrecting(true);
          }}
        >
          {t('correctUtr')}
        </button>
      </section>
    );
  }

  return (
    <section class="card after" aria-labelledby="utr-heading">
      <h2 id="utr-heading">{t('afterPaying')}</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending) void submit();
        }}
      >
        <label for="utr">
          {t(kind === 'usdt' ? 'utrLabelUsdt' : kind === 'mpesa' ? 'utrLabelMpesa' : 'utrLabel')}
        </label>
        <input
          id="utr"
          ref={input}
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          enterkeyhint="send"
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? 'utr-problem utr-hint' : 'utr-hint'}
        />
        <p id="utr-problem" class="problem" role="alert">
          {problem?.say(t)}
        </p>
        <p id="utr-hint" class="hint">
          {t(HINTS[kind])}
        </p>
        <button type="submit" class="button" aria-disabled={sending}>
          {t(sending ? 'sending' : 'iHavePaid')}
        </button>
        {correcting && (
          <button type="button" class="button quiet" onClick={() => setCorrecting(false)}>
            {t('keepUtr')}
          </button>
        )}
      </form>
    </section>
  );
}

function refusal(code: number, reason: string, t: Translate): string {
  switch (code) {
    case 1204:
      return t('utrUsed');
    case 400:
      return t('utrInvalid');
    case 429:
      return t('tooMany');
    default:
      return t('refused', { reason });
  }
}
