import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { DatabaseSection } from './database-section.tsx';
import { JobsSection } from './jobs-section.tsx';
import styles from './maintenance.module.css';
import { ModeSection } from './mode-section.tsx';
import { NodesSection } from './nodes-section.tsx';
import { QueuesSection } from './queues-section.tsx';
import { RepairSection } from './repair-section.tsx';

const EVERY_MS = 5_000;

/** State of the platform itself, and tools to repair it. */
export function MaintenanceScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const nodes = useCall(endpoints.maintenance.getNodes, {}, { everyMs: EVERY_MS });
  const state = useCall(endpoints.maintenance.getSystemState, {}, { everyMs: EVERY_MS });
  const error = nodes.error ?? state.error;
  return (
    <section className={styles['page']} aria-label={title(screen)} aria-busy={!state.data && !error}>
      <h1>{title(screen)}</h1>
      {error && <Alert type="error" showIcon title={error.message} />}
      <ModeSection />
      {nodes.data && <NodesSection nodes={nodes.data.list} />}
      {state.data && (
        <>
          <QueuesSection queues={state.data.queues} />
          <RepairSection />
          <JobsSection jobs={state.data.jobs} />
          <DatabaseSection database={state.data.database} />
        </>
      )}
      <p className={styles['soft']}>{t('maintenance.refreshed')}</p>
    </section>
  );
}
