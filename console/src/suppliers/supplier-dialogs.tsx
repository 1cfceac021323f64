import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MOST_OPEN_CLAIMS } from '@sangam/contract/payouts.ts';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { InputOf } from '../http/call-types.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { OnceDialog, type ShownOnce } from '../dialogs/once-dialog.tsx';
import { type Supplier, PARTY_LISTS } from '../parties/party.ts';
import { useStandsOn } from '../parties/stands-on.ts';

interface DialogProps {
  readonly onClose: () => void;
}

function useAgentField(supplier?: Supplier): DialogField {
  const { t } = useTranslation();
  const { suppliers } = useFilterOptions();
  return {
    name: 'agentId',
    label: t('people.broughtBy'),
    kind: 'choice',
    options: suppliers.filter(({ value }) => value !== supplier?.id),
    initial: supplier?.agentId,
  };
}

/** Creates a supplier. Where a merchant is created with it, the dialog then shows that merchant's id and user name. */
export function NewSupplierDialog({ onClose }: DialogProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const send = useSend(...PARTY_LISTS, endpoints.todo.getStarted);
  const standsOn = useStandsOn('supplier');
  const agent = useAgentField();
  const [made, setMade] = useState<readonly ShownOnce[]>();
  if (made) return <OnceDialog title={t('people.supplierMade')} secrets={made} onClose={onClose} />;
  return (
    <FormDialog
      title={t('people.newSupplier')}
      fields={[...standsOn, agent]}
      consequence={t('people.newSupplierConsequence')}
      okText={t('people.create')}
      onSubmit={async (values) => {
        const input = values as InputOf<typeof endpoints.merchant.createSupplier>;
        const { merchant, agentTodoId } = await send(
          endpoints.merchant.createSupplier,
          input,
          t('people.supplierMade'),
        );
        if (agentTodoId !== null) message.info(t('people.agentWaits'));
        if (!merchant) return 'close';
        setMade([
          { label: t('people.merchantId'), value: merchant.id },
          { label: t('people.relatedMerchant'), value: merchant.account },
        ]);
        return 'stay';
      }}
      onClose={onClose}
    />
  );
}

export function EditSupplierDialog({ supplier, onClose }: DialogProps & { readonly supplier: Supplier }) {
  const { t } = useTranslation();
  const send = useSend(...PARTY_LISTS);
  const agent = useAgentField(supplier);
  return (
    <FormDialog
      title={`${t('people.edit')} · ${supplier.name}`}
      fields={[
        { name: 'name', label: t('people.name'), kind: 'text', initial: supplier.name, required: true },
        { name: 'enabled', label: t('people.enabled'), kind: 'flag', initial: supplier.enabled },
        {
          name: 'openClaimsMax',
          label: t('people.openClaimsMax'),
          hint: t('people.openClaimsHint'),
          kind: 'whole',
          min: 1,
          max: MOST_OPEN_CLAIMS,
          initial: supplier.openClaimsMax,
          required: true,
        },
        agent,
      ]}
      consequence={t('people.agentConsequence')}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const input = { id: supplier.id, agentId: null, ...values } as InputOf<
          typeof endpoints.merchant.updateSupplier
        >;
        await send(endpoints.merchant.updateSupplier, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
