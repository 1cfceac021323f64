import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { IP_DOORS, IP_EFFECTS, type IpDoor, type IpEffect } from '@sangam/contract/ip-rules.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { useSubjects } from './subject.ts';
import { TryBox } from './try-box.tsx';

export type Rule = RowOf<typeof endpoints.ipRule.getIpRules>;

interface RuleDialogProps {
  /** The rule to change; absent for a new one. */
  readonly rule?: Rule;
  readonly onClose: () => void;
}

/** Writes a rule. The user can try it on an address before saving. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.ipRule.getIpRules);
  const [door, setDoor] = useState<IpDoor>(rule?.door ?? 'console');
  const [draft, setDraft] = useState({
    id: rule?.id,
    effect: rule?.effect ?? ('deny' as IpEffect),
    subject: rule?.subject ?? 'anyone',
    network: rule?.network ?? '',
  });
  const subjects = useSubjects(door);
  const take = (field: keyof typeof draft) => (value: unknown) =>
    setDraft((before) => ({ ...before, [field]: typeof value === 'string' ? value.trim() : 'anyone' }));
  const fields: readonly DialogField[] = [
    {
      name: 'door',
      label: t('ipRules.door'),
      kind: 'choice',
      options: IP_DOORS.map((each) => ({ value: each, label: name('ipDoors', each) })),
      initial: door,
      required: true,
      onChange: (value) => setDoor(value as IpDoor),
    },
    {
      name: 'effect',
      label: t('ipRules.effect'),
      kind: 'choice',
      options: IP_EFFECTS.map((each) => ({ value: each, label: name('ipEffects', each) })),
      initial: draft.effect,
      required: true,
      onChange: take('effect'),
    },
    {
      name: 'subject',
      label: t('ipRules.subject'),
      kind: 'choice',
      options: subjects,
      initial: draft.subject,
      required: true,
      onChange: take('subject'),
    },
    {
      name: 'network',
      label: t('ipRules.network'),
      hint: t('ipRules.networkHint'),
      kind: 'text',
      maxLength: 64,
      initial: draft.network,
      required: true,
      onChange: take('network'),
    },
    {
      name: 'expiresTime',
      label: t('ipRules.expires'),
      hint: t('ipRules.expiresHint'),
      kind: 'time',
      initial: rule?.expiresTime,
    },
    { name: 'note', label: t('ipRules.note'), kind: 'text', maxLength: 256, initial: rule?.note },
    { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true },
  ];
  return (
    <FormDialog
      title={t(rule ? 'ipRules.change' : 'ipRules.add')}
      fields={fields}
      consequence={t('ipRules.consequence')}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const input = { ...(rule && { id: rule.id }), ...values };
        await send(
          endpoints.ipRule.saveIpRule,
          input as InputOf<typeof endpoints.ipRule.saveIpRule>,
          t('people.saved'),
        );
      }}
      onClose={onClose}
    >
      <TryBox door={door} draft={draft} />
    </FormDialog>
  );
}
