import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import styles from './operator-table.module.css';

interface NothingProps {
  readonly filtered: boolean;
  readonly emptyText: string;
  readonly onClear: () => void;
}

/** 'Nothing here' and 'nothing with these filters' are different news. */
export function NothingToShow({ filtered, emptyText, onClear }: NothingProps) {
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
