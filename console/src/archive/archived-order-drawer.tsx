import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints, type Call } from 'virtual:endpoints';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { type Fact, Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { columnMoney, recordText } from '../figures/record-values.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { type NameGroup, type Names, useNames } from '../language/names.ts';
import styles from './archive.module.css';

type Archived =
  typeof endpoints.archive.getArchivedOrder extends Call<infer _, infer Output> ? Output : never;
type Fields = Archived['order'];

interface Props {
  readonly orderCode: string;
  readonly onClose: () => void;
}

/** An order in the archive: read it, or ask for its return to the database. */
export function ArchivedOrderDrawer({ orderCode, onClose }: Props) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  const { data, error } = useCall(endpoints.archive.getArchivedOrder, { orderCode }, { everyMs: 10_000 });
  return (
    <RowDrawer
      width={720}
      onClose={onClose}
      title={orderCode}
      extra={
        data?.askedTime === null && (
          <Button type="primary" onClick={() => setIsAsking(true)}>
            {t('archive.restore')}
          </Button>
        )
      }
    >
      {error && <Alert type="error" showIcon title={error.message} />}
      {data && (
        <>
          <Alert
            type={data.failure === null ? 'info' : 'error'}
            showIcon
            title={data.askedTime === null ? t('archive.archived') : t('archive.comesBack')}
            description={data.failure ?? t('archive.archivedText', { file: data.file })}
          />
          <Section title={t('archive.order')}>
            <AllFields of={data} as="order" fields={data.order} />
          </Section>
          <Rows of={data} as="event" title={t('archive.history')} rows={data.history} />
          <Rows of={data} as="other" title={t('archive.messages')} rows={data.messages} />
          <Rows of={data} as="other" title={t('archive.attempts')} rows={data.attempts} />
        </>
      )}
      {isAsking && <RestoreDialog orderCode={orderCode} onClose={() => setIsAsking(false)} />}
    </RowDrawer>
  );
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** Columns whose values are keys, and the group that names these keys. `status` is named by the order's direction. */
const GROUPS: Readonly<Record<'order' | 'event' | 'other', Readonly<Record<string, NameGroup | 'status'>>>> =
  {
    order: { status: 'status', mark: 'orderMark', product_id: 'products' },
    event: { from_status: 'status', to_status: 'status', kind: 'events', actor_kind: 'actors' },
    other: {},
  };

/** What a column's text means, as the screens of orders say it. */
function meaningOf(name: Names, { of, as }: Omit<FieldsProps, 'fields'>, field: string, text: string) {
  const currency = (of.order['currency'] ?? null) as Currency | null;
  const group = GROUPS[as][field];
  if (group === 'status') return name(of.direction === 'in' ? 'collectionStatus' : 'payoutStatus', text);
  if (group) return name(group, text);
  if (as === 'event' && field === 'data')
    return recordText(name, '', JSON.parse(text), { currency, setting: undefined });
  return columnMoney(name, field, text, currency) ?? text;
}

interface FieldsProps {
  readonly of: Archived;
  readonly as: keyof typeof GROUPS;
  readonly fields: Fields;
}

function AllFields({ of, as, fields }: FieldsProps) {
  const name = useNames();
  const told = Object.entries(fields).filter(([, value]) => value !== null && value !== '' && value !== '{}');
  return (
    <Facts
      facts={told.map(([field, value]): Fact => [
        name('entityFields', field),
        TIME.test(value!) ? (
          <Moment time={formatTime(new Date(value!))} exact />
        ) : (
          <span className={styles['value']}>{meaningOf(name, { of, as }, field, value!)}</span>
        ),
      ])}
    />
  );
}

interface RowsProps extends Omit<FieldsProps, 'fields'> {
  readonly title: string;
  readonly rows: readonly Fields[];
}

function Rows({ of, as, title, rows }: RowsProps) {
  const { t } = useTranslation();
  return (
    <Section title={title} count={rows.length}>
      {rows.length === 0 && <NothingYet text={t('archive.nothing')} />}
      {rows.map((row) => (
        <div key={row['id']} className={styles['row']}>
          <AllFields of={of} as={as} fields={row} />
        </div>
      ))}
    </Section>
  );
}

function RestoreDialog({ orderCode, onClose }: Props) {
  const { t } = useTranslation();
  const send = useSend(endpoints.archive.getArchivedOrder, endpoints.archive.getArchives);
  return (
    <FormDialog
      title={t('archive.restoreTitle')}
      facts={[[t('archive.order'), orderCode]]}
      fields={[{ name: 'reason', kind: 'lines', label: t('archive.reason'), required: true, maxLength: 256 }]}
      consequence={t('archive.restoreText')}
      okText={t('archive.restore')}
      onSubmit={async ({ reason }) => {
        await send(
          endpoints.archive.restoreArchived,
          { orderCode, reason: String(reason) },
          t('archive.restoreAsked'),
        );
      }}
      onClose={onClose}
    />
  );
}
