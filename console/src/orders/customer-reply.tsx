import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { moneyText } from '../figures/money-text.ts';
import { useCopy } from '../figures/use-copy.ts';
import type { AnyOrder } from './order.ts';
import styles from './orders.module.css';
import type { Reply } from './replies.ts';

/** A ready text for the customer about the state of an order, with a copy button. It names no person and no account. */
export function CustomerReply({ order, reply }: { readonly order: AnyOrder; readonly reply: Reply }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const text = t(`replies.${reply.text}`, {
    number: order.mchOrderNo,
    amount: moneyText(reply.amount, order.currency),
    utr: order.utr ?? '',
    time: reply.time === null ? '' : `${reply.time.slice(0, 16)} IST`,
  });
  return (
    <div className={styles['reply']} role="group" aria-label={t('orders.reply')}>
      <p>{text}</p>
      <Button size="small" icon={<CopyOutlined aria-hidden />} onClick={() => void copy(text)}>
        {t('orders.copyReply')}
      </Button>
    </div>
  );
}
