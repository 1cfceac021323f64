import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ACCOUNT_AREAS, type AccountArea } from '@sangam/contract/account-kinds.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf } from '../http/call-types.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { useViewer } from '../session/viewer.ts';
import { kindTyped, termsOf, useIdentityFields, useTermsFields } from './account-fields.ts';
import { useAreaProducts } from './area-products.ts';
import {
  credentialsOf,
  hasMaker,
  useGatewayKeys,
  useGatewayMaker,
  useWebhookSecret,
} from './gateway-fields.ts';
import { useAccountSend } from './use-account-send.ts';

interface NewAccountDialogProps {
  readonly area: AccountArea;
  readonly onClose: () => void;
}

/** Doubts that the server may raise about the input, and the field by which the user confirms the input all the same. */
const DOUBTS = { looksLikeCard: 'confirmNotCard', unknownBranch: 'confirmNewBranch' } as const;
type Doubt = keyof typeof DOUBTS;

/** Creates an account. Its products decide its kind, and its kind decides the fields. */
export function NewAccountDialog({ area, onClose }: NewAccountDialogProps) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { suppliers } = useFilterOptions();
  const products = useAreaProducts(area);
  const [doubts, setDoubts] = useState<readonly Doubt[]>([]);
  const send = useAccountSend((reason) => {
    if (reason in DOUBTS) setDoubts((known) => [...new Set([...known, reason as Doubt])]);
  });
  const [chosen, setChosen] = useState<readonly number[]>(
    products.length === 1 ? products.map(({ id }) => id) : [],
  );
  const picked = products.filter(({ id }) => chosen.includes(id));
  const channels = picked.map(({ channel }) => channel);
  const currency = (picked[0] ?? products[0])?.currency ?? 'INR';
  const identity = useIdentityFields(
    (typed) => kindTyped(channels, ACCOUNT_AREAS[area].kinds[0], typed),
    true,
  );
  const terms = useTermsFields(currency, {});
  const maker = useGatewayMaker(ACCOUNT_AREAS[area].directions[0], false);
  const keys = useGatewayKeys(hasMaker);
  const webhook = useWebhookSecret(hasMaker);
  const perOrder = (name: 'minAmount' | 'maxAmount') =>
    ({ name, label: t(`terms.${name}`), kind: 'money', currency, required: true }) as const;

  return (
    <FormDialog
      title={t('accounts.new')}
      width={560}
      fields={[
        ...(viewer.access === 'supplier'
          ? []
          : [
              {
                name: 'supplierId',
                label: t('orders.supplier'),
                kind: 'choice' as const,
                options: suppliers,
                required: true,
              },
            ]),
        {
          name: 'products',
          label: t('orders.product'),
          kind: 'choices',
          options: products.map(({ id, label }) => ({ value: id, label: `${id} ${label}` })),
          initial: chosen,
          required: true,
          onChange: (value) => setChosen(value as number[]),
        },
        ...identity,
        {
          name: 'senderHeader',
          label: t('accounts.senderHeader'),
          hint: t('accounts.senderHeaderHint'),
          kind: 'text',
          maxLength: 9,
          pattern: /^[A-Za-z0-9]{3,9}$/,
          invalid: t('accounts.senderHeaderHint'),
          required: true,
          when: (typed) =>
            ['bank', 'upi', 'card', 'wallet'].includes(
              kindTyped(channels, ACCOUNT_AREAS[area].kinds[0], typed),
            ),
        },
        ...(channels.includes('gateway') ? [...maker, ...keys, webhook] : []),
        ...doubts.map((doubt) => ({
          name: DOUBTS[doubt],
          label: t(`accounts.doubts.${doubt}`),
          kind: 'flag' as const,
        })),
        perOrder('minAmount'),
        perOrder('maxAmount'),
        {
          name: 'weight',
          label: t('accounts.weight'),
          kind: 'whole',
          max: 10_000,
          initial: 100,
          required: true,
        },
        ...terms,
      ]}
      consequence={t('accounts.newConsequence')}
      okText={t('people.create')}
      onSubmit={async ({ products: ids, minAmount, maxAmount, weight, ...rest }) => {
        const { provider, payScriptId, keyId, keySecret, webhookSecret, ...values } = rest;
        const credentials = credentialsOf({ provider, payScriptId, keyId, keySecret, webhookSecret });
        const input = {
          ...values,
          ...termsOf(values),
          products: (ids as number[]).map((productId) => ({ productId, minAmount, maxAmount, weight })),
          ...(keyId === undefined ? {} : { credentials }),
        } as InputOf<typeof endpoints.account.createAccount>;
        await send(endpoints.account.createAccount, input, t('accounts.made'));
      }}
      onClose={onClose}
    />
  );
}
