import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { useLanguage } from './language.tsx';

const SHOWN_MS = 2500;

interface CopyableProps {
  /** What the value is, for the button's name: `Copy IFSC`. */
  readonly name: string;
  /** What lands on the clipboard; an amount is shown grouped but copied as plain digits. */
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** A value and its copy button. Where copying is impossible the value is selected, ready for the payer's own copy. */
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

/** An address is broken after its @, before it is broken anywhere. */
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
