import { Button, Segmented, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { call } from '../http/client.ts';
import { Outcome, RowState } from './batch-status.tsx';
import type { Batch, BatchOrder } from './batch.ts';
import { ConfirmRows } from './confirm-rows.tsx';
import styles from './payout-batches.module.css';
import type { useBatchWork } from './use-batch-work.ts';

interface BatchOrdersProps {
  readonly batch: Batch;
  readonly orders: readonly BatchOrder[];
  readonly work: Pick<ReturnType<typeof useBatchWork>, 'showResults' | 'refresh'>;
}

type Part = 'all' | 'proposed' | 'exceptions';
type ExceptionAction = NonNullable<BatchOrder['exception']>[number];

/** The payouts of a batch. Here the bank's results are confirmed and exceptions are dealt with. */
export function BatchOrders({ batch, orders, work }: BatchOrdersProps) {
  const { t } = useTranslation();
  const [chosenPart, setPart] = useState<Part>();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [handling, setHandling] = useState<ExceptionAction>();
  const [confirming, setConfirming] = useState<readonly BatchOrder[]>();
  const parts = {
    all: orders,
    proposed: orders.filter((order) => order.proposal !== null),
    exceptions: orders.filter((order) => order.exception !== null && batch.status !== 'prepared'),
  };
  // Opens the part with work to do, unless the user has chosen another.
  const part =
    chosenPart ??
    (parts.proposed.length > 0 ? 'proposed' : parts.exceptions.length > 0 ? 'exceptions' : 'all');
  const shown = parts[part];
  const selected = shown.filter(({ row }) => chosen.includes(row));
  const confirmable = selected.filter((order) => order.proposal !== null);

  const offered = (['retry', 'reject', 'return'] as const).filter((action) =>
    selected.some((order) => order.exception?.includes(action)),
  );

  return (
    <Section
      title={t('batches.orders')}
      count={orders.length}
      extra={
        <Segmented<Part>
          value={part}
          onChange={(next) => {
            setPart(next);
            setChosen([]);
          }}
          options={(['all', 'proposed', 'exceptions'] as const).map((value) => ({
            value,
            label: `${t(`batches.parts.${value}`)} ${parts[value].length}`,
          }))}
        />
      }
    >
      <div className={styles['buttons']} role="group" aria-label={t('batches.orders')}>
        {batch.actions.includes('confirm') && parts.proposed.length > 0 && (
          <>
            <Button type="primary" onClick={() => setConfirming(parts.proposed)}>
              {t('batches.confirmAll', { count: parts.proposed.length })}
            </Button>
            <Button disabled={confirmable.length === 0} onClick={() => setConfirming(confirmable)}>
              {t('batches.confirmChosen', { count: confirmable.length })}
            </Button>
          </>
        )}
        {offered.map((action) => (
          <Button key={action} onClick={() => setHandling(action)}>
            {t(`batches.handle.${action}`)}
          </Button>
        ))}
      </div>
      {shown.length === 0 ? (
        <NothingYet text={t('batches.noneHere')} />
      ) : (
        <OrderTable orders={shown} chosen={chosen} onChoose={setChosen} />
      )}
      {confirming && (
        <ConfirmRows
          batch={batch}
          proposed={confirming}
          onDone={async (results) => {
            setChosen([]);
            work.showResults(results);
            await work.refresh();
          }}
          onClose={() => setConfirming(undefined)}
        />
      )}
      {handling && (
        <FormDialog
          title={t(`batches.handle.${handling}`)}
          fields={[
            { name: 'reason', kind: 'lines', label: t('fund.reason'), required: true, maxLength: 256 },
          ]}
          consequence={t(`batches.handleConsequence.${handling}`)}
          okText={t(`batches.handle.${handling}`)}
          danger={handling === 'reject'}
          onSubmit={async ({ reason }) => {
            const rows = selected
              .filter((order) => order.exception?.includes(handling))
              .map(({ row }) => row);
            // The dialog itself sends this, and stays open with the reason when it is refused.
            const { list } = await call(endpoints.payoutBatch.handlePayoutBatchExceptions, {
              batchId: batch.id,
              rows,
              action: handling,
              reason: String(reason),
            });
            setChosen([]);
            work.showResults(list);
            await work.refresh();
          }}
          onClose={() => setHandling(undefined)}
        />
      )}
    </Section>
  );
}

interface OrderTableProps {
  readonly orders: readonly BatchOrder[];
  /** Row numbers in the file. */
  readonly chosen: readonly number[];
  readonly onChoose: (rows: readonly number[]) => void;
}

function OrderTable({ orders, chosen, onChoose }: OrderTableProps) {
  const { t } = useTranslation();
  return (
    <Table<BatchOrder>
      size="small"
      rowKey="row"
      dataSource={[...orders]}
      pagination={{ pageSize: 50, hideOnSinglePage: true, showSizeChanger: false }}
      scroll={{ x: 'max-content' }}
      rowSelection={{
        selectedRowKeys: [...chosen],
        onChange: (keys) => onChoose(keys.map(Number)),
        getCheckboxProps: (order) => ({ name: order.orderCode, 'aria-label': order.orderCode }),
      }}
      columns={[
        { key: 'row', title: t('batches.row'), align: 'right', render: (_, order) => order.row },
        {
          key: 'code',
          title: t('orders.orderCode'),
          render: (_, order) => <Copyable text={order.orderCode} />,
        },
        { key: 'payee', title: t('payouts.payeeName'), render: (_, order) => order.payeeName ?? '–' },
        { key: 'account', title: t('payouts.payee'), render: (_, order) => order.payeeAccount ?? '–' },
        {
          key: 'amount',
          title: t('orders.amount'),
          align: 'right',
          render: (_, order) => <Money minor={order.amount} currency={order.currency} strong />,
        },
        { key: 'mode', title: t('batches.mode'), render: (_, order) => order.mode },
        {
          key: 'state',
          title: t('batches.state'),
          render: (_, order) => <RowState state={order.state} />,
        },
        { key: 'said', title: t('batches.said'), render: (_, order) => <Said order={order} /> },
        {
          key: 'utr',
          title: 'UTR',
          render: (_, order) => (order.utr === null ? '–' : <Copyable text={order.utr} />),
        },
        { key: 'reason', title: t('fund.reason'), render: (_, order) => order.reason ?? '–' },
      ]}
    />
  );
}

function Said({ order: { proposal } }: { readonly order: BatchOrder }) {
  const { t } = useTranslation();
  if (!proposal) return <>–</>;
  const more = proposal.utr ?? proposal.reason;
  return (
    <span className={styles['said']}>
      <Outcome outcome={proposal.outcome} />
      {more !== null && <span className={styles['note']}>{more}</span>}
      {proposal.supplierWord && <span className={styles['note']}>{t('batches.supplierWord')}</span>}
    </span>
  );
}
