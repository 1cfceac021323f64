import { CopyOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { moneyText } from '../figures/money-text.ts';
import type { AnyOrder } from './order.ts';
import styles from './orders.module.css';
import type { Reply } from './replies.ts';

/** What the customer can be told of an order as it stands, ready to be copied. It names nobody and no account. */
export function CustomerReply({ order, reply }: { readonly order: AnyOrder; readonly reply: Reply }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const text = t(`replies.${reply.text}`, {
    number: order.mchOrderNo,
    amount: moneyText(reply.amount, order.currency),
    utr: order.utr ?? '',
    time: reply.time === null ? '' : `${reply.time.slice(0, 16)} IST`,
  });
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => message.success(t('figures.copied')),
      () => message.error(t('figures.notCopied')),
    );
  return (
    <div className={styles['reply']} role="group" aria-label={t('orders.reply')}>
      <p>{text}</p>
      <Button size="small" icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
        {t('orders.copyReply')}
      </Button>
    </div>
  );
}
