import { useTranslation } from 'react-i18next';
import { DEFAULT_PRODUCTS } from '@sangam/contract/products.ts';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { call } from '../http/client.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { useMerchantChoices } from './use-merchant-choices.ts';

interface NewTestOrderDialogProps {
  readonly onMade: (mchOrderNo: string) => void;
  readonly onClose: () => void;
}

const COLLECTIONS = DEFAULT_PRODUCTS.filter(({ direction }) => direction === 'in');
/** From hundredths, in which the amount is typed, to the ten-thousandths that the API takes for USDT. */
const USDT_FACTOR = 100;

/** Signs the call on the server and sends it to the merchant API, as the merchant's program would. */
export function NewTestOrderDialog({ onMade, onClose }: NewTestOrderDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.testOrder.getTestOrders);
  const merchants = useMerchantChoices();
  return (
    <FormDialog
      title={t('testOrder.new')}
      fields={[
        {
          name: 'merchantId',
          label: t('testOrder.merchant'),
          kind: 'choice',
          required: true,
          hint: t('testOrder.searchMerchant'),
          ...merchants,
        },
        {
          name: 'productId',
          label: t('testOrder.product'),
          kind: 'choice',
          required: true,
          options: COLLECTIONS.map(({ id }) => ({ value: id, label: `${id} · ${name('products', id)}` })),
        },
        { name: 'amount', label: t('testOrder.amount'), kind: 'money', currency: 'INR', required: true },
        { name: 'userName', label: t('testOrder.payer'), kind: 'text', maxLength: 128 },
        {
          name: 'notifyUrl',
          label: t('testOrder.notifyUrl'),
          hint: t('testOrder.catcher'),
          kind: 'text',
          maxLength: 512,
        },
      ]}
      consequence={t('testOrder.consequence')}
      okText={t('testOrder.create')}
      onSubmit={async ({ merchantId, productId, amount, userName, notifyUrl }) => {
        const isUsdt = COLLECTIONS.find(({ id }) => id === productId)?.currency === 'USDT';
        const { mchOrderNo, fields } = await call(endpoints.testOrder.signTestOrder, {
          merchantId: String(merchantId),
          productId: Number(productId),
          amount: Number(amount) * (isUsdt ? USDT_FACTOR : 1),
          ...(userName === undefined ? {} : { userName: userName as string }),
          ...(notifyUrl === undefined ? {} : { notifyUrl: notifyUrl as string }),
        });
        await send(endpoints.outside.createOrder, fields as never, t('testOrder.created'));
        onMade(mchOrderNo);
      }}
      onClose={onClose}
    />
  );
}
