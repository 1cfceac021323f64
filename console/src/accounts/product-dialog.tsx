import { useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Modal, Skeleton, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { AccountArea } from '@sangam/contract/account-kinds.ts';
import { Facts } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { callKey } from '../http/call-key.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import { useMayCall } from '../session/may-call.ts';
import styles from './account.module.css';
import { type Account, labelOf, OPEN, type ProductOfAccount } from './account.ts';
import { useAreaProducts } from './area-products.ts';
import { ResourceDialog } from './resource-dialog.tsx';

interface ProductDialogProps {
  readonly account: Account;
  readonly product: ProductOfAccount;
  readonly area: AccountArea;
  readonly onClose: () => void;
}

/**
 * Opens or closes an account for one of its products, and changes its limits there. The switch stays disabled until the QR image
 * has loaded, because payers will be shown that very image.
 */
export function ProductDialog({ account, product, area, onClose }: ProductDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const [editing, setEditing] = useState(false);
  const ofArea = useAreaProducts(area).filter(({ id }) => id === product.productId);
  const { message } = App.useApp();
  const queries = useQueryClient();
  const [image, setImage] = useState<'loading' | 'loaded' | 'broken'>('loading');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const key = { resourceId: account.id, productId: product.productId };
  const detail = useCall(endpoints.party.getResourceDetailInfo, key);
  const open = (detail.data?.state ?? product.state) === OPEN;
  const label = `${labelOf(account)} · ${productLabel(name, product.productId, product.productName)}`;

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
  if (editing)
    return <ResourceDialog account={account} products={ofArea} start={product} onClose={onClose} />;
  return (
    // The dialog stays open while the data loads, so that it can show a refusal.
    <Modal open title={label} width={400} footer={null} confirmLoading={busy} onCancel={onClose}>
      <div className={styles['panel']}>
        <div className={styles['qr']}>
          {detail.data ? (
            <img
              src={detail.data.qrCode}
              alt={t('accounts.qrAlt', { account: labelOf(account) })}
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
              [
                t('accounts.limits'),
                <>
                  <Money minor={product.minAmount} currency={account.currency} whole /> –{' '}
                  <Money minor={product.maxAmount} currency={account.currency} whole />
                </>,
              ],
              [t('accounts.weight'), product.weight],
              [t('accounts.processingCount'), detail.data.processingOrderCount],
              [
                t('accounts.processingAmount'),
                <Money minor={detail.data.processingOrderAmount} currency={detail.data.currency} />,
              ],
            ]}
          />
        )}
        {account.mayEdit && mayCall(endpoints.account.updateAccount) && ofArea.length > 0 && (
          <Button onClick={() => setEditing(true)}>{t('accounts.changeLimits')}</Button>
        )}
      </div>
    </Modal>
  );
}
