import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { useLanguage } from './language.tsx';

const SHOWN_MS = 2500;

interface CopyableProps {
  /** The name of the value, for the button's label: `Copy IFSC`. */
  readonly name: string;
  /** The copied text. An amount is shown grouped but copied as plain digits. */
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** A value with a copy button. Where copying is impossible, the value is selected, so that the payer can copy it by hand. */
export function Copyable({ name, text, children = breakable(text) }: CopyableProps) {
  const { t } = useLanguage();
  const value = useRef<HTMLSpanElement>(null);
  const [result, setResult] = useState<'copied' | 'copyFailed'>();

  useEffect(() => {
    if (!result) return undefined;
    const timer = setTimeout(() => setResult(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = async (): Promise<void> => {
    const copied = await copyText(text);
    if (!copied && value.current) getSelection()?.selectAllChildren(value.current);
    setResult(copied ? 'copied' : 'copyFailed');
  };

  return (
    <span class="copyable">
      <span class="value" ref={value}>
        {children}
      </span>
      <button type="button" class="copy" aria-label={t('copyName', { name })} onClick={() => void copy()}>
        {t(result ?? 'copy')}
      </button>
      <span class="unseen" role="status">
        {result ? t(result) : ''}
      </span>
    </span>
  );
}

/** A payment address may break after its @, before it breaks anywhere else. */
function breakable(text: string) {
  const at = text.indexOf('@') + 1;
  return at === 0 ? (
    text
  ) : (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}
