import { Button, Upload } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Section } from '../figures/details.tsx';
import { isHandled } from '../http/call-error.ts';
import { useCall } from '../http/use-call.ts';
import { useMayCall } from '../session/may-call.ts';
import { type Account, labelOf } from './account.ts';
import styles from './account.module.css';
import { useAccountSend } from './use-account-send.ts';

const BYTES_MAX = 512 * 1024;

interface QrSectionProps {
  readonly account: Account;
  readonly readOnly: boolean;
}

/** The QR code that payers see, and an upload of the account's own QR code to replace it. */
export function QrSection({ account, readOnly }: QrSectionProps) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = useAccountSend();
  // The code is the same for all products.
  const [product] = account.products;
  const { data } = useCall(
    endpoints.party.getResourceDetailInfo,
    { resourceId: account.id, productId: product?.productId ?? 0 },
    { enabled: product !== undefined },
  );

  const change = async (work: () => Promise<unknown>) => {
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (!isHandled(error)) setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const upload = (file: File) =>
    change(async () => {
      if (file.size > BYTES_MAX) throw new Error(t('accounts.refused.tooLarge'));
      const picture = (await addressOf(file)).split(',')[1] ?? '';
      await send(endpoints.account.uploadQrCode, { id: account.id, picture }, t('accounts.qrKept'));
    });

  return (
    <Section title={t('accounts.qr')}>
      <div className={styles['qrRow']}>
        <div className={styles['qr']}>
          {data && (
            <img
              src={data.qrCode}
              alt={t('accounts.qrAlt', { account: labelOf(account) })}
              width={200}
              height={200}
            />
          )}
        </div>
        <div className={styles['qrSide']}>
          <p>
            {data?.masked
              ? t('accounts.qrMasked')
              : t(account.hasPicture ? 'accounts.qrOwn' : 'accounts.qrMade')}
          </p>
          {mayCall(endpoints.account.uploadQrCode) && !readOnly && (
            <>
              <Upload
                accept="image/png,image/jpeg"
                showUploadList={false}
                beforeUpload={(file) => {
                  void upload(file);
                  return false;
                }}
              >
                <Button size="small" loading={busy}>
                  {t('accounts.qrUpload')}
                </Button>
              </Upload>
              {account.hasPicture && (
                <Button
                  size="small"
                  disabled={busy}
                  onClick={() =>
                    void change(() =>
                      send(endpoints.account.removeQrCode, { id: account.id }, t('accounts.qrRemoved')),
                    )
                  }
                >
                  {t('accounts.qrRemove')}
                </Button>
              )}
              <p className={styles['hint']}>{t('accounts.qrHint')}</p>
            </>
          )}
          {problem && (
            <p role="alert" className={styles['problem']}>
              {problem}
            </p>
          )}
        </div>
      </div>
    </Section>
  );
}

function addressOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}

/** The picture is the only field of the call, so a refusal shows the text about that field. */
function problemOf(error: unknown): string {
  const { data, message } = error as {
    data?: { fields?: readonly { message: string }[] };
    message: string;
  };
  return data?.fields?.[0]?.message ?? message;
}
