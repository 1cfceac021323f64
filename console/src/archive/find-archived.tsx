import { Alert, Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useCall } from '../http/use-call.ts';
import { useTabParam } from '../navigation/tab-location.ts';
import styles from './archive.module.css';

/** The key of an archived order in the address. The keys of files are plain numbers. */
const keyOf = (orderCode: string) => `o${orderCode}`;
export const openedOrder = (key: string): string | undefined => /^o(\d+)$/.exec(key)?.[1];

/** Finds orders that are in the archive. */
export function FindArchived() {
  const { t } = useTranslation();
  const [, setOpen] = useTabParam('open');
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const answer = useCall(endpoints.archive.findArchived, { text: asked }, { enabled: asked !== '' });
  return (
    <section className={styles['find']} aria-label={t('archive.find')}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text.trim());
        }}
      >
        <Input
          aria-label={t('archive.findHint')}
          placeholder={t('archive.findHint')}
          allowClear
          maxLength={64}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button htmlType="submit" disabled={text.trim() === ''}>
          {t('archive.find')}
        </Button>
      </form>
      {answer.isError && <Alert type="error" showIcon title={answer.error.message} />}
      {asked !== '' && answer.data?.list.length === 0 && <NothingYet text={t('archive.notFound')} />}
      {asked !== '' && answer.data && answer.data.list.length > 0 && (
        <PlainTable
          rows={answer.data.list}
          keyOf={({ orderCode }) => orderCode}
          columns={[
            {
              title: t('archive.order'),
              cell: ({ orderCode }) => (
                <Button type="link" size="small" onClick={() => setOpen(keyOf(orderCode))}>
                  {orderCode}
                </Button>
              ),
            },
            {
              title: t('archive.kind'),
              cell: ({ direction }) =>
                t(direction === 'in' ? 'entity.kinds.collectionOrder' : 'entity.kinds.payoutOrder'),
            },
            { title: t('archive.mchOrderNo'), cell: ({ mchOrderNo }) => mchOrderNo },
            { title: t('archive.created'), cell: ({ createTime }) => <Moment time={createTime} /> },
          ]}
        />
      )}
    </section>
  );
}
