import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { Currency } from '@sangam/contract/money.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';

type Entry = OutputOf<typeof endpoints.todo.getPreview>['entries'][number];

/** The balances of one currency that an early settlement may move. */
export interface EarlySum {
  readonly currency: Currency;
  readonly count: number;
  readonly amount: number;
}

interface DecisionPreviewProps {
  readonly id: string;
  readonly movesMoney: boolean;
  /** Of an early settlement: its run moves the balances only after the approval, so the server's preview has no entries. */
  readonly earlySums: readonly EarlySum[] | undefined;
}

/** What an approval would do to each balance now, and the requester's other requests of this week. */
export function DecisionPreview({ id, movesMoney, earlySums }: DecisionPreviewProps) {
  const { t } = useTranslation();
  const name = useNames();
  const preview = useCall(endpoints.todo.getPreview, { id });
  if (preview.isError) return <Alert type="warning" showIcon title={preview.error.message} />;
  if (!preview.data) return <Skeleton active paragraph={{ rows: 2 }} />;
  const { entries, startedThisWeek } = preview.data;
  const money = (minor: number | null, { currency }: Entry, strong = false) =>
    minor === null ? '–' : <Money minor={minor} currency={currency} strong={strong} />;
  return (
    <>
      {earlySums && <EarlySums sums={earlySums} />}
      {movesMoney && !earlySums && (
        <Section title={t('todo.preview')}>
          {entries.length === 0 ? (
            <NothingYet text={t('todo.noEntries')} />
          ) : (
            <PlainTable
              rows={entries}
              keyOf={(entry) => `${entry.ownerKind} ${entry.ownerId} ${entry.bucket} ${entry.currency}`}
              columns={[
                {
                  title: t('todo.balance'),
                  cell: ({ ownerKind, ownerName, bucket }) =>
                    `${ownerKind === 'platform' ? name('ownerKinds', ownerKind) : ownerName} · ${name('buckets', bucket)}`,
                },
                {
                  title: t('approvalFields.before'),
                  right: true,
                  cell: (entry) => money(entry.balanceBefore, entry),
                },
                { title: t('todo.change'), right: true, cell: (entry) => money(entry.amount, entry, true) },
                {
                  title: t('approvalFields.after'),
                  right: true,
                  cell: (entry) => money(entry.balanceAfter, entry),
                },
              ]}
            />
          )}
        </Section>
      )}
      <Section title={t('todo.thisWeek')}>
        {startedThisWeek.length === 0 ? (
          <NothingYet text={t('todo.nothingElse')} />
        ) : (
          <PlainTable
            rows={startedThisWeek}
            keyOf={({ kind }) => kind}
            columns={[
              { title: t('todo.kind'), cell: ({ kind }) => name('approvalKinds', kind) },
              { title: t('todo.asked'), right: true, cell: ({ count }) => count },
              { title: t('approvalStatus.approved'), right: true, cell: ({ approved }) => approved },
            ]}
          />
        )}
      </Section>
    </>
  );
}

function EarlySums({ sums }: { readonly sums: readonly EarlySum[] }) {
  const { t } = useTranslation();
  return (
    <Section title={t('todo.preview')}>
      <p>{t('todo.settlesEarly')}</p>
      <PlainTable
        rows={sums}
        keyOf={({ currency }) => currency}
        columns={[
          { title: t('orders.currency'), cell: ({ currency }) => currency },
          { title: t('todo.balances'), right: true, cell: ({ count }) => count },
          {
            title: t('approvalFields.amount'),
            right: true,
            cell: ({ amount, currency }) => <Money minor={amount} currency={currency} strong />,
          },
        ]}
      />
    </Section>
  );
}
