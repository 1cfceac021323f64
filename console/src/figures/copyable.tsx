import { App } from 'antd';
import { useEffect, useState, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './figures.module.css';
import { middleCut } from './middle-cut.ts';

const SHOWN_DONE_MS = 1500;

interface CopyableProps {
  readonly text: string | null | undefined;
  /** Longest text that is shown in full. The copy is always the full text. */
  readonly limit?: number;
  readonly onOpen?: () => void;
}

export function Copyable({ text, limit = 18, onOpen }: CopyableProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_DONE_MS);
    return () => clearTimeout(timer);
  }, [done]);
  if (!text) return <span className={styles['absent']}>–</span>;
  const copy = async (event: MouseEvent) => {
    event.stopPropagation();
    try {
      // The browser may refuse; on a page without TLS there is no clipboard at all.
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      message.error(t('figures.notCopied'));
    }
  };
  const shown = middleCut(text, limit);
  return (
    <span className={styles['copyable']}>
      {onOpen ? (
        <button
          type="button"
          className={styles['link']}
          title={text}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
          {shown}
        </button>
      ) : (
        <span title={text}>{shown}</span>
      )}
      <button
        type="button"
        className={[styles['copy'], done && styles['copied']].filter(Boolean).join(' ')}
        aria-label={t('figures.copy', { text })}
        onClick={(event) => void copy(event)}
      />
      {done && (
        <span role="status" className="unseen">
          {t('figures.copied')}
        </span>
      )}
    </span>
  );
}
