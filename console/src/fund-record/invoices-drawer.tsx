import { Alert, Button, Drawer, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useIsNarrow } from '../appearance/use-media.ts';
import { saveFile } from '../dialogs/files.ts';
import { NothingYet, Section } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { MoreButton } from '../figures/more-button.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { usePages } from '../http/use-pages.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import { type Invoice, invoiceFile, monthText } from './invoice-file.ts';

interface InvoicesDrawerProps {
  /** Shows the invoices of all merchants, each with its merchant's name. */
  readonly everybody: boolean;
  readonly onClose: () => void;
}

/** Invoices of fees, newest first. */
export function InvoicesDrawer({ everybody, onClose }: InvoicesDrawerProps) {
  const { t } = useTranslation();
  const narrow = useIsNarrow();
  const { pages, more, busy, error } = usePages(endpoints.invoice.getInvoices, {});
  const invoices = pages.flatMap(({ list }) => list);
  return (
    <Drawer open size={narrow ? '100%' : 720} mask={false} onClose={onClose} title={t('invoices.title')}>
      <p>{t('invoices.hint')}</p>
      {error ? (
        <Alert type="error" showIcon title={error.message} />
      ) : pages.length === 0 ? (
        <Skeleton active />
      ) : invoices.length === 0 ? (
        <NothingYet text={t('invoices.none')} />
      ) : (
        invoices.map((invoice) => <OneInvoice key={invoice.id} invoice={invoice} isNamed={everybody} />)
      )}
      <MoreButton more={more} busy={busy} />
    </Drawer>
  );
}

function OneInvoice({ invoice, isNamed }: { readonly invoice: Invoice; readonly isNamed: boolean }) {
  const { t, i18n } = useTranslation();
  const name = useNames();
  const { number, currency, fee, tax, lines } = invoice;
  const title = t(fee < 0 ? 'invoices.creditNote' : 'invoices.invoice');
  const money = (minor: number) => <Money minor={minor} currency={currency} />;
  const label = ({ productId, productName }: Invoice['lines'][number]) =>
    `${productId} ${productLabel(name, productId, productName)}`;
  const words = {
    language: i18n.language,
    title,
    issuer: t('invoices.issuer'),
    to: t('orders.merchant'),
    month: t('fund.month'),
    issueTime: t('invoices.issueTime'),
    product: t('orders.product'),
    fee: t('profile.fee'),
    taxPercent: t('invoices.taxPercent'),
    tax: t('invoices.tax'),
    net: t('invoices.net'),
    total: t('fund.feesTotal'),
    label,
  };
  return (
    <Section
      title={[title, number, monthText(invoice.month), isNamed && invoice.merchantName]
        .filter(Boolean)
        .join(' · ')}
      extra={
        <Button
          aria-label={`${t('invoices.save')} ${number}`}
          onClick={() =>
            saveFile(`invoice-${number.replace('/', '-')}.html`, invoiceFile(invoice, words), 'text/html')
          }
        >
          {t('invoices.save')}
        </Button>
      }
    >
      <PlainTable
        rows={lines}
        keyOf={({ month, direction, productId }) => `${month} ${direction} ${productId}`}
        columns={[
          // On a phone, a column for the month would push the fee out of sight. So a line names its month only where that is an
          // earlier one.
          {
            title: t('orders.product'),
            cell: (line) =>
              line.month === invoice.month ? label(line) : `${label(line)} · ${monthText(line.month)}`,
          },
          {
            title: t('invoices.tax'),
            right: true,
            cell: (line) => (
              <>
                {money(line.tax)} {`(${line.taxPercent} %)`}
              </>
            ),
          },
          { title: t('profile.fee'), right: true, cell: (line) => money(line.fee) },
        ]}
      />
      <p>
        {t('fund.feesTotal')} <Money minor={fee} currency={currency} strong /> · {t('invoices.tax')}{' '}
        {money(tax)} · {t('invoices.issueTime')} {invoice.issueTime}
      </p>
    </Section>
  );
}
