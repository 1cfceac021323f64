import { Alert, Input, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';

const COLOURS = { hit: 'error', near: 'warning', clear: 'success' } as const;

/** Shows whether a name would be refused. */
export function TryNameDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const { data } = useCall(endpoints.nameList.tryName, { name }, { enabled: name.trim().length > 1 });
  return (
    <Modal open title={t('nameBlacklist.try.button')} footer={null} onCancel={onClose}>
      <Input
        autoFocus
        aria-label={t('nameBlacklist.name')}
        placeholder={t('nameBlacklist.name')}
        maxLength={256}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div aria-live="polite" style={{ marginTop: 12 }}>
        {data && (
          <Alert
            type={COLOURS[data.verdict]}
            showIcon
            title={t(`nameBlacklist.try.${data.verdict}`)}
            {...(data.listed !== null && { description: `${data.listed} · ${data.list} · ${data.score} %` })}
          />
        )}
      </div>
    </Modal>
  );
}
