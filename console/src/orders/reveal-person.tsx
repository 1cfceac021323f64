import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { REVEALED_FIELDS } from '@sangam/contract/personal-data.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Copyable } from '../figures/copyable.tsx';
import type { InputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useMayCall } from '../session/may-call.ts';

interface RevealPersonProps {
  readonly orderCode: string;
  /** The values that the order has of its payer or payee, with labels. */
  readonly values: readonly (readonly [
    field: (typeof REVEALED_FIELDS)[number],
    label: string,
    shown: string | null,
  ])[];
}

/** Shows one masked value, for a stated reason, to a viewer who sees it masked. Closing the dialog hides it. */
export function RevealPerson({ orderCode, values }: RevealPersonProps) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const send = useSend();
  const [isOpen, setOpen] = useState(false);
  const [value, setValue] = useState<string>();
  const options = values.flatMap(([field, label, shown]) =>
    shown === null ? [] : [{ value: field, label }],
  );
  if (!mayCall(endpoints.order.revealPerson) || options.length === 0) return null;
  const close = () => {
    setOpen(false);
    setValue(undefined);
  };
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('accounts.reveal')}
      </Button>
      {isOpen && (
        <FormDialog
          title={`${t('accounts.reveal')} · ${orderCode}`}
          fields={[
            {
              name: 'field',
              label: t('accounts.revealField'),
              kind: 'choice',
              options,
              initial: options[0]!.value,
              required: true,
            },
            { name: 'reason', label: t('fund.reason'), kind: 'lines', required: true },
          ]}
          consequence={t('accounts.revealConsequence')}
          okText={t('accounts.reveal')}
          onSubmit={async (given) => {
            const input = { orderCode, ...given } as InputOf<typeof endpoints.order.revealPerson>;
            setValue((await send(endpoints.order.revealPerson, input, t('accounts.revealed'))).value);
            return 'stay';
          }}
          onClose={close}
        >
          {value && (
            <p role="status">
              <Copyable text={value} limit={64} />
            </p>
          )}
        </FormDialog>
      )}
    </>
  );
}
