import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { OnceDialog } from '../dialogs/once-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import { PARTY_LISTS } from './party.ts';

interface RotateSecretDialogProps {
  readonly merchantId: string;
  readonly name: string;
  /** The viewer is the merchant's own user, the only one who is shown the secret. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

const DAY_MINUTES = 1440;

/** Makes a new secret. The old one stays valid for a while, so that the merchant can change over. */
export function RotateSecretDialog({ merchantId, name, isOwn, onClose }: RotateSecretDialogProps) {
  const { t } = useTranslation();
  const send = useSend(...PARTY_LISTS);
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined)
    return (
      <OnceDialog
        title={t('people.secretMade')}
        secrets={[{ label: t('people.secret'), value: secret }]}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={`${t('people.rotateSecret')} · ${name}`}
      fields={[
        {
          name: 'overlapMinutes',
          label: t('people.overlapMinutes'),
          hint: t('people.overlapHint'),
          kind: 'whole',
          max: 30 * DAY_MINUTES,
          initial: DAY_MINUTES,
          required: true,
        },
      ]}
      consequence={t(isOwn ? 'people.rotateConsequence' : 'people.voidConsequence')}
      okText={t('people.rotateSecret')}
      onSubmit={async ({ overlapMinutes }) => {
        const issued = await send(
          endpoints.merchant.rotateSecret,
          { id: merchantId, overlapMinutes: overlapMinutes as number },
          t('people.secretMade'),
        );
        setSecret(issued.secret);
        return 'stay';
      }}
      onClose={onClose}
    />
  );
}
