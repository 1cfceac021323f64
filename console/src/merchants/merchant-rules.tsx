import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { addressesOf, addressFields, wordsOf } from '../parties/address-lists.ts';
import { type Merchant, PARTY_LISTS } from '../parties/party.ts';

interface RuleDialogProps {
  readonly merchant: Merchant;
  readonly onClose: () => void;
}

/** How often a merchant may call, and from which addresses. */
export function LimitsDialog({ merchant, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.merchant.getLimits);
  const { data: limits } = useCall(endpoints.merchant.getLimits, { id: merchant.id });
  if (!limits) return null;
  const fields: readonly DialogField[] = [
    {
      name: 'callsPerSecond',
      label: t('limits.callsPerSecond'),
      hint: t('limits.callsHint'),
      kind: 'whole',
      min: 1,
      max: 100_000,
      initial: limits.callsPerSecond,
    },
    ...addressFields(t, limits),
  ];
  return (
    <FormDialog
      title={`${t('limits.title')} · ${merchant.name}`}
      fields={fields}
      consequence={t('limits.consequence')}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const callsPerSecond = (values['callsPerSecond'] as number | undefined) ?? null;
        await send(
          endpoints.merchant.updateLimits,
          { id: merchant.id, callsPerSecond, ...addressesOf(values) },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}

/** Whether a merchant's callbacks are sent, and the wait before each attempt. */
export function MerchantCallbacksDialog({ merchant, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.callback.getCallbackList, ...PARTY_LISTS);
  return (
    <FormDialog
      title={`${t('orders.callbacks')} · ${merchant.name}`}
      fields={[
        {
          name: 'paused',
          label: t('callbacks.paused'),
          hint: t('callbacks.pauseConsequence'),
          kind: 'flag',
          initial: merchant.callbacksPaused,
        },
        {
          name: 'waitSeconds',
          label: t('callbacks.waits'),
          hint: t('callbacks.waitsHint'),
          kind: 'text',
          maxLength: 256,
          pattern: /^\d{1,5}([\s,;]+\d{1,5}){0,19}$/,
          invalid: t('callbacks.waitsInvalid'),
          initial: merchant.callbackWaits?.join(', '),
        },
      ]}
      okText={t('people.save')}
      onSubmit={async ({ paused, waitSeconds }) => {
        const waits = wordsOf(waitSeconds).map(Number);
        await send(
          endpoints.callback.setMerchantCallbacks,
          {
            merchantId: merchant.id,
            paused: paused === true,
            waitSeconds: waits.length === 0 ? null : waits,
          },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}

/** After how many business days a merchant's credits become available. */
export function SettlementTermDialog({ merchant, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  const send = useSend(...PARTY_LISTS);
  return (
    <FormDialog
      title={`${t('settlement.term')} · ${merchant.name}`}
      fields={[
        {
          name: 'days',
          label: t('settlement.termDays'),
          hint: t('settlement.termHint'),
          kind: 'whole',
          max: 30,
          initial: merchant.settlementDays,
          required: true,
        },
        { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
      ]}
      consequence={t('settlement.termConsequence')}
      okText={t('people.save')}
      onSubmit={async ({ days, reason }) => {
        await send(
          endpoints.settlement.setSettlementTerm,
          { merchantId: merchant.id, days: days as number, reason: reason as string },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}
