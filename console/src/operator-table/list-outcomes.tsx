import { Button } from 'antd';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTabLocation } from '../navigation/tab-location.ts';
import styles from './operator-table.module.css';
import type { ListControl } from './use-list-state.ts';
import { useSame } from './use-same.ts';

interface NothingProps {
  readonly filtered: boolean;
  readonly emptyText: string;
  readonly onClear: () => void;
}

/** Text of an empty list. It differs between 'nothing here' and 'nothing with these filters'. */
function NothingToShow({ filtered, emptyText, onClear }: NothingProps) {
  const { t } = useTranslation();
  return (
    <div className={styles['outcome']}>
      <strong>{filtered ? t('list.filteredEmpty') : emptyText}</strong>
      {filtered && (
        <>
          <span>{t('list.filteredEmptyHint')}</span>
          <Button onClick={onClear}>{t('list.clearFilters')}</Button>
        </>
      )}
    </div>
  );
}

interface FailureProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

export function ListFailure({ error, onRetry }: FailureProps) {
  const { t } = useTranslation();
  return (
    <div className={styles['outcome']} role="alert">
      <strong>{t('list.failed')}</strong>
      <span>{error.message}</span>
      <Button onClick={onRetry}>{t('common.retry')}</Button>
    </div>
  );
}

/** What a list without rows shows. The element stays the same while nothing changes, so that the table is not redrawn. */
export function useNothingToShow(control: ListControl, emptyText: string): ReactNode {
  const filtered = Object.keys(control.state.filters).length > 0;
  const clearFilters = useSame(control.clearFilters);
  return useMemo(
    () => <NothingToShow filtered={filtered} emptyText={emptyText} onClear={clearFilters} />,
    [filtered, emptyText, clearFilters],
  );
}

/** Says that the rows shown are out of date, and why. */
export function StaleNote({ error }: { readonly error: Error }) {
  const { t } = useTranslation();
  return (
    <p className={styles['stale']} role="status">
      {t('list.stale', { reason: error.message })}
    </p>
  );
}

interface WaitingRowsProps {
  readonly count: number;
  readonly onShow: () => void;
}

/** Such as '12 new': rows that are held back until the reader asks for them. */
export function WaitingRows({ count, onShow }: WaitingRowsProps) {
  const { t } = useTranslation();
  const { scroller } = useTabLocation();
  return (
    <div aria-live="polite" className={styles['waitingPlace']}>
      {count > 0 && (
        <button
          type="button"
          className={styles['waiting']}
          onClick={() => {
            onShow();
            scroller()?.scrollTo({ top: 0 });
          }}
        >
          {t('list.waiting', { count })}
        </button>
      )}
    </div>
  );
}
