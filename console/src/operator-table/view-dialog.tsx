import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { STAFF, type Role } from '@sangam/contract/roles.ts';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { useNames } from '../language/names.ts';
import type { ListView } from './arrangement.ts';

interface Said {
  readonly name: string;
  readonly sharedRoles: Role[];
}

interface ViewDialogProps {
  readonly view?: ListView;
  readonly mayShare: boolean;
  readonly onSave: (said: Said) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for a view's name and who else may use it. */
export function ViewDialog({ view, mayShare, onSave, onClose }: ViewDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const [form] = Form.useForm<Said>();
  const confirm = async () => {
    const said = await form.validateFields().catch(() => undefined);
    if (!said) return false;
    await onSave({ name: said.name.trim(), sharedRoles: said.sharedRoles ?? [] });
    return true;
  };
  return (
    <DecisionDialog
      title={t(view ? 'views.edit' : 'views.save')}
      consequence={t(view ? 'views.editConsequence' : 'views.consequence')}
      okText={t('views.keep')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Form<Said>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: view?.name ?? '', sharedRoles: view?.sharedRoles ?? [] }}
      >
        <Form.Item
          name="name"
          label={t('views.name')}
          rules={[{ required: true, whitespace: true, message: t('form.required') }]}
        >
          <Input autoFocus autoComplete="off" maxLength={64} />
        </Form.Item>
        {mayShare && (
          <Form.Item name="sharedRoles" label={t('views.shareWith')} extra={t('views.shareHint')}>
            <Select<Role[]>
              mode="multiple"
              showSearch={{ optionFilterProp: 'label' }}
              options={STAFF.map((role) => ({ value: role, label: name('roles', role) }))}
            />
          </Form.Item>
        )}
      </Form>
    </DecisionDialog>
  );
}
