import { Alert, Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabParam } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { useMayCall } from '../session/may-call.ts';
import { HistoryDrawer } from './history-drawer.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import { changeOf, type Setting } from './setting.ts';
import styles from './settings.module.css';
import { useSettingTexts } from './use-setting-texts.ts';

/** All settings in groups: effect, value, and who changed it last. A change that weakens a protection waits for a second person. */
export function SettingsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const texts = useSettingTexts();
  const [search, setSearch] = useTabParam('q');
  const [open, setOpen] = useTabParam('open');
  const [edited, setEdited] = useState<Setting>();
  const answer = useCall(endpoints.systemConfig.getSettings, {}, { everyMs: 10_000 });
  const settings = answer.data?.list ?? [];
  const found = settings.filter((setting) => {
    const { label, effect } = texts.of(setting.name);
    const looked = `${setting.name} ${label} ${effect}`.toLowerCase();
    return looked.includes((search ?? '').trim().toLowerCase());
  });
  const groups = [...new Set(found.map(({ group }) => group))].map((group) => ({
    group,
    rows: found.filter((setting) => setting.group === group),
  }));
  const opened = settings.find(({ name }) => name === open);
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <header className={styles['head']}>
        <h1>{title(screen)}</h1>
        <Input.Search
          allowClear
          value={search ?? ''}
          aria-label={t('systemConfig.search')}
          placeholder={t('systemConfig.search')}
          onChange={({ target }) => setSearch(target.value || undefined)}
        />
      </header>
      {answer.isError && <Alert type="error" showIcon title={answer.error.message} />}
      {answer.data && groups.length === 0 && <NothingYet text={t('systemConfig.none')} />}
      {groups.map(({ group, rows }) => (
        <Section key={group} title={t(`systemConfig.groups.${group}`)} count={rows.length}>
          <ul className={styles['list']}>
            {rows.map((setting) => (
              <SettingRow
                key={setting.name}
                setting={setting}
                onEdit={() => setEdited(setting)}
                onOpen={() => setOpen(setting.name)}
              />
            ))}
          </ul>
        </Section>
      ))}
      {opened && <HistoryDrawer key={opened.name} setting={opened} onClose={() => setOpen(undefined)} />}
      {edited && <SettingDialog setting={edited} onClose={() => setEdited(undefined)} />}
    </section>
  );
}

interface RowProps {
  readonly setting: Setting;
  readonly onEdit: () => void;
  readonly onOpen: () => void;
}

function SettingRow({ setting, onEdit, onOpen }: RowProps) {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const mayCall = useMayCall();
  const { label, effect } = texts.of(setting.name);
  const isDefault = JSON.stringify(setting.value) === JSON.stringify(setting.fallback);
  return (
    <li className={styles['row']}>
      <div>
        <h3>{label}</h3>
        <code>{setting.name}</code>
        <p>{effect}</p>
      </div>
      <div className={styles['value']}>
        <strong>{texts.value(setting.name, setting.value)}</strong>
        {!isDefault && (
          <span className={styles['note']}>
            {t('systemConfig.default', { value: texts.value(setting.name, setting.fallback) })}
          </span>
        )}
        {setting.pending && (
          <Status
            tone="pending"
            label={t('systemConfig.waits', {
              value: texts.value(setting.name, setting.pending.value),
              by: setting.pending.startedBy,
            })}
          />
        )}
        {setting.changeTime && (
          <span className={styles['note']}>
            {setting.changedBy ?? t('audit.system')} · <Moment time={setting.changeTime} />
          </span>
        )}
      </div>
      <div className={styles['actions']}>
        <Button type="text" onClick={onOpen}>
          {t('systemConfig.history')}
        </Button>
        {mayCall(changeOf(setting.name)) && (
          <Button onClick={onEdit} aria-label={`${t('systemConfig.change')} · ${label}`}>
            {t('systemConfig.change')}
          </Button>
        )}
      </div>
    </li>
  );
}
