import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { useCall } from '../http/use-call.ts';
import { useMayCall } from '../session/may-call.ts';
import { SettingDialog } from './setting-dialog.tsx';
import { SettingNodes } from './setting-nodes.tsx';
import { canRevert, changeOf, type Setting } from './setting.ts';
import { useSettingTexts } from './use-setting-texts.ts';

const NEWEST = 50;

interface HistoryDrawerProps {
  readonly setting: Setting;
  readonly onClose: () => void;
}

/** One setting with its changes, and a button to go back to a former value. */
export function HistoryDrawer({ setting, onClose }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const mayCall = useMayCall();
  const [back, setBack] = useState<{ readonly value: unknown }>();
  const history = useCall(endpoints.systemConfig.getSettingHistory, { name: setting.name, pageSize: NEWEST });
  const { label, effect } = texts.of(setting.name);
  const rows = history.data?.list ?? [];
  return (
    <RowDrawer width={640} onClose={onClose} title={label}>
      <Facts
        facts={[
          [t('systemConfig.value'), texts.value(setting.name, setting.value)],
          [t('systemConfig.defaultValue'), texts.value(setting.name, setting.fallback)],
          [t('systemConfig.range'), setting.range],
          [t('systemConfig.name'), setting.name],
          [
            t('systemConfig.lastChange'),
            setting.changeTime && (
              <>
                {setting.changedBy ?? t('audit.system')} · <Moment time={setting.changeTime} exact />
              </>
            ),
          ],
        ]}
      />
      <p>{effect}</p>
      <SettingNodes name={setting.name} />
      <Section title={t('systemConfig.history')} count={rows.length}>
        {history.isError && <Alert type="error" showIcon title={history.error.message} />}
        {history.data && rows.length === 0 && <NothingYet text={t('systemConfig.neverChanged')} />}
        {rows.length > 0 && (
          <PlainTable
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: t('audit.time'), cell: ({ time }) => <Moment time={time} exact /> },
              {
                title: t('people.account'),
                cell: ({ account, startedBy }) =>
                  [startedBy, account ?? t('audit.system')].filter(Boolean).join(' → '),
              },
              {
                title: t('audit.changes'),
                cell: ({ before, after }) =>
                  `${texts.value(setting.name, before)} → ${texts.value(setting.name, after)}`,
              },
              { title: t('fund.reason'), cell: ({ reason }) => reason ?? '–' },
              {
                title: '',
                cell: ({ before }) =>
                  mayCall(changeOf(setting.name)) &&
                  canRevert(setting, before) && (
                    <Button type="link" onClick={() => setBack({ value: before })}>
                      {t('systemConfig.revert')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Section>
      {back && <SettingDialog setting={setting} value={back.value} onClose={() => setBack(undefined)} />}
    </RowDrawer>
  );
}
