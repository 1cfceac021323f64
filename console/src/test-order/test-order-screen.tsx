import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { RowOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabParam } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { NewTestOrderDialog } from './new-test-order-dialog.tsx';
import { TestOrderSteps } from './test-order-steps.tsx';
import styles from './test-order.module.css';

/** Test orders: they try a merchant's whole path from signature to callback. Their money is taken back at once. */
export function TestOrderScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const [open, setOpen] = useTabParam('open');
  const [isNew, setIsNew] = useState(false);
  const list = useCall(endpoints.testOrder.getTestOrders, {}, { everyMs: 10_000 });
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <header className={styles['head']}>
        <h1>{title(screen)}</h1>
        <Button type="primary" onClick={() => setIsNew(true)}>
          {t('testOrder.new')}
        </Button>
      </header>
      <p className={styles['soft']}>{t('testOrder.text')}</p>
      {list.isError && <Alert type="error" showIcon title={list.error.message} />}
      {open !== undefined && <TestOrderSteps key={open} mchOrderNo={open} />}
      <Newest rows={list.data?.list ?? []} isLoaded={list.data !== undefined} onOpen={setOpen} />
      {isNew && <NewTestOrderDialog onMade={setOpen} onClose={() => setIsNew(false)} />}
    </section>
  );
}

interface NewestProps {
  readonly rows: readonly RowOf<typeof endpoints.testOrder.getTestOrders>[];
  readonly isLoaded: boolean;
  readonly onOpen: (mchOrderNo: string) => void;
}

function Newest({ rows, isLoaded, onOpen }: NewestProps) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <Section title={t('testOrder.newest')} count={rows.length}>
      {isLoaded && rows.length === 0 && <NothingYet text={t('testOrder.none')} />}
      {rows.length > 0 && (
        <PlainTable
          rows={rows}
          keyOf={({ mchOrderNo }) => mchOrderNo}
          columns={[
            { title: t('audit.time'), cell: ({ time }) => <Moment time={time} /> },
            {
              title: t('testOrder.number'),
              cell: ({ mchOrderNo }) => (
                <Button type="link" size="small" onClick={() => onOpen(mchOrderNo)}>
                  {mchOrderNo}
                </Button>
              ),
            },
            { title: t('testOrder.merchant'), cell: ({ merchantName }) => merchantName },
            { title: t('people.account'), cell: ({ account }) => account },
            {
              title: t('entity.status'),
              cell: ({ status }) =>
                status === null ? t('testOrder.notCreated') : name('collectionStatus', status),
            },
          ]}
        />
      )}
    </Section>
  );
}
