import { Alert, Form, Input, Modal } from 'antd';
import { useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../http/client.ts';
import { giveSecondPassword } from '../http/give-second-password.ts';
import { secondPasswordPrompt } from '../http/second-password-prompt.ts';

interface Answer {
  readonly password: string;
}

/** Opens when a call was refused because it needs the second-level password. The refused calls wait for it. */
export function SecondPasswordDialog() {
  const { t } = useTranslation();
  const open = useSyncExternalStore(secondPasswordPrompt.subscribe, secondPasswordPrompt.isOpen);
  const [form] = Form.useForm<Answer>();
  const [busy, setBusy] = useState(false);
  // A second Enter may come before 'busy' is drawn, because the form checks its fields first.
  const sending = useRef(false);
  const [refusal, setRefusal] = useState<string>();

  const submit = async ({ password }: Answer) => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      await giveSecondPassword(call, password);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : '');
      form.resetFields();
      form.focusField('password');
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return (
    <Modal
      open={open}
      title={t('secondPassword.title')}
      width={400}
      // Above the dialog of the action, which may itself be above a drawer.
      zIndex={2000}
      okText={t('secondPassword.confirm')}
      confirmLoading={busy}
      destroyOnHidden
      mask={{ closable: false }}
      onOk={form.submit}
      onCancel={secondPasswordPrompt.cancel}
      // The dialog of the action keeps the focus until this dialog has finished opening.
      afterOpenChange={(isOpen) => isOpen && form.focusField('password')}
      afterClose={() => setRefusal(undefined)}
    >
      <p>{t('secondPassword.hint')}</p>
      <Form<Answer>
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={(answer) => void submit(answer)}
      >
        {refusal && <Alert type="error" showIcon title={refusal} style={{ marginBottom: 12 }} />}
        <Form.Item
          name="password"
          label={t('secondPassword.password')}
          rules={[{ required: true, message: t('secondPassword.required') }]}
        >
          <Input.Password autoComplete="off" />
        </Form.Item>
      </Form>
    </Modal>
  );
}
