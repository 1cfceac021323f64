import { Alert, Button, Modal } from 'antd';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import { FileButton } from '../dialogs/file-button.tsx';
import { saveFile } from '../dialogs/files.ts';
import { RefusedFile } from '../dialogs/refused-file.tsx';
import { Facts } from '../figures/details.tsx';
import { CallError, isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useChanged } from '../http/use-changed.ts';

const CREATE_BATCH = '/v1.0/api/order/createBatch';

type Rules = OutputOf<typeof endpoints.order.orderUploadFlag>;

interface Made {
  readonly batchId: string;
  readonly count: number;
}

/**
 * Sends the file as the merchant's server would. The fields, among them the file's hash, are signed for the session, so every check
 * of the merchant API applies. The hash is also the idempotency key: the same file sent twice makes its payouts once.
 */
async function createBatch(file: File): Promise<Made> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const fileHash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const signed = await call(endpoints.interfaceTest.signFields, {
    fields: { orderType: '1', key: fileHash, fileHash },
    path: CREATE_BATCH,
  });
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...signed.fields, sign: signed.sign })) form.set(name, value);
  form.set('file', file, file.name);
  const response = await fetch(signed.url, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'accept-language': document.documentElement.lang },
    body: form,
  }).catch((cause: unknown) => {
    throw new Error(i18next.t('errors.noAnswer'), { cause });
  });
  const { code, msg, data } = (await response.json()) as Envelope<Made>;
  if (code !== CODES.ok.code || !data) throw new CallError(code, msg, data);
  return data;
}

/** A merchant makes many payouts from one file. Either all are made, or none, with the reasons. */
export function UploadDialog({ rules, onClose }: { readonly rules: Rules; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const changed = useChanged(endpoints.payout.getPayoutList, endpoints.payout.getPayoutStatusSummary);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Error>();
  const [made, setMade] = useState<Made>();

  const upload = async (file: File) => {
    setBusy(true);
    setRefused(undefined);
    setMade(undefined);
    try {
      setMade(await createBatch(file));
      await changed();
    } catch (error) {
      if (!isHandled(error)) setRefused(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal open title={t('payouts.upload')} footer={null} onCancel={onClose}>
      <p>{t('payouts.uploadHint', { most: rules.maxOrders })}</p>
      <Facts
        facts={[
          [t('payouts.uploadNeeded'), rules.neededColumns.join(', ')],
          [t('payouts.uploadColumns'), rules.columns.join(', ')],
        ]}
      />
      <p style={{ display: 'flex', gap: 8 }}>
        <FileButton
          label={t('payouts.uploadFile')}
          primary
          busy={busy}
          onFile={(file) => void upload(file)}
        />
        <Button onClick={() => saveFile('payouts.csv', `${rules.columns.join(',')}\r\n`)}>
          {t('payouts.uploadTemplate')}
        </Button>
      </p>
      {refused && <RefusedFile error={refused} onClose={() => setRefused(undefined)} />}
      {made && <Alert type="success" showIcon title={t('payouts.uploaded', { ...made })} />}
    </Modal>
  );
}
