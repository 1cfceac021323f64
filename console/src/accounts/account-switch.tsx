import { useQueryClient } from '@tanstack/react-query';
import { Alert, App, Modal, Skeleton, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Facts } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { callKey } from '../http/call-key.ts';
import { useCall } from '../http/use-call.ts';
import styles from './account.module.css';
import { labelOf, OPEN, type Account } from './account.ts';

interface AccountSwitchProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Opens or closes an account. The switch waits for the QR image: payers will be shown that very image. */
export function AccountSwitch({ account, onClose }: AccountSwitchProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const [image, setImage] = useState<'loading' | 'loaded' | 'broken'>('loading');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const key = { resourceId: account.id, productId: account.productId };
  const detail = useCall(endpoints.party.getResourceDetailInfo, key);
  const open = (detail.data?.state ?? account.state) === OPEN;
  const label = labelOf(account);

  const toggle = async (enable: boolean) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await call(endpoints.party.enableResource, { ...key, enable });
      message.success(t(enable ? 'accounts.opened' : 'accounts.closedDone', { account: label }));
      await Promise.all([
        detail.refetch(),
        queries.invalidateQueries({ queryKey: callKey(endpoints.party.getResourceList) }),
      ]);
    } catch (error) {
      if (!isHandled(error)) setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  const problem =
    refusal ?? detail.error?.message ?? (image === 'broken' ? t('accounts.qrBroken') : undefined);
  return (
    // The dialog stays open while it loads, so that a refusal can be shown.
    <Modal open title={label} width={400} footer={null} confirmLoading={busy} onCancel={onClose}>
      <div className={styles['panel']}>
        <div className={styles['qr']}>
          {detail.data ? (
            <img
              src={detail.data.qrCode}
              alt={t('accounts.qrAlt', { account: label })}
              width={200}
              height={200}
              onLoad={() => setImage('loaded')}
              onError={() => setImage('broken')}
            />
          ) : (
            <Skeleton.Node active style={{ width: 200, height: 200 }} />
          )}
        </div>
        <label className={styles['switch']}>
          <Switch
            checked={open}
            loading={busy}
            disabled={image !== 'loaded' || !detail.data}
            onChange={(enable) => void toggle(enable)}
          />
          {t('accounts.takesOrders')}
        </label>
        {problem && <Alert type="error" showIcon title={problem} />}
        {detail.data && (
          <Facts
            facts={[
              [t('orders.supplier'), detail.data.supplierName],
              [t('accounts.processingCount'), detail.data.processingOrderCount],
              [
                t('accounts.processingAmount'),
                <Money minor={detail.data.processingOrderAmount} currency={detail.data.currency} />,
              ],
            ]}
          />
        )}
      </div>
    </Modal>
  );
}
