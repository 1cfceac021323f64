import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Money } from '../figures/money.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useProductChoices } from '../parties/product-choices.ts';
import { TermsDialog } from '../parties/terms-dialog.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { ProductsDrawer } from './products-drawer.tsx';

type TermsCall = typeof endpoints.terms.getUserProductList;
type Terms = RowOf<TermsCall>;

const OWNER_KINDS = ['merchant', 'supplier', 'agent'] as const;
const STATES = ['inForce', 'scheduled', 'past'] as const;
const TONES = { inForce: 'positive', scheduled: 'pending', past: 'quiet' } as const;

function useColumns(choices: ReturnType<typeof useProductChoices>): readonly ListColumn<Terms>[] {
  const { t } = useTranslation();
  const money = (field: 'fixedFee' | 'minAmount' | 'maxAmount') => ({
    key: field,
    title: t(`terms.${field}`),
    align: 'right' as const,
    render: (terms: Terms) => <Money minor={terms[field]} currency={terms.currency} />,
  });
  return [
    { key: 'ownerName', title: t('userProducts.owner'), names: true, render: (terms) => terms.ownerName },
    {
      key: 'ownerKind',
      title: t('userProducts.kind'),
      render: (terms) => t(`userProducts.ownerKind.${terms.ownerKind}`),
    },
    {
      key: 'productName',
      title: t('orders.product'),
      render: (terms) =>
        choices.find(({ value }) => value === terms.productId)?.label ??
        `${terms.productId} ${terms.productName}`,
    },
    {
      key: 'state',
      title: t('people.state'),
      render: ({ state, enabled }) => (
        <Status
          tone={enabled ? TONES[state] : 'quiet'}
          label={
            enabled
              ? t(`userProducts.state.${state}`)
              : `${t(`userProducts.state.${state}`)} · ${t('people.disabled')}`
          }
        />
      ),
    },
    {
      key: 'ratePpm',
      parts: [{ field: 'ratePpm', title: `${t('terms.rate')} · ppm` }],
      title: t('terms.rate'),
      align: 'right',
      render: ({ ratePpm }) => `${ratePpm / 10_000}%`,
    },
    money('fixedFee'),
    money('minAmount'),
    money('maxAmount'),
    {
      key: 'dailyCountLimit',
      title: t('accounts.dailyCountLimit'),
      align: 'right',
      render: ({ dailyCountLimit }) => dailyCountLimit ?? '–',
    },
    {
      key: 'dailyAmountLimit',
      title: t('accounts.dailyAmountLimit'),
      align: 'right',
      render: (terms) =>
        terms.dailyAmountLimit === null ? (
          '–'
        ) : (
          <Money minor={terms.dailyAmountLimit} currency={terms.currency} />
        ),
    },
    {
      key: 'effectiveTime',
      title: t('terms.effective'),
      render: ({ effectiveTime }) => <Moment time={effectiveTime} />,
    },
    { key: 'setBy', title: t('userProducts.setBy'), render: ({ setBy }) => setBy ?? '–' },
  ];
}

/** All terms of all owners: rates, limits, start time; and the products themselves. */
export function UserProductsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const choices = useProductChoices();
  const [asked, setAsked] = useState<Terms | 'products'>();
  const close = () => setAsked(undefined);
  const definition: ListDefinition<Terms, InputOf<TermsCall>> = {
    name: 'userProducts',
    title: title(screen),
    call: endpoints.terms.getUserProductList,
    keyOf: ({ id }) => id,
    emptyText: t('terms.none'),
    waiting: { about: { kind: 'rateChange' } },
    tools: <Button onClick={() => setAsked('products')}>{t('userProducts.products')}</Button>,
    filters: [
      {
        name: 'ownerKind',
        param: 'o',
        kind: 'choice',
        label: t('userProducts.owner'),
        pinned: true,
        values: OWNER_KINDS,
        options: OWNER_KINDS.map((value) => ({ value, label: t(`userProducts.ownerKind.${value}`) })),
      },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('people.state'),
        pinned: true,
        values: STATES,
        options: STATES.map((value) => ({ value, label: t(`userProducts.state.${value}`) })),
      },
      {
        name: 'productId',
        param: 'pr',
        kind: 'choice',
        label: t('orders.product'),
        pinned: true,
        options: choices.map(({ value, label }) => ({ value: String(value), label })),
      },
    ],
    columns: useColumns(choices),
    actionsOf: (terms) =>
      mayCall(endpoints.terms.setUserProduct) && terms.state === 'inForce'
        ? [{ key: 'set', label: t('terms.add'), run: () => setAsked(terms) }]
        : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked === 'products' && <ProductsDrawer onClose={close} />}
      {typeof asked === 'object' && (
        <TermsDialog
          ownerKind={asked.ownerKind}
          ownerId={asked.ownerId}
          title={`${asked.ownerName} · ${t('terms.set')}`}
          terms={asked}
          onClose={close}
        />
      )}
    </>
  );
}
