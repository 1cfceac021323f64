import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { compactReference, looksLikeUpi } from '@sangam/contract/references.ts';

/** Field `utr` of a form. The server drops spaces and dashes (contract, fields.ts). */
export function UtrField({ byUpi = false }: { readonly byUpi?: boolean }) {
  const { t } = useTranslation();
  const typed = Form.useWatch<string | undefined>('utr') ?? '';
  const reference = compactReference(typed);
  // A warning, not a refusal: payers of a UPI order sometimes pay in another way.
  const isUnusual = byUpi && reference.length >= 6 && !looksLikeUpi(reference);
  return (
    <Form.Item
      name="utr"
      label="UTR"
      extra={t(isUnusual ? 'orders.utrNotUpi' : 'orders.utrHint')}
      {...(isUnusual && { validateStatus: 'warning' as const })}
      rules={[{ required: true, pattern: /^\s*([A-Za-z0-9][\s-]*){6,30}$/, message: t('orders.utrInvalid') }]}
    >
      <Input autoFocus autoComplete="off" spellCheck={false} maxLength={64} />
    </Form.Item>
  );
}
