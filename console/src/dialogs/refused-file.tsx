import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { CallError } from '../http/call-error.ts';
import styles from './dialogs.module.css';

interface Row {
  readonly row: number;
  readonly problem: string;
}

/** The rows that caused the refusal of a file; none for a refusal of another kind. */
export function refusedRows(error: unknown): readonly Row[] {
  const { rows } = (error instanceof CallError ? (error.data ?? {}) : {}) as { rows?: unknown };
  return Array.isArray(rows) ? (rows as Row[]) : [];
}

/** The rows of a refused file, each with its problem. The server takes a file whole or not at all. */
export function RefusedRows({ error }: { readonly error: Error }) {
  const { t } = useTranslation();
  return (
    <>
      <ul className={styles['problems']}>
        {refusedRows(error).map(({ row, problem }, index) => (
          <li key={index}>
            {row > 0 && <b>{t('batches.rowNumber', { row })}</b>} {problem}
          </li>
        ))}
      </ul>
      {t('batches.noRowTaken')}
    </>
  );
}

/** Why a file was refused, row by row. */
export function RefusedFile({ error, onClose }: { readonly error: Error; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      className={styles['refused'] ?? ''}
      type="error"
      showIcon
      closable={{ onClose }}
      title={t('batches.fileRefused', { reason: error.message })}
      description={refusedRows(error).length > 0 && <RefusedRows error={error} />}
    />
  );
}
