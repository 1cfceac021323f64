import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import type { InputOf } from '../http/call-types.ts';
import { Facts } from '../figures/details.tsx';
import { useNames } from '../language/names.ts';
import styles from './approvals.module.css';

type Template = InputOf<typeof endpoints.messageTemplate.saveMessageTemplate>['template'];

interface TemplateChangeProps {
  readonly now: Template;
  /** Null for a new template. */
  readonly before: Template | null;
}

/** A change of a message template: all of a new template; of an existing one each part that changes, before and after. */
export function TemplateChange({ now, before }: TemplateChangeProps) {
  const { t } = useTranslation();
  const name = useNames();
  const partsOf = (template: Template): readonly (readonly [label: string, text: string])[] => [
    [t('accounts.bank'), template.bank],
    [t('templates.country'), template.currency],
    [t('templates.senders'), template.senderHeaders.join(' ')],
    [`${t('templates.senders')} · S T G`, (template.suffixes ?? []).join(' ')],
    [t('templates.rule'), name('messageRules', template.rule)],
    [t('messages.reason'), template.reason ? name('ignoreReasons', template.reason) : ''],
    [t('templates.kind'), name('messageKinds', template.kind)],
    [t('templates.priority'), String(template.priority)],
    [t('templates.pattern'), template.pattern],
    [t('templates.details'), (template.details ?? []).join('\n')],
    [t('templates.unless'), template.unless ?? ''],
    [t('people.enabled'), template.enabled ? '✓' : '–'],
    [
      t('templates.samples'),
      template.samples
        .map(({ text, expected }) => [...Object.values(expected ?? {}), text].join(' | '))
        .join('\n'),
    ],
  ];
  const old = before && partsOf(before);
  const changed = partsOf(now).flatMap(([label, text], index) => {
    const was = old?.[index]?.[1] ?? '';
    return text === was ? [] : [{ label, text, was }];
  });
  return (
    <Facts
      facts={changed.map(({ label, text, was }) => [
        label,
        <span className={styles['long']}>
          {was !== '' && <del>{was}</del>}
          {text}
        </span>,
      ])}
    />
  );
}
