import { Alert, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { Facts } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { Moment } from '../figures/moment.tsx';
import type { BatchPreview as Preview } from './batch.ts';

/** The content of a new batch: totals by way of payment, and every payout. */
export function BatchPreview({ preview, payTime }: { readonly preview: Preview; readonly payTime: string }) {
  const { t } = useTranslation();
  const { count, sum, currency, hasNoRoom, modes, list } = preview;
  return (
    <>
      {count === 0 && (
        <Alert type="warning" showIcon title={t(hasNoRoom ? 'batches.noRoom' : 'batches.nothingFits')} />
      )}
      <Facts
        facts={[
          [t('batches.count'), count],
          [t('batches.sum'), <Money minor={sum} currency={currency} strong />],
          [t('batches.payTime'), <Moment time={payTime} exact />],
          [t('batches.modes'), modes.map((mode) => `${mode.mode} × ${mode.count}`).join(', ') || null],
        ]}
      />
      {count > 0 && (
        <Table
          size="small"
          rowKey="orderCode"
          dataSource={list}
          pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
          scroll={{ x: 'max-content' }}
          columns={[
            { key: 'orderCode', title: t('orders.orderCode'), render: (_, row) => row.orderCode },
            { key: 'payee', title: t('payouts.payeeName'), render: (_, row) => row.payeeName ?? '–' },
            { key: 'account', title: t('payouts.payee'), render: (_, row) => row.payeeAccount ?? '–' },
            { key: 'mode', title: t('batches.mode'), render: (_, row) => row.mode },
            {
              key: 'amount',
              title: t('orders.amount'),
              align: 'right',
              render: (_, row) => <Money minor={row.amount} currency={currency} />,
            },
          ]}
        />
      )}
    </>
  );
}
