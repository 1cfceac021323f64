import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import { bodyOf, changeOf, fieldsOf, type Setting } from './setting.ts';
import { useSettingTexts } from './use-setting-texts.ts';

interface SettingDialogProps {
  readonly setting: Setting;
  /** The value to begin with; a former one to go back to, or the one in force. */
  readonly value?: unknown;
  readonly onClose: () => void;
}

/** Changes one setting. The server decides whether the change waits for a second person. */
export function SettingDialog({ setting, value = setting.value, onClose }: SettingDialogProps) {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const send = useSend(endpoints.systemConfig.getSettings, endpoints.systemConfig.getSettingHistory);
  const { label, effect } = texts.of(setting.name);
  return (
    <FormDialog
      title={`${t('systemConfig.change')} · ${label}`}
      fields={[
        ...fieldsOf(setting, value, label),
        { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 200 },
      ]}
      consequence={`${effect} ${t(setting.guarded ? 'systemConfig.guarded' : 'systemConfig.atOnce')}`}
      okText={t('systemConfig.change')}
      onSubmit={async (typed) => {
        await send(changeOf(setting.name), bodyOf(setting, typed), t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
