import { UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { UploadDialog } from './upload-dialog.tsx';

/** The button for payouts from a file, for a merchant that may use it. */
export function UploadTool() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { data: rules } = useCall(endpoints.order.orderUploadFlag, {}, { staleMs: 5 * 60_000 });
  if (!rules?.enable) return null;
  return (
    <>
      <Button icon={<UploadOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t('payouts.upload')}
      </Button>
      {open && <UploadDialog rules={rules} onClose={() => setOpen(false)} />}
    </>
  );
}
