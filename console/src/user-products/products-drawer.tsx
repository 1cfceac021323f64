import { Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useMayCall } from '../session/may-call.ts';
import { useIsNarrow } from '../appearance/use-media.ts';
import { WaitingRequests } from '../operator-table/waiting-requests.tsx';

type Product = RowOf<typeof endpoints.product.getProductList>;

const ALL = 200;

/** The products: their names, whether they are offered, and where payers are redirected. */
export function ProductsDrawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const narrow = useIsNarrow();
  const mayCall = useMayCall();
  const [asked, setAsked] = useState<Product>();
  const { data } = useCall(endpoints.product.getProductList, { pageSize: ALL });
  const mayChange = mayCall(endpoints.product.updateProduct);
  return (
    <Drawer open size={narrow ? '100%' : 880} title={t('userProducts.products')} onClose={onClose}>
      <WaitingRequests about={{ kind: 'payAddress' }} />
      <PlainTable<Product>
        rows={data?.list ?? []}
        keyOf={({ id }) => String(id)}
        columns={[
          { title: t('userProducts.productId'), cell: ({ id }) => id },
          { title: t('people.name'), cell: ({ name }) => name },
          { title: t('userProducts.direction'), cell: ({ direction }) => t(`userProducts.${direction}`) },
          { title: t('fund.currency'), cell: ({ currency }) => currency },
          {
            title: t('people.state'),
            cell: ({ enabled }) => (
              <Status
                tone={enabled ? 'positive' : 'quiet'}
                label={t(enabled ? 'people.enabled' : 'people.disabled')}
              />
            ),
          },
          { title: t('userProducts.payUrlTemplate'), cell: ({ payUrlTemplate }) => payUrlTemplate ?? '–' },
          ...(mayChange
            ? [
                {
                  title: t('list.actions'),
                  cell: (product: Product) => (
                    <TextButton
                      text={t('userProducts.change')}
                      label={`${t('userProducts.change')} ${product.id} ${product.name}`}
                      onClick={() => setAsked(product)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      {asked && <ProductDialog product={asked} onClose={() => setAsked(undefined)} />}
    </Drawer>
  );
}

function ProductDialog({ product, onClose }: { readonly product: Product; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.product.getProductList, endpoints.party.getOptions);
  const ofPayers: readonly DialogField[] =
    product.direction === 'out'
      ? []
      : [
          {
            name: 'floatSteps',
            label: t('userProducts.floatSteps'),
            hint: t('userProducts.floatStepsHint'),
            kind: 'whole',
            max: 9999,
            initial: product.floatSteps,
            required: true,
          },
          {
            name: 'payUrlTemplate',
            label: t('userProducts.payUrlTemplate'),
            hint: t('userProducts.payUrlTemplateHint'),
            kind: 'text',
            maxLength: 512,
            initial: product.payUrlTemplate,
          },
        ];
  return (
    <FormDialog
      title={`${product.id} ${product.name}`}
      fields={[
        {
          name: 'name',
          label: t('people.name'),
          kind: 'text',
          maxLength: 64,
          initial: product.name,
          required: true,
        },
        { name: 'enabled', label: t('people.enabled'), kind: 'flag', initial: product.enabled },
        ...ofPayers,
      ]}
      consequence={t('userProducts.consequence')}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const input = {
          id: product.id,
          ...values,
          ...(product.direction === 'in' ? { payUrlTemplate: values['payUrlTemplate'] ?? '' } : {}),
        } as InputOf<typeof endpoints.product.updateProduct>;
        await send(endpoints.product.updateProduct, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
