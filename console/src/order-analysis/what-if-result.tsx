import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';

type Result = OutputOf<typeof endpoints.whatIf.whatIf>;

const COUNTS = ['orders', 'allocated', 'refused', 'assumed'] as const;
const SUMS = ['paidAmount', 'fee', 'profit'] as const;

/** Both replays side by side: outcomes of the orders, reasons for failed allocations, money, and load per account. */
export function WhatIfResult({ result }: { readonly result: Result }) {
  const { t, i18n } = useTranslation();
  const name = useNames();
  const { asItWas, changed, sameAccount } = result;
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const verdicts = [...new Set([...asItWas.why, ...changed.why].map(({ verdict }) => verdict))];
  const whyOf = (side: Result['changed'], wanted: string) =>
    side.why.find(({ verdict }) => verdict === wanted)?.orders ?? 0;
  const accounts = [
    ...new Map([...asItWas.accounts, ...changed.accounts].map((row) => [row.resourceId, row])).values(),
  ];
  const loadOf = (side: Result['changed'], id: string) => {
    const row = side.accounts.find(({ resourceId }) => resourceId === id);
    return row ? `${number.format(row.orders)} (${number.format(row.mostWaiting)})` : '–';
  };
  const moneyOf = (side: Result['changed'], currency: string) =>
    side.money.find((row) => row.currency === currency);
  const money = [...asItWas.money, ...changed.money.filter(({ currency }) => !moneyOf(asItWas, currency))];
  const columns = <Row,>(
    title: string,
    label: (row: Row) => string,
    cell: (side: Result['changed'], row: Row) => ReactNode,
  ) => [
    { title, cell: label },
    { title: t('whatIf.asItWas'), right: true, cell: (row: Row) => cell(asItWas, row) },
    { title: t('whatIf.changed'), right: true, cell: (row: Row) => cell(changed, row) },
  ];
  return (
    <>
      <Alert
        type="info"
        showIcon
        title={t('whatIf.fidelity', {
          share: percent.format(asItWas.orders === 0 ? 1 : sameAccount / asItWas.orders),
        })}
      />
      <Section title={t('whatIf.ordersTitle')}>
        <PlainTable
          rows={COUNTS}
          keyOf={(key) => key}
          columns={columns(
            '',
            (key: (typeof COUNTS)[number]) => t(`whatIf.count.${key}`),
            (side, key) => number.format(side[key]),
          )}
        />
      </Section>
      {verdicts.length > 0 && (
        <Section title={t('whatIf.why')}>
          <PlainTable
            rows={verdicts}
            keyOf={(verdict) => verdict}
            columns={columns(
              '',
              (verdict: string) => name('verdicts', verdict),
              (side, verdict) => number.format(whyOf(side, verdict)),
            )}
          />
        </Section>
      )}
      {money.map(({ currency }) => (
        <Section key={currency} title={t('whatIf.money', { currency })}>
          <PlainTable
            rows={SUMS}
            keyOf={(key) => key}
            columns={columns(
              '',
              (key: (typeof SUMS)[number]) => t(`whatIf.sum.${key}`),
              (side, key) => (
                <Money minor={moneyOf(side, currency)?.[key] ?? 0} currency={currency} />
              ),
            )}
          />
        </Section>
      ))}
      <Section title={t('whatIf.load')}>
        <PlainTable
          rows={accounts}
          keyOf={({ resourceId }) => resourceId}
          columns={columns(
            t('orders.account'),
            (row: (typeof accounts)[number]) => row.name,
            (side, row) => loadOf(side, row.resourceId),
          )}
        />
      </Section>
    </>
  );
}
