import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { AccountArea } from '@sangam/contract/account-kinds.ts';
import { SERVED_CHANNELS } from '@sangam/contract/account-kinds.ts';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { AuditLink } from '../figures/audit-link.tsx';
import { Facts, Section } from '../figures/details.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { type Hold, HoldDialog, useHoldsOf } from '../parties/hold-dialog.tsx';
import { KycSection } from '../parties/kyc-section.tsx';
import styles from '../parties/parties.module.css';
import { useMayCall } from '../session/may-call.ts';
import { type Account, OPEN, type WholeAccount, labelOf } from './account.ts';
import { AccountState, LeftToday, durationText, shareText } from './account-columns.tsx';
import { type AreaProduct, useAreaProducts } from './area-products.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import { QrSection } from './qr-section.tsx';
import { ResourceDialog } from './resource-dialog.tsx';
import { RevealDialog } from './reveal-dialog.tsx';

interface AccountDrawerProps {
  readonly id: string;
  readonly area: AccountArea;
  readonly readOnly: boolean;
  readonly onClose: () => void;
}

type Asked =
  | 'edit'
  | 'reveal'
  | 'credentials'
  | { readonly hold: Hold }
  | { readonly products: readonly AreaProduct[] };

/** The drawer of one account: facts, health, products, proof of ownership. */
export function AccountDrawer({ id, area, readOnly, onClose }: AccountDrawerProps) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const holdsOf = useHoldsOf();
  const [asked, setAsked] = useState<Asked>();
  const account = useListedRow(endpoints.party.getResourceList, id);
  const { data: whole } = useCall(endpoints.account.getAccount, { id });
  const products = useAreaProducts(area);
  if (!account) return null;
  const close = () => setAsked(undefined);
  const may = (call: Parameters<typeof mayCall>[0]) => !readOnly && mayCall(call);
  const hasApi = account.kind === 'gateway' || (account.kind === 'mpesa' && account.mpesaType !== 'phone');
  const holds = readOnly ? [] : holdsOf(account);
  const mayEdit = may(endpoints.account.updateAccount) && account.mayEdit;
  const bound = whole?.products ?? [];
  const unbound = products.filter(
    (product) =>
      product.direction === account.direction &&
      product.currency === account.currency &&
      SERVED_CHANNELS[account.kind].includes(product.channel) &&
      !bound.some(({ productId }) => productId === product.id),
  );
  return (
    <RowDrawer width={720} onClose={onClose} title={labelOf(account)}>
      <div className={styles['actions']} role="group" aria-label={t('list.actions')}>
        {mayEdit && whole && <Button onClick={() => setAsked('edit')}>{t('people.edit')}</Button>}
        {may(endpoints.account.revealAccount) && (
          <Button onClick={() => setAsked('reveal')}>{t('accounts.reveal')}</Button>
        )}
        {mayEdit && hasApi && (
          <Button onClick={() => setAsked('credentials')}>{t('accounts.credentials')}</Button>
        )}
        {holds.map((hold) => (
          <Button key={hold} onClick={() => setAsked({ hold })}>
            {t(`holds.${hold}`)}
          </Button>
        ))}
      </div>
      <AccountFacts account={account} whole={whole} hasApi={hasApi} />
      <AuditLink subject={`account:${account.id}`} />
      <Section
        title={t('people.products')}
        count={bound.length}
        extra={
          mayEdit &&
          unbound.length > 0 && (
            <Button size="small" onClick={() => setAsked({ products: unbound })}>
              {t('accounts.bind')}
            </Button>
          )
        }
      >
        <ul className={styles['rows']}>
          {bound.map((resource) => (
            <BoundProduct
              key={resource.productId}
              account={account}
              resource={resource}
              product={products.find((each) => each.id === resource.productId)}
              onEdit={mayEdit ? (product) => setAsked({ products: [product] }) : undefined}
            />
          ))}
        </ul>
      </Section>
      {account.direction === 'in' && <QrSection account={account} readOnly={readOnly} />}
      <KycSection subjectKind="account" subjectId={account.id} title={t('accounts.proof')} />
      {asked === 'edit' && whole && <EditAccountDialog account={account} whole={whole} onClose={close} />}
      {asked === 'reveal' && <RevealDialog account={account} onClose={close} />}
      {asked === 'credentials' && <CredentialsDialog account={account} onClose={close} />}
      {typeof asked === 'object' && 'hold' in asked && (
        <HoldDialog
          party={{ kind: 'account', id: account.id, name: labelOf(account) }}
          hold={asked.hold}
          onClose={close}
        />
      )}
      {typeof asked === 'object' && 'products' in asked && (
        <ResourceDialog
          account={account}
          products={asked.products}
          start={bound.find(
            ({ productId }) => asked.products.length === 1 && productId === asked.products[0]!.id,
          )}
          onClose={close}
        />
      )}
    </RowDrawer>
  );
}

interface AccountFactsProps {
  readonly account: Account;
  readonly whole: WholeAccount | undefined;
  /** Whether the account has credentials for an API. */
  readonly hasApi: boolean;
}

function AccountFacts({ account, whole, hasApi }: AccountFactsProps) {
  const { t } = useTranslation();
  const name = useNames();
  const { health } = account;
  return (
    <Facts
      facts={[
        [t('people.state'), <AccountState account={account} />],
        [t('accounts.proof'), <KycState state={account.kyc} />],
        [t('accounts.ownerName'), account.ownerName],
        [t('orders.supplier'), account.supplierName],
        account.vpa !== null && ['VPA', <Copyable text={account.vpa} limit={32} />],
        account.ifsc !== null && ['IFSC', <Copyable text={account.ifsc} />],
        account.mpesaType !== null && [t('accounts.mpesaType'), t(`accounts.mpesa.${account.mpesaType}`)],
        hasApi && [t('accounts.credentials'), whole?.credentialsTime ?? t('accounts.credentialsNone')],
        whole?.balanceTime !== null &&
          whole !== undefined && [
            t('gateways.balance'),
            <>
              <Money minor={whole.balance} currency={account.currency} /> ·{' '}
              <Moment time={whole.balanceTime} exact />
            </>,
          ],
        [
          t('accounts.hours'),
          account.hours ? `${account.hours.from}–${account.hours.to}` : t('accounts.always'),
        ],
        [t('accounts.leftToday'), <LeftToday account={account} />],
        [t('accounts.maxWaiting'), account.maxWaiting],
        account.merchantWhitelistCount !== null && [
          t('accounts.merchantWhitelist'),
          account.merchantWhitelistCount,
        ],
        account.payerWhitelistCount !== null && [t('accounts.payerWhitelist'), account.payerWhitelistCount],
        [
          t('accounts.processing'),
          <>
            {account.processingOrderCount} ·{' '}
            <Money minor={account.processingOrderAmount} currency={account.currency} />
          </>,
        ],
        [
          t('accounts.successToday'),
          `${shareText(health.todayPaid, health.todayAllocated)} (${health.todayPaid} / ${health.todayAllocated})`,
        ],
        [
          t('accounts.successWeek'),
          `${shareText(health.weekPaid, health.weekAllocated)} (${health.weekPaid} / ${health.weekAllocated})`,
        ],
        [t('accounts.timeToPay'), durationText(health.secondsToPay)],
        [t('accounts.lastMessage'), <Moment time={health.lastMessageTime} exact />],
        [t('accounts.senderHeader'), whole?.senderHeader],
        whole?.direction === 'in' &&
          account.currency !== 'USDT' && [t('chain.balanceMode'), name('balanceModes', whole.balanceMode)],
        [t('accounts.purpose'), account.purpose],
      ]}
    />
  );
}

interface BoundProductProps {
  readonly account: Account;
  readonly resource: WholeAccount['products'][number];
  readonly product: AreaProduct | undefined;
  readonly onEdit: ((product: AreaProduct) => void) | undefined;
}

/** A product the account is bound to, with its limits. */
function BoundProduct({ account, resource, product, onEdit }: BoundProductProps) {
  const { t } = useTranslation();
  return (
    <li>
      <span className={styles['rowName']}>{product?.label ?? resource.productId}</span>
      <Status
        tone={resource.state === OPEN ? 'positive' : 'quiet'}
        label={t(resource.state === OPEN ? 'accounts.open' : 'accounts.closed')}
      />
      <span className="figures">
        <Money minor={resource.minAmount} currency={account.currency} whole />
        {' – '}
        <Money minor={resource.maxAmount} currency={account.currency} whole />
      </span>
      <span className="figures">{`${t('accounts.weight')} ${resource.weight}`}</span>
      {onEdit && product && (
        <TextButton
          text={t('people.edit')}
          label={`${t('people.edit')} ${product.label}`}
          onClick={() => onEdit(product)}
        />
      )}
    </li>
  );
}
