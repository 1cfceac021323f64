import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { PREVIEWED } from '@sangam/contract/setting-previews.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { call } from '../http/client.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { SettingPreview } from './setting-preview.tsx';
import { bodyOf, changeOf, fieldsOf, type Setting } from './setting.ts';
import { useSettingTexts } from './use-setting-texts.ts';

interface SettingDialogProps {
  readonly setting: Setting;
  /** The initial value: a former one to go back to, or the one in force. */
  readonly value?: unknown;
  readonly onClose: () => void;
}

interface Seen {
  /** The value as JSON. */
  readonly value: string;
  readonly answer: OutputOf<typeof endpoints.systemConfig.previewSetting>;
}

/**
 * Changes one setting. Where the effect of the new value on past orders can be computed, it is shown first, and the user confirms
 * afterwards. The server decides whether the change waits for a second person.
 */
export function SettingDialog({ setting, value = setting.value, onClose }: SettingDialogProps) {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const name = useNames();
  const send = useSend(endpoints.systemConfig.getSettings, endpoints.systemConfig.getSettingHistory);
  const [seen, setSeen] = useState<Seen>();
  const { label, effect } = texts.of(setting.name);
  const isPreviewed = (PREVIEWED as readonly string[]).includes(setting.name);
  return (
    <FormDialog
      title={`${t('systemConfig.change')} · ${label}`}
      width={560}
      fields={[
        ...fieldsOf(name, setting, value, { label, switchOff: t('systemConfig.switchOff') }),
        { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true },
      ]}
      consequence={`${effect} ${t(setting.guarded ? 'systemConfig.guarded' : 'systemConfig.atOnce')}`}
      okText={t(isPreviewed && !seen ? 'systemConfig.preview' : 'systemConfig.change')}
      onSubmit={async (typed) => {
        const body = bodyOf(setting, typed);
        const asked = JSON.stringify(body['enable'] ?? body['value']);
        if (isPreviewed && seen?.value !== asked) {
          const input = { name: setting.name, value: asked };
          setSeen({ value: asked, answer: await call(endpoints.systemConfig.previewSetting, input) });
          return 'stay';
        }
        await send(changeOf(setting.name), body, t('people.saved'));
        return 'close';
      }}
      onClose={onClose}
    >
      {seen && <SettingPreview answer={seen.answer} />}
      {!isPreviewed && <p>{t('systemConfig.historySilent')}</p>}
    </FormDialog>
  );
}
