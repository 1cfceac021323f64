import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import styles from '../orders/orders.module.css';

const toneOf = (verdict: string): Tone =>
  verdict === 'chosen' ? 'positive' : verdict === 'eligible' ? 'quiet' : 'warning';

/** Explains the allocation: every candidate with the first rule that refused it. Loaded on demand. */
export function OrderAllocation({ orderCode }: { readonly orderCode: string }) {
  const { t } = useTranslation();
  const name = useNames();
  const [wanted, setWanted] = useState(false);
  const info = useCall(endpoints.order.getOrderAllocateInfo, { orderCode }, { enabled: wanted });
  return (
    <Section
      title={t('orders.allocation')}
      {...(info.data ? { count: info.data.candidates.length } : {})}
      extra={
        !info.data && (
          <Button
            size="small"
            loading={wanted && info.isFetching}
            onClick={() => (wanted ? void info.refetch() : setWanted(true))}
          >
            {t('orders.explain')}
          </Button>
        )
      }
    >
      {!info.data &&
        (info.isError ? (
          <NothingYet text={info.error.message} />
        ) : (
          <NothingYet text={t('orders.allocationHint')} />
        ))}
      {info.data?.candidates.length === 0 && <NothingYet text={t('orders.noCandidates')} />}
      {info.data && info.data.candidates.length > 0 && (
        <>
          <PlainTable
            rows={info.data.candidates}
            keyOf={(candidate) => candidate.resourceId}
            columns={[
              {
                title: t('orders.verdict'),
                cell: ({ verdict }) => <Status tone={toneOf(verdict)} label={name('verdicts', verdict)} />,
              },
              { title: t('orders.account'), cell: (candidate) => candidate.accountName },
              { title: t('orders.supplier'), cell: (candidate) => candidate.supplierName },
              { title: t('accounts.weight'), right: true, cell: (candidate) => candidate.weight },
            ]}
          />
          <p className={styles['soft']}>
            {t('orders.allocatedAt')} <Moment time={info.data.time} exact />
          </p>
        </>
      )}
    </Section>
  );
}
