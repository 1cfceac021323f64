import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Money } from '../figures/money.tsx';
import { useSend } from '../http/use-send.ts';
import type { BankMessage, MessageCall } from './bank-message.ts';

/** Requests about a credit. A second person has to agree. */
export const CREDIT_REQUESTS = {
  /** The credit was refunded by hand, or the money is not ours. */
  settleOutside: { call: endpoints.lost.settleOutside, consequence: 'messages.settleConsequence' },
  /** The credit's order was completed as an offset, outside the account that the credit came to. */
  correctOffset: { call: endpoints.lost.correctOffset, consequence: 'messages.correctOffsetConsequence' },
} as const;

export type CreditRequest = keyof typeof CREDIT_REQUESTS;

interface CreditRequestDialogProps {
  readonly request: CreditRequest;
  readonly message: BankMessage;
  /** The call of the list that shows the message. */
  readonly call: MessageCall;
  readonly onClose: () => void;
}

export function CreditRequestDialog({ request, message, call, onClose }: CreditRequestDialogProps) {
  const { t } = useTranslation();
  const send = useSend(call);
  const asked = CREDIT_REQUESTS[request];
  return (
    <FormDialog
      title={t(`messages.${request}`)}
      facts={[
        [
          t('approvalFields.amount'),
          message.currency && <Money minor={message.amount} currency={message.currency} />,
        ],
        ['UTR', message.utr],
      ]}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true }]}
      consequence={t(asked.consequence)}
      okText={t(`messages.${request}`)}
      onSubmit={async ({ reason }) => {
        const input = { messageId: message.id, reason: String(reason) };
        await send(asked.call, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
