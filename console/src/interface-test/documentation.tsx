import { useTranslation } from 'react-i18next';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, Raw, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import styles from './interface-test.module.css';
import { apiBase, CALLS, CREATE_PATH, type OwnInterface, unitsOf } from './own-interface.ts';

/** The fields of `create`, with the required ones marked. The payee's fields are in the table of products. */
const FIELDS = [
  ['mchId', true],
  ['productId', true],
  ['mchOrderNo', true],
  ['amount', true],
  ['notifyUrl', true],
  ['sign', true],
  ['clientIp', false],
  ['userName', false],
  ['returnUrl', false],
  ['subject', false],
  ['param1', false],
] as const;
const NOTIFICATION_FIELDS = [
  'mchId, mchOrderNo, payOrderId, productId, amount, realAmount, income, status, paySuccessTime, utr',
  'param1, param2, rejectReason, sign',
].join(', ');
const STATUSES = [0, 1, 2, 3, 10, 11] as const;

/** A short description of the merchant API, with the merchant's own ids filled in. */
export function Documentation({ own }: { readonly own: OwnInterface }) {
  const { t } = useTranslation();
  const base = apiBase(own);
  return (
    <div className={styles['docs']}>
      <OwnTerms own={own} base={base} />
      <Signing own={own} base={base} />
      <Section title={t('interface.calls')}>
        <PlainTable
          rows={CALLS}
          keyOf={([call]) => call}
          columns={[
            { title: 'POST', cell: ([, path]) => <code>{path}</code> },
            { title: t('interface.does'), cell: ([call]) => t(`interface.call.${call}`) },
          ]}
        />
      </Section>
      <Section title={t('interface.fields')}>
        <PlainTable
          rows={FIELDS}
          keyOf={([field]) => field}
          columns={[
            { title: t('interface.field'), cell: ([field]) => <code>{field}</code> },
            { title: t('interface.needed'), cell: ([, needed]) => (needed ? '●' : '') },
            { title: t('interface.meaning'), cell: ([field]) => t(`interface.about.${field}`) },
          ]}
        />
      </Section>
      <Section title={t('interface.notices')}>
        <p>{t('interface.noticesText')}</p>
        <Raw
          title={t('interface.field')}
          text={own.signType === 'md5' ? NOTIFICATION_FIELDS : `${NOTIFICATION_FIELDS}, timestamp, nonce`}
        />
        <PlainTable
          rows={STATUSES}
          keyOf={String}
          columns={[
            { title: 'status', cell: (status) => status },
            { title: t('interface.meaning'), cell: (status) => t(`interface.status.${status}`) },
          ]}
        />
      </Section>
      <Section title={t('interface.codes')}>
        <PlainTable
          rows={own.codes}
          keyOf={({ code }) => String(code)}
          columns={[
            { title: 'code', cell: ({ code }) => code },
            { title: t('interface.meaning'), cell: ({ text }) => text },
          ]}
        />
      </Section>
    </div>
  );
}

interface PartProps {
  readonly own: OwnInterface;
  readonly base: string;
}

/** The merchant's own ids and products. */
function OwnTerms({ own, base }: PartProps) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <Section title={t('interface.yours')}>
      <Facts
        facts={[
          ['mchId', <Copyable text={own.mchId} />],
          [t('interface.address'), <Copyable text={base} limit={48} />],
          [t('people.signType'), own.signType],
          [t('people.callbackTransport'), own.callbackTransport],
        ]}
      />
      <PlainTable
        rows={own.products}
        keyOf={(each) => String(each.productId)}
        columns={[
          { title: 'productId', cell: (each) => each.productId },
          {
            title: t('orders.product'),
            cell: (each) => productLabel(name, each.productId, each.productName),
          },
          {
            title: t('people.state'),
            cell: (each) => t(each.enabled ? 'people.enabled' : 'people.disabled'),
          },
          {
            title: t('interface.limits'),
            right: true,
            cell: (each) => (
              <>
                <Money minor={each.minAmount} currency={each.currency} whole /> –{' '}
                <Money minor={each.maxAmount} currency={each.currency} whole />
              </>
            ),
          },
          {
            title: t('interface.scale'),
            cell: (each) => `× ${unitsOf(each.currency).toLocaleString('en-US')}`,
          },
          { title: t('interface.payee'), cell: (each) => each.payeeFields.join(', ') || '–' },
        ]}
      />
    </Section>
  );
}

/** How a call is signed, with an example. */
function Signing({ own, base }: PartProps) {
  const { t } = useTranslation();
  const strong = own.signType !== 'md5';
  const bound = own.signType === 'hmac-sha256-v2';
  const [product] = own.products;
  const example = {
    amount: '100000',
    mchId: own.mchId,
    mchOrderNo: 'A1001',
    ...(strong ? { nonce: '5f0c6c1e', timestamp: '1790000000000' } : {}),
    notifyUrl: 'https://shop.example/notify',
    productId: String(product?.productId ?? 1010),
  };
  const stringToSign = Object.entries(example)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, value]) => `${field}=${value}`)
    .join('&');
  return (
    <Section title={t('interface.signing')}>
      <ol className={styles['steps']}>
        <li>{t('interface.step1')}</li>
        <li>{t('interface.step2')}</li>
        {bound && <li>{t('interface.stepLine')}</li>}
        <li>{t(strong ? 'interface.step3Hmac' : 'interface.step3Md5')}</li>
        {strong && <li>{t('interface.step4Hmac')}</li>}
      </ol>
      <Raw
        title={t('interface.stringToSign')}
        text={
          bound
            ? `POST ${CREATE_PATH}\n${stringToSign}`
            : strong
              ? stringToSign
              : `${stringToSign}&secretKey=${t('interface.yourSecret')}`
        }
      />
      <Raw
        title={t('interface.example')}
        text={[
          `curl -X POST '${base}${CREATE_PATH}' \\`,
          "  -H 'content-type: application/json' \\",
          `  -d '${JSON.stringify({ ...example, sign: '…' })}'`,
        ].join('\n')}
      />
    </Section>
  );
}
