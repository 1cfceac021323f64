import { Alert, Drawer, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { ExplainDrawer } from '../balances/explain-drawer.tsx';
import { NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { periodTimes } from '../operator-table/period.ts';
import { PeriodFilter } from '../operator-table/period-filter.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { useViewer } from '../session/viewer.ts';
import { useIsNarrow } from '../appearance/use-media.ts';
import styles from './fund-record.module.css';

interface StatementDrawerProps {
  /** False: only the viewer's own balances. */
  readonly everybody: boolean;
  readonly onClose: () => void;
}

/** An owner's balances over a period: opening balance, movements, closing balance. */
export function StatementDrawer({ everybody, onClose }: StatementDrawerProps) {
  const { t } = useTranslation();
  const name = useNames();
  const narrow = useIsNarrow();
  const choices = useFilterOptions();
  const [owner, setOwner] = useState<string>();
  const [currency, setCurrency] = useState<Currency>('INR');
  const [period, setPeriod] = useState<string | undefined>('today');
  const [explained, setExplained] = useState<string>();
  const viewer = useViewer();
  const now = new Date();
  const { startTime, endTime } = periodTimes(period, now);
  const [kind, id] = owner?.split(' ') ?? [];
  const statement = useCall(
    endpoints.fund.getStatement,
    {
      currency,
      startTime,
      endTime: endTime ?? `${formatTime(now).slice(0, 10)} 23:59:59`,
      ...(kind ? { ownerKind: kind as 'merchant' | 'supplier' | 'platform', ownerId: id } : {}),
    },
    // The previous answer is not kept: under another name or currency it would show somebody else's money.
    { enabled: !everybody || owner !== undefined },
  );
  const groups = [
    ['merchant', choices.merchants],
    ['supplier', choices.suppliers],
    ['platform', [{ value: '0', label: name('ownerKinds', 'platform') }]],
  ] as const;
  const ownerName = groups.find(([group]) => group === kind)?.[1].find(({ value }) => value === id)?.label;
  const ofKind = (ownerKind: string, options: readonly { value: string; label: string }[]) => ({
    label: name('ownerKinds', ownerKind),
    options: options.map(({ value, label }) => ({ value: `${ownerKind} ${value}`, label })),
  });

  return (
    <Drawer open size={narrow ? '100%' : 640} mask={false} onClose={onClose} title={t('fund.statement')}>
      <div className={styles['asked']}>
        {everybody && (
          <Select
            aria-label={t('fund.owner')}
            placeholder={t('fund.owner')}
            value={owner}
            showSearch={{ optionFilterProp: 'label' }}
            options={groups.map(([group, options]) => ofKind(group, options))}
            onChange={setOwner}
          />
        )}
        <Select
          aria-label={t('fund.currency')}
          value={currency}
          options={Object.keys(CURRENCIES).map((value) => ({ value, label: value }))}
          onChange={(value) => setCurrency(value as Currency)}
        />
        <PeriodFilter value={period} onChange={setPeriod} />
      </div>
      {everybody && owner === undefined ? (
        <NothingYet text={t('fund.chooseOwner')} />
      ) : statement.data ? (
        statement.data.list.length === 0 ? (
          <NothingYet text={t('fund.empty')} />
        ) : (
          statement.data.list.map((bucket) => (
            <Section
              key={bucket.bucket}
              title={name('buckets', bucket.bucket)}
              extra={
                <TextButton
                  text={t('explain.why')}
                  label={t('explain.whyOf', { bucket: name('buckets', bucket.bucket), currency })}
                  onClick={() => setExplained(bucket.bucket)}
                />
              }
            >
              <dl className={styles['lines']}>
                <dt>{t('fund.opening')}</dt>
                <dd>
                  <Money minor={bucket.opening} currency={currency} />
                </dd>
                {bucket.lines.map((line) => (
                  <div key={line.postingKind} className={styles['line']}>
                    <dt>{`${name('postingKinds', line.postingKind)} × ${line.count}`}</dt>
                    <dd>
                      <Money minor={line.amount} currency={currency} directed />
                    </dd>
                  </div>
                ))}
                <dt className={styles['closing']}>{t('fund.closing')}</dt>
                <dd className={styles['closing']}>
                  <Money minor={bucket.closing} currency={currency} strong />
                </dd>
              </dl>
            </Section>
          ))
        )
      ) : statement.isError ? (
        <Alert type="error" showIcon title={statement.error.message} />
      ) : (
        <Skeleton active />
      )}
      {explained !== undefined && (
        <ExplainDrawer
          of={{
            ...(kind && id ? { owner: { kind: kind as 'merchant' | 'supplier' | 'platform', id } } : {}),
            name: ownerName ?? viewer.name,
            currency,
            bucket: explained,
          }}
          onClose={() => setExplained(undefined)}
        />
      )}
    </Drawer>
  );
}
