import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';

/** Field `code`: the code of the releaser's own authenticator for the signer, which is not the authenticator of the sign-in. */
export function SignerCodeField({ autoFocus = false }: { readonly autoFocus?: boolean }) {
  const { t } = useTranslation();
  return (
    <Form.Item
      name="code"
      label={t('usdtWallets.code')}
      extra={t('usdtWallets.codeHint')}
      rules={[{ required: true, pattern: /^\s*\d{6}\s*$/, message: t('usdtWallets.codeRequired') }]}
    >
      <Input autoFocus={autoFocus} inputMode="numeric" autoComplete="one-time-code" maxLength={8} />
    </Form.Item>
  );
}
