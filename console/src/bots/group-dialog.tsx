import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ALERT_KINDS } from '@sangam/contract/alerts.ts';
import { BOTS, MOST_A_MINUTE } from '@sangam/contract/bots.ts';
import { LOCALES } from '@sangam/contract/locale.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';

export type Group = RowOf<typeof endpoints.bot.getBotGroups>;
type Saved = InputOf<typeof endpoints.bot.saveBotGroup>;

/** The name of each language in that language. */
const LANGUAGES: Readonly<Record<(typeof LOCALES)[number], string>> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
};
const CLOCK = /^([01]?\d|2[0-3]):[0-5]\d$/;
const NOBODY = 'nobody';

/** Minutes of the day as a clock time: 90 is 01:30. */
function clockOf(minute: number | null | undefined): string | undefined {
  if (minute === null || minute === undefined) return undefined;
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function minuteOf(clock: unknown): number | null {
  if (typeof clock !== 'string') return null;
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

interface GroupDialogProps {
  /** The group to change, or the initial values of a new one. */
  readonly group: Partial<Group>;
  readonly onClose: () => void;
}

/** Adds a group to the white list, or changes one. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const { t } = useTranslation();
  const send = useSend(
    endpoints.bot.getBotGroups,
    endpoints.bot.getUnknownChats,
    endpoints.bot.getUnknownSenders,
  );
  const fields = useGroupFields(group);
  const title = t(group.id === undefined ? 'botScreens.add' : 'botScreens.edit');
  return (
    <FormDialog
      title={title}
      fields={fields}
      width={640}
      consequence={t('botScreens.saveConsequence')}
      okText={t('people.save')}
      onSubmit={async (typed) => {
        const isOwned = typed['ownerKind'] !== NOBODY;
        const senders = (typeof typed['senders'] === 'string' ? typed['senders'] : '')
          .split(/[\s,，]+/)
          .filter(Boolean);
        await send(
          endpoints.bot.saveBotGroup,
          {
            ...typed,
            ...(group.id !== undefined && { id: group.id, bot: group.bot }),
            ownerKind: isOwned ? typed['ownerKind'] : null,
            ownerId: isOwned ? (typed['ownerId'] ?? null) : null,
            kinds: typed['kinds'] ?? [],
            senders,
            quietFrom: minuteOf(typed['quietFrom']),
            quietTo: minuteOf(typed['quietTo']),
            enabled: typed['enabled'] === true,
          } as Saved,
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}

function useGroupFields(group: Partial<Group>): readonly DialogField[] {
  const { t } = useTranslation();
  const name = useNames();
  const clock = { kind: 'text', pattern: CLOCK, invalid: 'HH:mm', hint: t('botScreens.quietHint') } as const;
  const bot: readonly DialogField[] =
    group.id !== undefined
      ? []
      : [
          {
            name: 'bot',
            label: t('botScreens.bot'),
            kind: 'choice',
            required: true,
            initial: group.bot ?? 'alert',
            options: BOTS.map((value) => ({ value, label: t(`botScreens.bots.${value}`) })),
          },
        ];
  return [
    ...bot,
    {
      name: 'chatId',
      label: t('botScreens.chatId'),
      kind: 'text',
      required: true,
      initial: group.chatId,
      pattern: /^-?\d{1,16}$/,
      invalid: '-1001234567890',
    },
    {
      name: 'title',
      label: t('botScreens.title'),
      kind: 'text',
      maxLength: 128,
      required: true,
      initial: group.title,
    },
    {
      name: 'ownerKind',
      label: t('botScreens.ownerKind'),
      kind: 'choice',
      required: true,
      initial: group.ownerKind ?? NOBODY,
      options: [
        { value: NOBODY, label: t('botScreens.nobody') },
        { value: 'merchant', label: name('roles', 'merchant') },
        { value: 'supplier', label: name('roles', 'supplier') },
      ],
    },
    {
      name: 'ownerId',
      label: t('botScreens.ownerId'),
      kind: 'text',
      initial: group.ownerId ?? undefined,
      pattern: /^\d{1,19}$/,
      when: (typed) => typed['ownerKind'] !== NOBODY,
    },
    {
      name: 'kinds',
      label: t('botScreens.kinds'),
      kind: 'choices',
      initial: group.kinds ?? [],
      options: ALERT_KINDS.map((value) => ({ value, label: name('alertKinds', value) })),
    },
    {
      name: 'senders',
      label: t('botScreens.senders'),
      hint: t('botScreens.sendersHint'),
      kind: 'text',
      initial: group.senders?.join(', '),
    },
    {
      name: 'perMinute',
      label: t('botScreens.perMinute'),
      kind: 'whole',
      min: 1,
      max: MOST_A_MINUTE,
      required: true,
      initial: group.perMinute ?? MOST_A_MINUTE,
    },
    { ...clock, name: 'quietFrom', label: t('botScreens.quietFrom'), initial: clockOf(group.quietFrom) },
    { ...clock, name: 'quietTo', label: t('botScreens.quietTo'), initial: clockOf(group.quietTo) },
    {
      name: 'locale',
      label: t('botScreens.locale'),
      kind: 'choice',
      required: true,
      initial: group.locale ?? 'zh-CN',
      options: LOCALES.map((value) => ({ value, label: LANGUAGES[value] })),
    },
    { name: 'enabled', label: t('botScreens.enabled'), kind: 'flag', initial: group.enabled ?? true },
    { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true },
  ];
}
