import { Button, Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import type { News } from './notifier.tsx';
import styles from './notifier.module.css';
import { useMuted, useQuiet } from './use-muted.ts';

interface BellContentProps {
  /** Absent where there are no new orders. */
  readonly news: News | undefined;
  readonly onShow: (orderCode: string) => void;
  readonly onSeen: () => void;
}

/** The content of the bell: the new orders, and the switches for notice and sound. */
export function BellContent({ news, onShow, onSeen }: BellContentProps) {
  const { t } = useTranslation();
  const [muted, setMuted] = useMuted();
  const [quiet, setQuiet] = useQuiet();
  return (
    <div className={styles['bell']}>
      {news ? (
        <>
          <ul>
            {news.list.map((order) => (
              <li key={order.orderCode}>
                <button type="button" onClick={() => onShow(order.orderCode)}>
                  <span className="figures">{order.orderCode}</span>
                  {order.amount !== undefined && order.currency !== undefined && (
                    <Money minor={order.amount} currency={order.currency} strong />
                  )}
                  <span className={styles['soft']}>{order.merchantName}</span>
                  <span className={styles['soft']}>
                    <Moment time={order.createTime} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {news.count > news.list.length && (
            <p className={styles['soft']}>{t('notifier.more', { count: news.list.length })}</p>
          )}
          <Button size="small" onClick={onSeen}>
            {t('notifier.seen')}
          </Button>
        </>
      ) : (
        <p className={styles['soft']}>{t('notifier.bellNone')}</p>
      )}
      <div className={styles['choices']}>
        <Checkbox checked={!quiet} onChange={({ target }) => setQuiet(!target.checked)}>
          {t('notifier.on')}
        </Checkbox>
        <Checkbox checked={!muted} disabled={quiet} onChange={({ target }) => setMuted(!target.checked)}>
          {t('notifier.sound')}
        </Checkbox>
        {quiet && <p className={styles['soft']}>{t('notifier.off')}</p>}
      </div>
    </div>
  );
}
