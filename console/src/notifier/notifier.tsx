import { BellOutlined } from '@ant-design/icons';
import { Badge, Button, Popover } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { MOST_NEW_ORDERS } from '@sangam/contract/orders.ts';
import { Sums } from '../figures/sums.tsx';
import { useCall } from '../http/use-call.ts';
import type { OutputOf } from '../http/call-types.ts';
import { BellContent } from './bell-content.tsx';
import styles from './notifier.module.css';
import { REPEAT_MS, useNewOrders } from './use-new-orders.ts';
import { useQuiet } from './use-muted.ts';

export type News = OutputOf<typeof endpoints.order.getNewOrders>;

interface NotifierProps {
  readonly path: string;
  /** Opens the list of orders, with the drawer of the order if one is named. */
  readonly onShow: (orderCode?: string) => void;
}

/**
 * Shows a notice about new orders in the header, where it covers no row, field or dialog. The bell beside it keeps them until they
 * have been seen.
 */
export function Notifier({ path, onShow }: NotifierProps) {
  const { t, i18n } = useTranslation();
  const { seen, unseen, told, isTold, confirm } = useNewOrders(path);
  const [quiet] = useQuiet();
  const [open, setOpen] = useState(false);
  const { data } = useCall(
    endpoints.order.getNewOrders,
    { after: seen ?? '0' },
    { enabled: unseen !== undefined, everyMs: REPEAT_MS },
  );
  if (!isTold) return null;
  const news = unseen === undefined ? undefined : data;
  const count = unseen === undefined ? 0 : Math.max(1, news?.count ?? 1);
  const rows =
    count > MOST_NEW_ORDERS ? `${MOST_NEW_ORDERS}+` : new Intl.NumberFormat(i18n.language).format(count);
  const show = (orderCode?: string) => {
    setOpen(false);
    confirm();
    onShow(orderCode);
  };
  return (
    <>
      {unseen !== undefined && !quiet && (
        // Two class names with the same animation: switching between them restarts it, and the buttons keep hover and focus.
        <div role="alert" className={[styles['notice'], styles[told % 2 ? 'odd' : 'even']].join(' ')}>
          <strong>{t('notifier.count', { count, rows })}</strong>
          {news && <NewsFacts news={news} />}
          <Button size="small" className={styles['wideOnly'] ?? ''} onClick={confirm}>
            {t('notifier.seen')}
          </Button>
          <Button size="small" type="primary" onClick={() => show()}>
            {t('notifier.show')}
          </Button>
        </div>
      )}
      <Popover
        trigger="click"
        placement="bottomRight"
        open={open}
        onOpenChange={setOpen}
        content={<BellContent news={news} onShow={show} onSeen={confirm} />}
      >
        <Badge count={count} overflowCount={MOST_NEW_ORDERS} size="small" offset={[-8, 6]}>
          <Button
            type="text"
            icon={<BellOutlined />}
            aria-label={count === 0 ? t('notifier.bellNone') : t('notifier.bell', { rows })}
            aria-expanded={open}
          />
        </Badge>
      </Popover>
    </>
  );
}

/** The sum of the newest orders, and their merchants. */
function NewsFacts({ news }: { readonly news: News }) {
  const { t } = useTranslation();
  const merchants = new Set(news.list.flatMap(({ merchantName }) => merchantName ?? []));
  const [merchant] = merchants;
  const amounts = news.list.flatMap(({ amount, currency }) =>
    amount === undefined || currency === undefined ? [] : [{ minor: amount, currency }],
  );
  return (
    <span className={styles['facts']}>
      {/* With more new orders than are listed, there is no sum. */}
      {news.count <= news.list.length && <Sums label="" amounts={amounts} />}
      {merchant !== undefined && (
        <span>{merchants.size > 1 ? t('notifier.fromMore', { merchant }) : merchant}</span>
      )}
    </span>
  );
}
