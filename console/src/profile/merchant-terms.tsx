import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useCall } from '../http/use-call.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import { useMayCall } from '../session/may-call.ts';
import { ADDRESS_LISTS, addressesOf, addressFields } from '../parties/address-lists.ts';

type Limits = OutputOf<typeof endpoints.merchant.getLimits>;

/** What a merchant pays for each product, and from which addresses its calls and users may come. */
export function MerchantTerms({ merchantId }: { readonly merchantId: string }) {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const own = useCall(endpoints.interfaceTest.getInterface, {});
  const limits = useCall(endpoints.merchant.getLimits, { id: merchantId });
  const [asking, setAsking] = useState(false);
  const products = own.data?.products.filter(({ enabled }) => enabled) ?? [];
  return (
    <>
      <Section title={t('profile.terms')}>
        {own.data && products.length === 0 && <NothingYet text={t('profile.noTerms')} />}
        {products.length > 0 && (
          <PlainTable
            rows={products}
            keyOf={({ productId }) => String(productId)}
            columns={[
              {
                title: t('orders.product'),
                cell: ({ productId, productName }) =>
                  `${productId} ${productLabel(name, productId, productName)}`,
              },
              {
                title: t('profile.fee'),
                right: true,
                cell: ({ ratePpm, fixedFee, currency }) => (
                  <>
                    {`${ratePpm / 10_000}% + `}
                    <Money minor={fixedFee} currency={currency} />
                  </>
                ),
              },
              {
                title: t('profile.perOrder'),
                right: true,
                cell: ({ minAmount, maxAmount, currency }) => (
                  <>
                    <Money minor={minAmount} currency={currency} whole /> –{' '}
                    <Money minor={maxAmount} currency={currency} whole />
                  </>
                ),
              },
            ]}
          />
        )}
      </Section>
      {limits.data && (
        <Section
          title={t('profile.addresses')}
          extra={
            mayCall(endpoints.merchant.askForAddresses) && (
              <Button onClick={() => setAsking(true)}>{t('profile.askAddresses')}</Button>
            )
          }
        >
          <Facts
            facts={[
              ...ADDRESS_LISTS.map(
                (list) => [t(`limits.${list}`), limits.data[list].join(', ') || emptyText(list)] as const,
              ),
              [t('limits.callsPerSecond'), limits.data.callsPerSecond],
            ]}
          />
        </Section>
      )}
      {asking && limits.data && <AddressesDialog limits={limits.data} onClose={() => setAsking(false)} />}
    </>
  );

  function emptyText(list: (typeof ADDRESS_LISTS)[number]): string {
    return t(list === 'payoutIps' && own.data?.signType === 'md5' ? 'profile.nobody' : 'profile.anywhere');
  }
}

function AddressesDialog({ limits, onClose }: { readonly limits: Limits; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.todo.getStarted);
  return (
    <FormDialog
      title={t('profile.askAddresses')}
      fields={[
        ...addressFields(t, limits),
        { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
      ]}
      consequence={t('profile.addressesConsequence')}
      okText={t('profile.askAddresses')}
      onSubmit={async ({ reason, ...values }) => {
        await send(
          endpoints.merchant.askForAddresses,
          { ...addressesOf(values), reason: reason as string },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}
