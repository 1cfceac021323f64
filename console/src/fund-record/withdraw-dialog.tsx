import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Money } from '../figures/money.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { call } from '../http/client.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import { type Beneficiary, placeOf } from './beneficiary.ts';

interface WithdrawDialogProps {
  readonly to: Beneficiary;
  readonly onClose: () => void;
}

interface Quoted extends OutputOf<typeof endpoints.withdrawal.getQuote> {
  readonly productId: number;
}

/** Asks for the amount first, then shows fee and payout amount. Money moves only when the second step is confirmed. */
export function WithdrawDialog({ to, onClose }: WithdrawDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const [quoted, setQuoted] = useState<Quoted>();
  const [productId, setProductId] = useState(to.products[0]?.productId);
  const product = to.products.find((each) => each.productId === productId);
  const title = `${t('withdrawal.withdraw')} · ${to.userName}`;
  if (quoted) return <ConfirmDialog title={title} to={to} quoted={quoted} onClose={onClose} />;
  return (
    <FormDialog
      title={title}
      facts={[[t('withdrawal.to'), placeOf(to)]]}
      fields={[
        {
          name: 'productId',
          label: t('orders.product'),
          kind: 'choice',
          options: to.products.map((each) => ({
            value: each.productId,
            label: `${each.productId} ${productLabel(name, each.productId, each.productName)}`,
          })),
          initial: productId,
          required: true,
          onChange: (value) => setProductId(value as number),
        },
        {
          name: 'amount',
          label: t('withdrawal.arrives'),
          kind: 'money',
          currency: product?.currency ?? 'INR',
          required: true,
        },
      ]}
      consequence={t('withdrawal.quoteConsequence')}
      okText={t('withdrawal.next')}
      onSubmit={async (values) => {
        const wish = values as { readonly productId: number; readonly amount: number };
        const quote = await call(endpoints.withdrawal.getQuote, { beneficiaryId: to.id, ...wish });
        setQuoted({ ...quote, productId: wish.productId });
        return 'stay';
      }}
      onClose={onClose}
    />
  );
}

function ConfirmDialog({
  title,
  to,
  quoted: { productId, currency, amount, fee, total, available },
  onClose,
}: WithdrawDialogProps & { readonly title: string; readonly quoted: Quoted }) {
  const { t } = useTranslation();
  const send = useSend(
    endpoints.withdrawal.getWithdrawals,
    endpoints.party.getFundRecordList,
    endpoints.user.getTotalBalance,
  );
  // One key per dialog: a double click, or a new try after a lost answer, makes one withdrawal.
  const [requestKey] = useState(() => crypto.randomUUID());
  const money = (minor: number, strong = false) => (
    <Money minor={minor} currency={currency} strong={strong} />
  );
  return (
    <DecisionDialog
      title={title}
      facts={[
        [t('withdrawal.to'), placeOf(to)],
        [t('withdrawal.arrives'), money(amount, true)],
        [t('orders.fee'), money(fee)],
        [t('withdrawal.total'), money(total, true)],
        [t('withdrawal.left'), money(available - total)],
      ]}
      consequence={t('withdrawal.consequence')}
      okText={t('withdrawal.withdraw')}
      onConfirm={async () => {
        const wish = { beneficiaryId: to.id, productId, amount, fee, requestKey };
        await send(endpoints.withdrawal.withdraw, wish, t('withdrawal.done'));
        return true;
      }}
      onClose={onClose}
    />
  );
}
