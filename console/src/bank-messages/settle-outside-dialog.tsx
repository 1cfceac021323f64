import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Money } from '../figures/money.tsx';
import { useSend } from '../http/use-send.ts';
import type { BankMessage, MessageCall } from './bank-message.ts';

interface SettleOutsideDialogProps {
  readonly message: BankMessage;
  /** The list the message is on. */
  readonly call: MessageCall;
  readonly onClose: () => void;
}

/** Asks to mark a credit as settled outside the platform; somebody else agrees to it. */
export function SettleOutsideDialog({ message, call, onClose }: SettleOutsideDialogProps) {
  const { t } = useTranslation();
  const send = useSend(call);
  return (
    <FormDialog
      title={t('messages.settleOutside')}
      facts={[
        [
          t('approvalFields.amount'),
          message.currency && <Money minor={message.amount} currency={message.currency} />,
        ],
        ['UTR', message.utr],
      ]}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true }]}
      consequence={t('messages.settleConsequence')}
      okText={t('messages.settleOutside')}
      onSubmit={async ({ reason }) => {
        const input = { messageId: message.id, reason: String(reason) };
        await send(endpoints.lost.settleOutside, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
