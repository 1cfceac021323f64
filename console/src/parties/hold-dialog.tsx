import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import { type Party, PARTY_LISTS } from './party.ts';

export type Hold = 'freeze' | 'unfreeze' | 'legalHold' | 'liftLegalHold';

interface HoldDialogProps {
  readonly party: Pick<Party, 'id' | 'name'> & { readonly kind: Party['kind'] | 'account' };
  readonly hold: Hold;
  readonly onClose: () => void;
}

/** Freezes a party or an account, or lets it take part again. */
export function HoldDialog({ party, hold, onClose }: HoldDialogProps) {
  const { t } = useTranslation();
  const send = useSend(...PARTY_LISTS, endpoints.party.getResourceList);
  return (
    <FormDialog
      title={`${t(`holds.${hold}`)} · ${party.name}`}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'lines', required: true }]}
      consequence={t(`holds.consequence.${hold}`)}
      okText={t(`holds.${hold}`)}
      danger={hold === 'freeze' || hold === 'legalHold'}
      onSubmit={async ({ reason }) => {
        const subject = {
          subjectKind: party.kind,
          subjectId: party.id,
          reason: reason as string,
        };
        const done = t(`holds.done.${hold}`, { name: party.name });
        if (hold === 'freeze' || hold === 'unfreeze')
          await send(endpoints.merchant.setFrozen, { ...subject, frozen: hold === 'freeze' }, done);
        else {
          await send(endpoints.merchant.setLegalHold, { ...subject, legalHold: hold === 'legalHold' }, done);
        }
      }}
      onClose={onClose}
    />
  );
}
