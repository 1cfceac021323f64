import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';

/** Field `utr` of a form. Spaces and dashes are the server's to drop (contract, fields.ts). */
export function UtrField() {
  const { t } = useTranslation();
  return (
    <Form.Item
      name="utr"
      label="UTR"
      extra={t('orders.utrHint')}
      rules={[{ required: true, pattern: /^\s*([A-Za-z0-9][\s-]*){6,30}$/, message: t('orders.utrInvalid') }]}
    >
      <Input autoFocus autoComplete="off" spellCheck={false} maxLength={64} />
    </Form.Item>
  );
}
