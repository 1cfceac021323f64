import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Amount, Sums } from '../figures/sums.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './list-definition.ts';
import styles from './operator-table.module.css';

/** The most rows that one call takes (contract, unlockOrder). */
export const MOST_PICKED = 500;

interface BulkBarProps<Row> {
  readonly actions: readonly BulkAction<Row>[];
  readonly picked: readonly Row[];
  readonly nameOf: (row: Row) => string;
  /** Absent where rows have no amount. */
  readonly amountOf: ((row: Row) => Amount) | undefined;
  readonly onClear: () => void;
  readonly onDone: () => void;
}

/** The bar above the table while rows are picked, with the actions for all of them. */
export function BulkBar<Row>({ actions, picked, nameOf, amountOf, onClear, onDone }: BulkBarProps<Row>) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{ readonly action: BulkAction<Row>; readonly rows: readonly Row[] }>();
  return (
    <>
      {picked.length > 0 && (
        <div className={styles['bulk']} role="group" aria-label={t('bulk.label')}>
          <strong aria-live="polite">
            {amountOf ? (
              <Sums label={t('bulk.picked', { count: picked.length })} amounts={picked.map(amountOf)} />
            ) : (
              t('bulk.picked', { count: picked.length })
            )}
          </strong>
          {actions.map((action) => (
            <Button
              key={action.key}
              size="small"
              icon={action.icon}
              onClick={() => setAsked({ action, rows: picked })}
            >
              {action.label}
            </Button>
          ))}
          <Button type="link" size="small" onClick={onClear}>
            {t('bulk.clear')}
          </Button>
        </div>
      )}
      {asked && (
        <BulkDialog
          {...asked}
          nameOf={nameOf}
          onClose={(changed) => {
            setAsked(undefined);
            if (changed) onDone();
          }}
        />
      )}
    </>
  );
}
