import type { PayParams } from '@sangam/contract/endpoints/outside.ts';
import { AccountPicture } from './account-picture.tsx';
import { formatAmount } from './amount.ts';
import { Copyable } from './copyable.tsx';
import { useLanguage } from './language.tsx';
import { appLinks, isIos, payAppLink, webAddress } from './links.ts';
import { QrCode } from './qr-code.tsx';
import { StkForm } from './stk-form.tsx';

interface PayDetailsProps {
  readonly token: string;
  readonly productId: number;
  readonly payParams: PayParams;
  /** Version of the account's own QR code, where it has one. */
  readonly qrVersion: string | null;
}

/**
 * How to pay. It depends on what the server offers, not on the channel: a link and a QR code where there is a UPI link, and one row
 * to copy for each field present.
 */
export function PayDetails({ token, productId, payParams, qrVersion }: PayDetailsProps) {
  const { t } = useLanguage();
  const { upiLink, vpa, payeeName, accountNumber, ifsc, bankName, address, network } = payParams;
  const { paybill, till, phone, accountReference, stkPush, hostedUrl } = payParams;
  const upi = upiLink !== undefined || vpa !== undefined;
  const mpesa = paybill !== undefined || till !== undefined || phone !== undefined;
  // On a chain there is no note, and M-Pesa's account field has its own row.
  const identifyCode = address === undefined && !mpesa ? payParams.identifyCode : undefined;
  const rows = [
    { key: 'network', value: network },
    { key: 'address', value: address },
    { key: 'paybill', value: paybill },
    { key: 'accountReference', value: accountReference },
    { key: 'till', value: till },
    { key: 'phone', value: phone },
    { key: 'vpa', value: vpa },
    { key: 'accountNumber', value: accountNumber },
    { key: 'ifsc', value: ifsc },
    { key: 'payeeName', value: payeeName },
    { key: 'bankName', value: bankName },
    { key: 'identifyCode', value: identifyCode },
  ] as const;
  if (hostedUrl !== undefined) return <HostedPage url={hostedUrl} />;
  if (upiLink === undefined && rows.every(({ value }) => !value)) return null;
  return (
    <section class="card pay" aria-labelledby="pay-heading">
      <h2 id="pay-heading">{t(headingOf(payParams))}</h2>
      {upiLink !== undefined && <UpiLink upiLink={upiLink} {...{ token, productId, payParams, qrVersion }} />}
      {upiLink === undefined && qrVersion !== null && (
        <div class="upi">
          <AccountPicture token={token} version={qrVersion} payee={payeeName ?? ''} />
        </div>
      )}
      {address !== undefined && (
        <div class="upi">
          <p class="scan">{t('scanAddress')}</p>
          <QrCode text={address} label={t('qrAddress', { address })} />
          <p class="notice warning">{t('onlyNetwork', { network: network ?? '' })}</p>
        </div>
      )}
      {stkPush === true && <StkForm token={token} />}
      {mpesa && <p class="hint">{t(stkPush === true ? 'mpesaByHand' : 'mpesaMenu')}</p>}
      {upiLink !== undefined && vpa !== undefined && <p class="hint">{t('linkRefused')}</p>}
      <dl>
        {rows.map(
          ({ key, value }) =>
            value && (
              <div
                key={key}
                class={
                  (key === 'identifyCode' && !upi) || key === 'accountReference' ? 'row stressed' : 'row'
                }
              >
                <dt>
                  {t(key)}
                  {key === 'identifyCode' && (
                    <span class="hint"> {t(upi ? 'writeInNote' : 'writeInRemarks')}</span>
                  )}
                </dt>
                <dd>
                  <Copyable name={t(key)} text={value} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

/** A link to the gateway's own page, where the payer pays. This page then shows when the money has arrived. */
function HostedPage({ url }: { url: string }) {
  const { t } = useLanguage();
  const href = webAddress(url);
  return (
    <section class="card pay">
      {href !== undefined && (
        <a class="button" href={href}>
          {t('hostedOpen')}
        </a>
      )}
      <p class="hint">{t('hostedHint')}</p>
    </section>
  );
}

function headingOf({ upiLink, vpa, address, paybill, till, phone, accountNumber }: PayParams) {
  if (upiLink !== undefined || vpa !== undefined) return 'payByUpi';
  if (address !== undefined) return 'payByUsdt';
  if (paybill ?? till ?? phone) return 'payByMpesa';
  return accountNumber ? 'payByTransfer' : 'payTo';
}

function UpiLink({ upiLink, token, productId, payParams, qrVersion }: PayDetailsProps & { upiLink: string }) {
  const { t } = useLanguage();
  const { payableAmount, currency, payeeName, vpa } = payParams;
  const href = payAppLink(upiLink);
  const apps = appLinks(upiLink, productId, isIos(navigator.userAgent, navigator.maxTouchPoints));
  // The product's own app comes first.
  const own = apps.length === 1 ? apps[0] : undefined;
  const payee = payeeName ?? vpa ?? '';
  const made = (
    <>
      <p class="scan">{t('scan')}</p>
      <QrCode text={upiLink} label={t('qrLabel', { amount: formatAmount(payableAmount, currency), payee })} />
    </>
  );
  return (
    <div class="upi">
      {own && (
        <a class="button" href={own.href}>
          {t('openApp', { app: own.app })}
        </a>
      )}
      {href !== undefined && (
        <a class={own ? 'button quiet' : 'button'} href={href}>
          {t('openUpi')}
        </a>
      )}
      {!own && apps.length > 0 && (
        <p class="apps">
          {apps.map(({ app, href: appHref }) => (
            <a key={app} class="button quiet" href={appHref}>
              {t('openApp', { app })}
            </a>
          ))}
        </p>
      )}
      {qrVersion === null ? (
        made
      ) : (
        <AccountPicture token={token} version={qrVersion} payee={payee}>
          {made}
        </AccountPicture>
      )}
    </div>
  );
}
