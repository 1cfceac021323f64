import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Money } from '../figures/money.tsx';
import { call } from '../http/client.ts';
import { Outcome } from './batch-status.tsx';
import type { Batch, BatchOrder, RowResults } from './batch.ts';
import styles from './payout-batches.module.css';

type Outcomes = NonNullable<BatchOrder['proposal']>['outcome'];

/** In order of importance. */
const OUTCOMES: readonly Outcomes[] = ['completed', 'reversed', 'failed', 'inProgress'];

interface ConfirmRowsProps {
  readonly batch: Batch;
  readonly proposed: readonly BatchOrder[];
  readonly onDone: (results: RowResults) => Promise<void>;
  readonly onClose: () => void;
}

/** Says what confirming these rows will post, according to the bank's file, and confirms them. */
export function ConfirmRows({ batch, proposed, onDone, onClose }: ConfirmRowsProps) {
  const { t } = useTranslation();
  const byOutcome = Map.groupBy(proposed, ({ proposal }) => proposal!.outcome);
  const confirm = async () => {
    // Sends the row numbers and the file's hash, one call per file. The server refuses rows whose proposal has changed since they
    // were drawn.
    const results: RowResults[number][] = [];
    for (const [fileHash, rows] of Map.groupBy(proposed, ({ proposal }) => proposal!.fileHash)) {
      const asked = { batchId: batch.id, rows: rows.map(({ row }) => row), fileHash };
      results.push(...(await call(endpoints.payoutBatch.confirmPayoutBatch, asked)).list);
    }
    await onDone(results);
    return true;
  };
  return (
    <DecisionDialog
      title={t('batches.confirmTitle', { count: proposed.length })}
      okText={t('batches.confirm')}
      consequence={t('batches.confirmConsequence')}
      width={560}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className={styles['postings']}>
        {OUTCOMES.flatMap((outcome) => {
          const rows = byOutcome.get(outcome) ?? [];
          if (rows.length === 0) return [];
          return [
            <li key={outcome}>
              <span className={styles['posted']}>
                <Outcome outcome={outcome} />
                <span>
                  {rows.length} ·{' '}
                  <Money
                    minor={rows.reduce((sum, { amount }) => sum + amount, 0)}
                    currency={batch.currency}
                    strong
                  />
                </span>
              </span>
              <span className={styles['note']}>{t(`batches.posts.${outcome}`)}</span>
            </li>,
          ];
        })}
      </ul>
    </DecisionDialog>
  );
}
