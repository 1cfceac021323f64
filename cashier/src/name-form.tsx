import { useState } from 'preact/hooks';
import { CODES } from '@sangam/contract/codes.ts';
import { submitName } from './api.ts';
import { useLanguage } from './language.tsx';

interface NameFormProps {
  readonly token: string;
  readonly onSubmitted: () => void;
}

/** Asks for the name of the payer's wallet before the account is shown, because the payment is recognised by that name. */
export function NameForm({ token, onSubmitted }: NameFormProps) {
  const { t } = useLanguage();
  const [name, setName] = useState('');
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<'nameEmpty' | 'nameFailed' | 'nameRefused'>();

  const send = async (): Promise<void> => {
    if (name.trim() === '') return setProblem('nameEmpty');
    setSending(true);
    const result = await submitName(token, name.trim(), document.documentElement.lang);
    setSending(false);
    if (result.kind === 'unreachable') setProblem('nameFailed');
    else if (result.kind === 'refused' && result.code === CODES.nameBlacklisted.code)
      setProblem('nameRefused');
    // Any other refusal means that the name is no longer asked for. The page then shows the order's present state.
    else onSubmitted();
  };

  return (
    <section class="card" aria-labelledby="name-heading">
      <h2 id="name-heading">{t('nameHeading')}</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending) void send();
        }}
      >
        <label for="payer-name">{t('nameLabel')}</label>
        <input
          id="payer-name"
          autocomplete="name"
          maxLength={128}
          value={name}
          onInput={({ currentTarget }) => {
            setName(currentTarget.value);
            setProblem(undefined);
          }}
          aria-invalid={problem === 'nameEmpty' || problem === 'nameRefused'}
          aria-describedby="name-problem name-hint"
        />
        <p id="name-problem" class="problem" role="alert">
          {problem && t(problem)}
        </p>
        <p id="name-hint" class="hint">
          {t('nameHint')}
        </p>
        <button type="submit" class="button" aria-disabled={sending}>
          {t(sending ? 'sending' : 'nameSend')}
        </button>
      </form>
    </section>
  );
}
