import { Alert, Button, Drawer, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { useIsNarrow } from '../appearance/use-media.ts';
import { saveCsv } from '../dialogs/files.ts';
import { NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import { type FeeLine, feeTable, monthsUntil } from './fees.ts';
import styles from './fund-record.module.css';

/** The fees that a merchant paid in a month, by product: an invoice to read and to save. */
export function FeesDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const narrow = useIsNarrow();
  const months = monthsUntil(formatTime(new Date()));
  const [month, setMonth] = useState(months[0]!);
  const { data, error } = useCall(endpoints.invoice.getFees, { month: `${month}-01` });
  const lines = data?.list;
  const label = ({ productId, productName }: FeeLine) =>
    `${productId} ${productLabel(name, productId, productName)}`;
  return (
    <Drawer open size={narrow ? '100%' : 640} mask={false} onClose={onClose} title={t('fund.fees')}>
      <div className={styles['asked']}>
        <Select
          aria-label={t('fund.month')}
          value={month}
          options={months.map((value) => ({ value, label: value }))}
          onChange={setMonth}
        />
        <Button
          disabled={!lines || lines.length === 0}
          onClick={() => saveCsv(`fees-${month}`, feeTable(lines ?? [], label))}
        >
          {t('fund.feesCsv')}
        </Button>
      </div>
      <p>{t('fund.feesHint')}</p>
      {error ? (
        <Alert type="error" showIcon title={error.message} />
      ) : !lines ? (
        <Skeleton active />
      ) : lines.length === 0 ? (
        <NothingYet text={t('fund.noFees')} />
      ) : (
        [...Map.groupBy(lines, ({ currency }) => currency)].map(([currency, own]) => (
          <FeesOf key={currency} currency={currency} lines={own} label={label} />
        ))
      )}
    </Drawer>
  );
}

interface FeesOfProps {
  readonly currency: Currency;
  readonly lines: readonly FeeLine[];
  readonly label: (line: FeeLine) => string;
}

function FeesOf({ currency, lines, label }: FeesOfProps) {
  const { t } = useTranslation();
  const total = lines.reduce((sum, { fee }) => sum + fee, 0);
  return (
    <Section
      title={currency}
      extra={
        <span>
          {t('fund.feesTotal')} <Money minor={total} currency={currency} strong />
        </span>
      }
    >
      <PlainTable
        rows={lines}
        keyOf={({ productId }) => String(productId)}
        columns={[
          { title: t('orders.product'), cell: label },
          { title: t('fund.paidOrders'), right: true, cell: ({ paid }) => paid },
          {
            title: t('fund.netPaid'),
            right: true,
            cell: ({ amount }) => <Money minor={amount} currency={currency} />,
          },
          {
            title: t('profile.fee'),
            right: true,
            cell: ({ fee }) => <Money minor={fee} currency={currency} strong />,
          },
        ]}
      />
    </Section>
  );
}
