import { Alert, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { businessDay } from '@sangam/contract/time.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { NothingYet } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import type { InputOf } from '../http/call-types.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { PARTY_LISTS } from '../parties/party.ts';
import { Sums } from './sums.tsx';
import styles from './settlement.module.css';

/** Starts a settlement run by hand, after showing what it would move. */
export function StartRunDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { merchants } = useFilterOptions();
  const send = useSend(endpoints.settlement.getSettlementRuns, ...PARTY_LISTS);
  const [today] = useState(() => businessDay(new Date()));
  const [throughDay, setThroughDay] = useState(today);
  const [merchantId, setMerchantId] = useState<string>();
  const preview = useCall(endpoints.settlement.previewSettlement, { throughDay, merchantId });
  return (
    <FormDialog
      title={t('settlement.start')}
      width={600}
      fields={[
        {
          name: 'throughDay',
          label: t('settlement.throughDay'),
          hint: t('settlement.throughHint'),
          kind: 'day',
          initial: today,
          required: true,
          onChange: (day) => setThroughDay((day as string | undefined) ?? today),
        },
        {
          name: 'merchantId',
          label: t('orders.merchant'),
          hint: t('settlement.merchantHint'),
          kind: 'choice',
          options: merchants,
          onChange: (id) => setMerchantId(id as string | undefined),
        },
        { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
      ]}
      consequence={t('settlement.consequence')}
      okText={t('settlement.startNow')}
      onSubmit={async (values) => {
        // Nobody can confirm before the preview is shown.
        if (!preview.data) return 'stay';
        const input = values as InputOf<typeof endpoints.settlement.startSettlementRun>;
        await send(endpoints.settlement.startSettlementRun, input, t('settlement.started'));
        return 'close';
      }}
      onClose={onClose}
    >
      {!preview.data && !preview.isError && <Skeleton active />}
      {preview.isError && <Alert type="error" showIcon title={preview.error.message} />}
      {preview.data && (
        <section className={styles['preview']} aria-label={t('settlement.preview')}>
          <h3>
            <span>{t('settlement.due', { count: preview.data.count })}</span>
            <Sums amounts={preview.data.amounts} />
          </h3>
          {preview.data.count === 0 ? (
            <NothingYet text={t('settlement.nothingDue')} />
          ) : (
            <div className={styles['due']}>
              <PlainTable
                rows={preview.data.balances}
                keyOf={(due) => `${due.merchantId} ${due.currency} ${due.dueDay}`}
                columns={[
                  { title: t('orders.merchant'), cell: (due) => due.merchantName },
                  { title: t('settlement.dueDay'), cell: (due) => due.dueDay },
                  {
                    title: t('approvalFields.amount'),
                    right: true,
                    cell: (due) => <Money minor={due.amount} currency={due.currency} />,
                  },
                ]}
              />
            </div>
          )}
        </section>
      )}
    </FormDialog>
  );
}
