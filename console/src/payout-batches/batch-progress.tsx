import { Progress, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { Money } from '../figures/money.tsx';
import { RowState } from './batch-status.tsx';
import type { Batch } from './batch.ts';
import styles from './payout-batches.module.css';

/** Progress of a batch: finished payouts of all, those that wait for confirmation, and exceptions. */
export function BatchProgress({ batch }: { readonly batch: Batch }) {
  const { t } = useTranslation();
  const all = batch.states.reduce((sum, { count }) => sum + count, 0);
  const open = batch.states.find(({ state }) => state === 'pending')?.count ?? 0;
  return (
    <Tooltip title={<BatchStates batch={batch} />}>
      <span className={styles['states']}>
        <Progress
          percent={all === 0 ? 0 : Math.round(((all - open) * 100) / all)}
          size={[72, 6]}
          showInfo={false}
          aria-label={t('batches.progress')}
        />
        <span>{t('batches.done', { done: all - open, all })}</span>
        {batch.proposed > 0 && <span>{t('batches.proposedCount', { count: batch.proposed })}</span>}
        {batch.exceptions > 0 && <span>{t('batches.exceptionCount', { count: batch.exceptions })}</span>}
      </span>
    </Tooltip>
  );
}

/** Counts per state, with sums where the server sends them. */
export function BatchStates({ batch }: { readonly batch: Batch }) {
  return (
    <div className={styles['states']}>
      {batch.states.map(({ state, count, amount }) => (
        <span key={state}>
          <RowState state={state} /> {count}
          {amount !== null && (
            <>
              {' · '}
              <Money minor={amount} currency={batch.currency} />
            </>
          )}
        </span>
      ))}
    </div>
  );
}
