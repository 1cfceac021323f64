import type { TFunction } from 'i18next';
import { Alert, Button, Select, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import { useMayCall } from '../session/may-call.ts';
import { Editor } from './editor.tsx';
import { lineDiff } from './line-diff.ts';
import type { Script, Version } from './pay-script.ts';
import { ReleaseDialog } from './release-dialog.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { TryDialog } from './try-dialog.tsx';
import styles from './pay-scripts.module.css';

/** A script: its versions with their code, the difference between two versions, and the actions. */
export function ScriptDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { data: script, error } = useCall(endpoints.payScript.getPayScript, { id });
  const [chosen, setChosen] = useState<number>();
  const version = script?.versions.find((each) => each.version === chosen) ?? script?.versions[0];
  return (
    <RowDrawer width={900} onClose={onClose} title={script?.name ?? id}>
      {error && <NothingYet text={error.message} />}
      {script && version && (
        <>
          {script.asked && (
            <Alert
              type="info"
              showIcon
              title={t('payScripts.asked', { version: script.asked.version, by: script.asked.by })}
            />
          )}
          <Select
            aria-label={t('payScripts.version')}
            value={version.version}
            onChange={setChosen}
            style={{ minWidth: 220, margin: '8px 0' }}
            options={script.versions.map((each) => ({
              value: each.version,
              label: `v${each.version} · ${stateLabel(t, script, each)}`,
            }))}
          />
          <VersionView key={version.version} script={script} version={version} />
        </>
      )}
    </RowDrawer>
  );
}

function stateLabel(t: TFunction, script: Script, version: Version): string {
  if (version.version === script.liveVersion) return t('payScripts.live');
  if (version.releaseTime !== null) return t('payScripts.released');
  return t(version.tryTime === null ? 'payScripts.untried' : 'payScripts.triedOnce');
}

function VersionView({ script, version }: { readonly script: Script; readonly version: Version }) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const calls = endpoints.payScript;
  const [opened, setOpened] = useState<'edit' | 'try' | 'release'>();
  const [against, setAgainst] = useState<number>();
  const close = () => setOpened(undefined);
  const isLive = version.version === script.liveVersion;
  const other = script.versions.find((each) => each.version === against);
  return (
    <>
      <Space wrap size={4} style={{ marginBottom: 12 }}>
        {mayCall(calls.savePayScript) && (
          <Button onClick={() => setOpened('edit')}>{t('payScripts.edit')}</Button>
        )}
        {mayCall(calls.tryPayScript) && (
          <Button onClick={() => setOpened('try')}>{t('payScripts.try')}</Button>
        )}
        {mayCall(calls.releasePayScript) && !isLive && (
          <Button type="primary" disabled={version.tryTime === null} onClick={() => setOpened('release')}>
            {t('payScripts.release')}
          </Button>
        )}
      </Space>
      <Facts
        facts={[
          [
            t('people.state'),
            <Status tone={isLive ? 'positive' : 'quiet'} label={stateLabel(t, script, version)} />,
          ],
          [t('payScripts.by'), version.by],
          [t('people.createTime'), <Moment time={version.time} exact />],
          [t('payScripts.releaseTime'), <Moment time={version.releaseTime} exact />],
          [t('payScripts.origins'), version.origins.join(', ') || '–'],
          [t('payScripts.note'), version.note || '–'],
        ]}
      />
      <Section
        title={t('payScripts.code')}
        extra={
          <Select
            aria-label={t('payScripts.compare')}
            allowClear
            placeholder={t('payScripts.compare')}
            value={against ?? null}
            onChange={(value: number | null) => setAgainst(value ?? undefined)}
            style={{ minWidth: 180 }}
            options={script.versions
              .filter((each) => each.version !== version.version)
              .map((each) => ({ value: each.version, label: `v${each.version}` }))}
          />
        }
      >
        {other ? (
          <Diff before={other.code} after={version.code} />
        ) : (
          <Editor label={t('payScripts.code')} initial={version.code} problem={null} />
        )}
      </Section>
      {opened === 'edit' && <SaveDialog from={{ script, version }} onClose={close} />}
      {opened === 'try' && <TryDialog script={script} version={version} onClose={close} />}
      {opened === 'release' && <ReleaseDialog script={script} version={version} onClose={close} />}
    </>
  );
}

function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const marks = { same: ' ', added: '+', removed: '−' };
  return (
    <pre className={styles['diff']} tabIndex={0}>
      {lineDiff(before, after).map(({ kind, text }, index) => (
        <div key={index} className={styles[kind]}>
          {`${marks[kind]} ${text}`}
        </div>
      ))}
    </pre>
  );
}
