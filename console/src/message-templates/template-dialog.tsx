import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { linesOf, samplesOf, samplesText, type Template } from './template-text.ts';

interface TemplateDialogProps {
  readonly template: Template | undefined;
  /** 0: a new template, or a shipped one that nobody has changed. */
  readonly version: number;
  readonly onClose: () => void;
}

const RULES = ['credit', 'debit', 'ignore', 'otp'] as const;
const REASONS = [
  'future_or_due',
  'failed',
  'collect_request',
  'balance_only',
  'outgoing_confirmation',
  'promo',
  'other',
] as const;
/** The currency by country. The country also decides dates and the form of references. */
const CURRENCY_OF = { IN: 'INR', KE: 'KES' } as const;
const KINDS = ['account', 'card', 'wallet'] as const;

function useFields(template: Template | undefined): readonly DialogField[] {
  const { t } = useTranslation();
  const name = useNames();
  const named = (values: readonly string[], group: 'messageRules' | 'ignoreReasons' | 'messageKinds') =>
    values.map((value) => ({ value, label: name(group, value) }));
  const isRule = (rule: string) => (typed: Readonly<Record<string, unknown>>) => typed['rule'] === rule;

  return [
    {
      name: 'id',
      label: t('templates.id'),
      hint: t('templates.idHint'),
      kind: 'text',
      initial: template?.id,
      required: true,
    },
    { name: 'bank', label: t('accounts.bank'), kind: 'text', initial: template?.bank, required: true },
    {
      name: 'country',
      label: t('templates.country'),
      kind: 'choice',
      options: Object.entries(CURRENCY_OF).map(([value, currency]) => ({ value, label: currency })),
      initial: template?.country ?? 'IN',
      required: true,
    },
    {
      name: 'senderHeaders',
      label: t('templates.senders'),
      hint: t('templates.sendersHint'),
      kind: 'lines',
      initial: template?.senderHeaders.join(' '),
      required: true,
    },
    {
      name: 'rule',
      label: t('templates.rule'),
      kind: 'choice',
      options: named(RULES, 'messageRules'),
      initial: template?.rule ?? 'credit',
      required: true,
    },
    {
      name: 'reason',
      label: t('messages.reason'),
      kind: 'choice',
      options: named(REASONS, 'ignoreReasons'),
      initial: template?.reason ?? 'other',
      required: true,
      when: isRule('ignore'),
    },
    {
      name: 'kind',
      label: t('templates.kind'),
      kind: 'choice',
      options: named(KINDS, 'messageKinds'),
      initial: template?.kind ?? 'account',
      required: true,
    },
    {
      name: 'priority',
      label: t('templates.priority'),
      hint: t('templates.priorityHint'),
      kind: 'whole',
      min: 1,
      max: 1100,
      initial: template?.priority ?? 600,
      required: true,
    },
    {
      name: 'pattern',
      label: t('templates.pattern'),
      hint: t('templates.patternHint'),
      kind: 'lines',
      initial: template?.pattern,
      required: true,
    },
    {
      name: 'details',
      label: t('templates.details'),
      hint: t('templates.detailsHint'),
      kind: 'lines',
      initial: template?.details?.join('\n'),
    },
    { name: 'unless', label: t('templates.unless'), kind: 'lines', initial: template?.unless },
    {
      name: 'samples',
      label: t('templates.samples'),
      hint: t('templates.samplesHint'),
      kind: 'lines',
      initial: template && samplesText(template.samples),
      required: true,
    },
    { name: 'enabled', label: t('people.enabled'), kind: 'flag', initial: template?.enabled ?? true },
  ];
}

/** The editor of a template. The server accepts a template only when its samples parse as stated. */
export function TemplateDialog({ template, version, onClose }: TemplateDialogProps) {
  const { t } = useTranslation();
  const send = useSend(
    endpoints.messageTemplate.getMessageTemplateList,
    endpoints.messageTemplate.getMessageTemplate,
  );
  return (
    <FormDialog
      title={template ? template.id : t('templates.add')}
      width={760}
      fields={useFields(template)}
      consequence={t('templates.consequence')}
      okText={t('people.save')}
      onSubmit={async (values) => {
        const { senderHeaders, details, samples, ...rest } = values as Record<string, string>;
        const saved = {
          ...(template?.suffixes ? { suffixes: template.suffixes } : {}),
          ...rest,
          currency: CURRENCY_OF[values['country'] as keyof typeof CURRENCY_OF],
          senderHeaders: (senderHeaders ?? '')
            .toUpperCase()
            .split(/[\s,]+/)
            .filter(Boolean),
          ...(details === undefined ? {} : { details: linesOf(details) }),
          samples: samplesOf(samples ?? ''),
        };
        await send(
          endpoints.messageTemplate.saveMessageTemplate,
          { template: saved as unknown as Template, version },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}
