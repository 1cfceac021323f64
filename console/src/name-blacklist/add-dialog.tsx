import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';

type AddInput = InputOf<typeof endpoints.nameList.addListedName>;

/** Adds a name to the operator's own list. */
export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.nameList.getListedNames, endpoints.nameList.getNameLists);
  const fields: readonly DialogField[] = [
    { name: 'name', label: t('nameBlacklist.name'), kind: 'text', maxLength: 256, required: true },
    {
      name: 'aliases',
      label: t('nameBlacklist.aliases'),
      hint: t('nameBlacklist.aliasesHint'),
      kind: 'lines',
    },
    ...MARK_KINDS.map(
      (kind) => ({ name: kind, label: name('nameMarks', kind), kind: 'text', maxLength: 64 }) as const,
    ),
    { name: 'note', label: t('ipRules.note'), kind: 'text', maxLength: 256 },
    { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true },
  ];
  return (
    <FormDialog
      title={t('nameBlacklist.add')}
      fields={fields}
      consequence={t('nameBlacklist.consequence.add')}
      okText={t('nameBlacklist.add')}
      onSubmit={async (values) => {
        await send(endpoints.nameList.addListedName, values as AddInput, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
