import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';

type Job = OutputOf<typeof endpoints.maintenance.getSystemState>['jobs'][number];

interface JobsProps {
  readonly jobs: readonly Job[];
}

/** Background jobs that may also be run by hand, with the outcome of the last run and the time of the last that went wrong. */
export function JobsSection({ jobs }: JobsProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.maintenance.getSystemState);
  const [asked, setAsked] = useState<Job['job']>();
  return (
    <Section title={t('maintenance.jobs')}>
      <PlainTable
        rows={jobs}
        keyOf={({ job }) => job}
        columns={[
          { title: t('maintenance.job'), cell: ({ job }) => t(`maintenance.jobOf.${job}`) },
          { title: t('maintenance.lastRun'), cell: ({ startTime }) => <Moment time={startTime} /> },
          {
            title: t('maintenance.startedBy'),
            cell: ({ startTime, account }) =>
              account ?? (startTime === null ? '–' : t('maintenance.bySchedule')),
          },
          { title: t('maintenance.outcome'), cell: (job) => <JobState job={job} /> },
          {
            title: t('maintenance.lastFailed'),
            cell: ({ failedTime }) => (failedTime === null ? '–' : <Moment time={failedTime} />),
          },
          {
            title: '',
            cell: ({ job, running }) => (
              <Button size="small" disabled={running} onClick={() => setAsked(job)}>
                {t('maintenance.runNow')}
              </Button>
            ),
          },
        ]}
      />
      {asked && (
        <DecisionDialog
          title={`${t('maintenance.runNow')} · ${t(`maintenance.jobOf.${asked}`)}`}
          consequence={t('maintenance.runText')}
          okText={t('maintenance.runNow')}
          onConfirm={async () => {
            await send(endpoints.maintenance.runJob, { job: asked }, t('maintenance.runStarted'));
            return true;
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}

function JobState({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  if (job.running) return <Status tone="pending" busy label={t('maintenance.running')} />;
  if (job.startTime === null) return <Status tone="quiet" label={t('maintenance.notYet')} />;
  if (job.failure !== null) return <Status tone="negative" label={job.failure} />;
  if (job.endTime === null) return <Status tone="warning" label={t('maintenance.lost')} />;
  const broken = job.result?.['broken'];
  return Array.isArray(broken) && broken.length > 0 ? (
    <Status tone="negative" label={broken.join(', ')} />
  ) : (
    <Status tone="positive" label={t('maintenance.fine')} />
  );
}
