import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { EntityKind } from '@sangam/contract/entity.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { endpoints } from 'virtual:endpoints';
import { type Fact, Facts, NothingYet, Section } from '../figures/details.tsx';
import { entryText } from '../figures/entry-values.ts';
import { Moment } from '../figures/moment.tsx';
import { columnMoney, recordText } from '../figures/record-values.ts';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import { subjectText } from '../language/record-words.ts';
import { jsonOf, meaningOf } from './meanings.ts';
import styles from './entity.module.css';

type Entity = OutputOf<typeof endpoints.entity.getEntity>;

interface EntityPartsProps {
  readonly entity: Entity;
  readonly onShow: (kind: EntityKind, id: string) => void;
}

/** The parts of an entity: fields, relations, history, audit. */
export function EntityParts({ entity, onShow }: EntityPartsProps) {
  const { t } = useTranslation();
  return (
    <>
      {entity.at !== null && <Alert type="info" showIcon title={t('entity.asOf', { time: entity.at })} />}
      {entity.isArchived && <Alert type="info" showIcon title={t('archive.archived')} />}
      <Fields entity={entity} />
      <Section title={t('entity.relations')} count={entity.relations.length}>
        {entity.relations.length === 0 && <NothingYet text={t('entity.noRelations')} />}
        <Facts
          facts={entity.relations.map(({ kind, ids }): Fact => [
            t(`entity.kinds.${kind}`),
            <span className={styles['links']}>
              {ids.map((id) => (
                <Button key={id} type="link" size="small" onClick={() => onShow(kind, id)}>
                  {id}
                </Button>
              ))}
            </span>,
          ])}
        />
      </Section>
      <History entity={entity} />
      <Audit entity={entity} />
    </>
  );
}

/** The currency of an entity's amounts. Amounts of an unknown currency are shown in minor units. */
const currencyOf = ({ fields }: Entity) =>
  (fields.find(({ name }) => name === 'currency')?.value ?? null) as Currency | null;

function Fields({ entity }: { readonly entity: Entity }) {
  const { kind, id, fields } = entity;
  const { t } = useTranslation();
  const name = useNames();
  const currency = currencyOf(entity);
  const meaning = (field: string, value: string): { readonly text: string; readonly isCode?: boolean } => {
    const json = jsonOf(value);
    if (json !== undefined) return { text: recordText(name, field, json, { currency, setting: undefined }) };
    const money = columnMoney(name, field, value, currency);
    if (money !== undefined) return { text: money };
    const text = meaningOf(name, kind, field, value);
    return { text, isCode: text !== value && /\p{L}/u.test(text) };
  };
  return (
    <Section title={`${t(`entity.kinds.${kind}`)} ${id}`} count={fields.length}>
      <Facts
        facts={fields.map(({ name: field, value, differs }): Fact => {
          if (value === null) return [name('entityFields', field), null];
          const { text, isCode } = meaning(field, value);
          return [
            name('entityFields', field),
            <span className={differs ? styles['differs'] : undefined} title={field}>
              {text}
              {isCode && <code className={styles['raw']}>{value}</code>}
            </span>,
          ];
        })}
      />
    </Section>
  );
}

function History({ entity }: { readonly entity: Entity }) {
  const { kind: of, history } = entity;
  const { t } = useTranslation();
  const name = useNames();
  if (history.length === 0) return null;
  const status = (id: number | null) => (id === null ? '–' : meaningOf(name, of, 'status', String(id)));
  return (
    <Section title={t('entity.history')} count={history.length}>
      <PlainTable
        rows={history}
        keyOf={({ id }) => id}
        columns={[
          { title: t('audit.time'), cell: ({ time }) => <Moment time={time} exact /> },
          { title: t('audit.action'), cell: ({ kind }) => name('events', kind) },
          {
            title: t('entity.status'),
            cell: ({ fromStatus, toStatus }) => `${status(fromStatus)} → ${status(toStatus)}`,
          },
          {
            title: t('entity.actor'),
            cell: ({ actor, actorKind }) => [actor, name('actors', actorKind)].filter(Boolean).join(' · '),
          },
          { title: t('fund.reason'), cell: ({ reason }) => reason ?? '–' },
          {
            title: t('entity.data'),
            wraps: true,
            cell: ({ data }) =>
              recordText(name, '', data, { currency: currencyOf(entity), setting: undefined }) || '–',
          },
        ]}
      />
    </Section>
  );
}

const DIRECTIONS: Readonly<Partial<Record<EntityKind, 'in' | 'out'>>> = {
  collectionOrder: 'in',
  payoutOrder: 'out',
};

function Audit({ entity }: { readonly entity: Entity }) {
  const { audit } = entity;
  const { t } = useTranslation();
  const name = useNames();
  const direction = DIRECTIONS[entity.kind];
  const order = direction ? { direction, currency: currencyOf(entity) } : null;
  return (
    <Section title={t('areas.systemAudit')} count={audit.length}>
      {audit.length === 0 && <NothingYet text={t('audit.none')} />}
      {audit.length > 0 && (
        <PlainTable
          rows={audit}
          keyOf={({ id }) => id}
          columns={[
            { title: t('audit.time'), cell: ({ time }) => <Moment time={time} exact /> },
            { title: t('people.account'), cell: ({ account }) => account ?? t('audit.system') },
            { title: t('audit.action'), cell: ({ action }) => name('auditActions', action) },
            { title: t('audit.subject'), cell: ({ subject }) => subjectText(name, subject) },
            {
              title: t('approvalFields.before'),
              wraps: true,
              cell: (entry) => entryText(name, { ...entry, order }, entry.before),
            },
            {
              title: t('approvalFields.after'),
              wraps: true,
              cell: (entry) => entryText(name, { ...entry, order }, entry.after),
            },
            { title: t('fund.reason'), cell: ({ reason }) => reason ?? '–' },
          ]}
        />
      )}
    </Section>
  );
}
