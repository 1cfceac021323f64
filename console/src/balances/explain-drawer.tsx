import { Alert, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { Currency } from '@sangam/contract/money.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { MoreButton } from '../figures/more-button.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { usePages } from '../http/use-pages.ts';
import { useNames } from '../language/names.ts';
import { periodTimes } from '../operator-table/period.ts';
import { PeriodFilter } from '../operator-table/period-filter.tsx';
import { useIsNarrow } from '../appearance/use-media.ts';
import styles from './explain.module.css';

export interface ExplainedBalance {
  /** Absent: the viewer's own balance. */
  readonly owner?: { readonly kind: 'merchant' | 'supplier' | 'platform'; readonly id: string };
  readonly name: string;
  readonly currency: Currency;
  readonly bucket: string;
}

interface ExplainDrawerProps {
  readonly of: ExplainedBalance;
  readonly onClose: () => void;
}

/** Explains a balance: its opening value and each entry that changed it since, down to the orders. */
export function ExplainDrawer({ of, onClose }: ExplainDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const narrow = useIsNarrow();
  // Fixed when the drawer opens: all pages must be of the same period.
  const [opened] = useState(() => new Date());
  const [period, setPeriod] = useState<string>();
  const { owner, currency, bucket } = of;
  const { pages, more, busy, error } = usePages(endpoints.fund.explain, {
    ...(owner ? { ownerKind: owner.kind, ownerId: owner.id } : {}),
    currency,
    bucket,
    ...(period === undefined ? {} : periodTimes(period, opened)),
  });
  const money = (minor: number | null) => <Money minor={minor} currency={currency} />;
  const directed = (minor: number) => <Money minor={minor} currency={currency} directed />;
  const [first] = pages;
  const entries = pages.flatMap(({ newest }) => newest);
  return (
    <Drawer
      open
      size={narrow ? '100%' : 720}
      mask={false}
      onClose={onClose}
      title={t('explain.title', { owner: of.name, bucket: name('buckets', bucket) })}
    >
      <PeriodFilter value={period} onChange={setPeriod} />
      {first ? (
        <>
          <div className={styles['facts']}>
            <Facts
              facts={[
                [t('explain.balance'), money(first.balance)],
                first.floor !== null && [t('explain.floor'), money(first.floor)],
                [t('fund.opening'), money(first.opening)],
                [t('fund.closing'), money(first.closing)],
                [t('explain.since'), <Moment time={first.startTime} exact />],
              ]}
            />
          </div>
          <Section title={t('explain.totals')} count={first.totals.length}>
            {first.totals.length === 0 ? (
              <NothingYet text={t('fund.empty')} />
            ) : (
              <PlainTable
                rows={first.totals}
                keyOf={(total) => total.postingKind}
                columns={[
                  { title: t('fund.postingKind'), cell: (total) => name('postingKinds', total.postingKind) },
                  { title: t('explain.count'), right: true, cell: (total) => total.count },
                  { title: t('fund.amount'), right: true, cell: (total) => directed(total.amount) },
                ]}
              />
            )}
          </Section>
          {entries.length > 0 && (
            <Section title={t('explain.entries')}>
              <PlainTable
                rows={entries}
                keyOf={(entry) => entry.id}
                columns={[
                  { title: t('fund.time'), cell: (entry) => <Moment time={entry.time} exact /> },
                  { title: t('fund.postingKind'), cell: (entry) => name('postingKinds', entry.postingKind) },
                  {
                    title: t('orders.orderCode'),
                    cell: (entry) =>
                      entry.orderCode ? (
                        <Copyable text={entry.orderCode} limit={20} />
                      ) : (
                        (entry.reason ?? '–')
                      ),
                  },
                  { title: t('fund.amount'), right: true, cell: (entry) => directed(entry.amount) },
                  { title: t('fund.balanceAfter'), right: true, cell: (entry) => money(entry.balanceAfter) },
                ]}
              />
              <MoreButton more={more} busy={busy} />
            </Section>
          )}
        </>
      ) : error ? (
        <Alert type="error" showIcon title={error.message} />
      ) : (
        <Skeleton active />
      )}
    </Drawer>
  );
}
