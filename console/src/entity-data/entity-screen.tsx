import { Alert, Button, DatePicker, Input, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ENTITY_KINDS, type EntityKind } from '@sangam/contract/entity.ts';
import { endpoints } from 'virtual:endpoints';
import { NothingYet } from '../figures/details.tsx';
import { useCall } from '../http/use-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { EntityParts } from './entity-parts.tsx';
import styles from './entity.module.css';

const TIME = 'YYYY-MM-DD HH:mm:ss';

interface Asked {
  readonly kind: EntityKind;
  readonly id: string;
  readonly at: string | undefined;
}

const isKind = (text: string | null): text is EntityKind => ENTITY_KINDS.some((kind) => kind === text);

function askedOf(search: string): Asked | undefined {
  const query = new URLSearchParams(search);
  const [kind, id] = [query.get('kind'), query.get('id')];
  return isKind(kind) && id ? { kind, id, at: query.get('at') ?? undefined } : undefined;
}

/** Any entity by kind and id, now or at an earlier time, with history, audit entries and related entities. */
export function EntityScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const { search, setSearch } = useTabLocation();
  const asked = askedOf(search);
  const show = ({ kind, id, at }: Asked) =>
    setSearch(() => `?${new URLSearchParams({ kind, id, ...(at ? { at } : {}) })}`);
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <h1>{title(screen)}</h1>
      <EntityForm key={search} asked={asked} onShow={show} />
      {asked ? (
        <Found asked={asked} onShow={(kind, id) => show({ kind, id, at: asked.at })} />
      ) : (
        <NothingYet text={t('entity.hint')} />
      )}
    </section>
  );
}

interface FormProps {
  readonly asked: Asked | undefined;
  readonly onShow: (asked: Asked) => void;
}

function EntityForm({ asked, onShow }: FormProps) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<EntityKind>(asked?.kind ?? 'collectionOrder');
  const [id, setId] = useState(asked?.id ?? '');
  const [at, setAt] = useState(asked?.at);
  const isId = /^\d{1,19}$/.test(id.trim());
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (isId) onShow({ kind, id: id.trim(), at });
      }}
    >
      <Select
        aria-label={t('entity.kind')}
        value={kind}
        className={styles['kind']!}
        options={ENTITY_KINDS.map((each) => ({ value: each, label: t(`entity.kinds.${each}`) }))}
        onChange={setKind}
      />
      <Input
        aria-label={t('entity.id')}
        placeholder={t('entity.id')}
        value={id}
        className={styles['id']!}
        inputMode="numeric"
        autoComplete="off"
        onChange={({ target }) => setId(target.value)}
      />
      <DatePicker
        aria-label={t('entity.asItWas')}
        placeholder={t('entity.asItWas')}
        showTime
        format={TIME}
        value={at === undefined ? null : dayjs(at, TIME)}
        onChange={(moment) => setAt(moment?.format(TIME))}
      />
      <Button type="primary" htmlType="submit" disabled={!isId}>
        {t('entity.show')}
      </Button>
    </form>
  );
}

interface FoundProps {
  readonly asked: Asked;
  readonly onShow: (kind: EntityKind, id: string) => void;
}

function Found({ asked: { kind, id, at }, onShow }: FoundProps) {
  const { t } = useTranslation();
  const entity = useCall(endpoints.entity.getEntity, { kind, id, ...(at === undefined ? {} : { at }) });
  if (entity.isError) return <Alert type="error" showIcon title={entity.error.message} />;
  if (!entity.data) return <NothingYet text={t('entity.looking')} />;
  return <EntityParts entity={entity.data} onShow={onShow} />;
}
