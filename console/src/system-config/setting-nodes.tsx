import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import type { Setting } from './setting.ts';
import styles from './settings.module.css';

const EVERY_MS = 1_000;

/** Which nodes use the value in force. Each takes it over within a second. */
export function SettingNodes({ name }: { readonly name: Setting['name'] }) {
  const { t } = useTranslation();
  const nodes = useCall(endpoints.maintenance.getSettingNodes, { name }, { everyMs: EVERY_MS });
  const rows = nodes.data?.list ?? [];
  return (
    <Section title={t('systemConfig.nodes')} count={rows.length}>
      {nodes.data && rows.length === 0 && <NothingYet text={t('systemConfig.noNodes')} />}
      <ul className={styles['nodes']}>
        {rows.map(({ slot, name: node, has, silent }) => (
          <li key={slot}>
            <span>{`${node} · ${slot}`}</span>
            <Status
              tone={silent ? 'negative' : has ? 'positive' : 'pending'}
              label={t(
                silent ? 'maintenance.silent' : has ? 'systemConfig.nodeHas' : 'systemConfig.nodeHasNot',
              )}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
