import { App, Form, Input, Modal, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';

/** The roles that may write messages, as the endpoint has them. */
export const WRITERS: readonly Role[] = ['superAdmin', 'admin', 'customerService', 'technicalSupport'];

const LONGEST = 4000;

interface Letter {
  readonly userIds?: string[];
  readonly roles?: Role[];
  readonly content: string;
}

/** Writes a message to users chosen one by one, by role, or both. */
export function ComposeDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const name = useNames();
  const [form] = Form.useForm<Letter>();
  const [busy, setBusy] = useState(false);
  const users = useCall(endpoints.admin.getUserOptions, {}, { staleMs: 60_000 });

  const send = async ({ userIds = [], roles = [], content }: Letter) => {
    setBusy(true);
    try {
      const { recipients } = await call(endpoints.message.sendMessage, { userIds, roles, content });
      void message.success(t('inbox.sent', { count: recipients }));
      onClose();
    } catch (error) {
      if (!isHandled(error)) void message.error(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      open
      title={t('inbox.compose')}
      okText={t('inbox.send')}
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={form.submit}
      onCancel={onClose}
    >
      <Form<Letter>
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={(letter) => void send(letter)}
      >
        <Form.Item name="userIds" label={t('inbox.users')}>
          <Select
            mode="multiple"
            showSearch={{ optionFilterProp: 'label' }}
            loading={users.isPending}
            options={
              users.data?.list.map((user) => ({ value: user.id, label: `${user.name} · ${user.account}` })) ??
              []
            }
          />
        </Form.Item>
        <Form.Item
          name="roles"
          label={t('inbox.roles')}
          dependencies={['userIds']}
          rules={[
            ({ getFieldsValue }) => ({
              validator: () => {
                const { userIds = [], roles = [] } = getFieldsValue();
                return userIds.length + roles.length > 0
                  ? Promise.resolve()
                  : Promise.reject(new Error(t('inbox.recipientRequired')));
              },
            }),
          ]}
        >
          <Select
            mode="multiple"
            options={ROLES.map((role) => ({ value: role, label: name('roles', role) }))}
          />
        </Form.Item>
        <Form.Item
          name="content"
          label={t('inbox.content')}
          rules={[{ required: true, whitespace: true, message: t('inbox.contentRequired') }]}
        >
          <Input.TextArea rows={6} maxLength={LONGEST} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
