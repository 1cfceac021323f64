import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import type { RowOf } from '../http/call-types.ts';

type Node = RowOf<typeof endpoints.maintenance.getNodes>;
type Loop = Node['loops'][number];

/** A loop is late when it has not run for this many of its intervals plus a minute. */
const LATE_ROUNDS = 10;

const isLate = ({ lastTime, everySeconds }: Loop, reportTime: string) =>
  lastTime !== null &&
  Date.parse(reportTime) - Date.parse(lastTime) > (everySeconds * LATE_ROUNDS + 60) * 1000;

interface NodesProps {
  readonly nodes: readonly Node[];
}

/** Every node with its loops. */
export function NodesSection({ nodes }: NodesProps) {
  const { t } = useTranslation();
  return (
    <Section title={t('maintenance.nodes')} count={nodes.length}>
      <PlainTable
        rows={nodes}
        keyOf={({ slot }) => String(slot)}
        columns={[
          { title: t('maintenance.node'), cell: ({ name, slot }) => `${name} · ${slot}` },
          {
            title: t('maintenance.state'),
            cell: ({ silent }) => (
              <Status
                tone={silent ? 'negative' : 'positive'}
                label={t(silent ? 'maintenance.silent' : 'maintenance.alive')}
              />
            ),
          },
          { title: t('maintenance.version'), cell: ({ version }) => version },
          { title: t('maintenance.role'), cell: ({ role }) => t(`maintenance.roles.${role}`) },
          { title: t('maintenance.started'), cell: ({ startTime }) => <Moment time={startTime} /> },
          { title: t('maintenance.reported'), cell: ({ reportTime }) => <Moment time={reportTime} /> },
          {
            title: t('maintenance.lag'),
            right: true,
            cell: ({ lagMs, longestLagMs }) => `${lagMs} / ${longestLagMs} ms`,
          },
          {
            title: t('maintenance.pool'),
            right: true,
            cell: ({ pool }) => `${pool.total - pool.idle} / ${pool.total} (+${pool.waiting})`,
          },
          { title: t('maintenance.leases'), wraps: true, cell: ({ leases }) => leases.join(', ') || '–' },
        ]}
      />
      {nodes
        .filter(({ loops }) => loops.length > 0)
        .map((node) => (
          <LoopList key={node.slot} node={node} />
        ))}
    </Section>
  );
}

function LoopList({ node }: { readonly node: Node }) {
  const { t } = useTranslation();
  const failed = node.loops.filter((loop) => loop.failure !== null || isLate(loop, node.reportTime)).length;
  return (
    <details>
      <summary>
        {t('maintenance.loopsOf', { node: node.name, count: node.loops.length })}
        {failed > 0 && ` · ${t('maintenance.loopsWrong', { count: failed })}`}
      </summary>
      <PlainTable
        rows={node.loops}
        keyOf={({ name }) => name}
        columns={[
          { title: t('maintenance.loop'), cell: ({ name }) => name },
          {
            title: t('maintenance.every'),
            right: true,
            cell: ({ everySeconds }) => `${everySeconds} s`,
          },
          { title: t('maintenance.lastRun'), cell: ({ lastTime }) => <Moment time={lastTime} /> },
          {
            title: t('callbacks.duration'),
            right: true,
            cell: ({ durationMs }) => (durationMs === null ? '–' : `${durationMs} ms`),
          },
          {
            title: t('maintenance.outcome'),
            cell: (loop) => <LoopState loop={loop} reportTime={node.reportTime} />,
          },
        ]}
      />
    </details>
  );
}

function LoopState({ loop, reportTime }: { readonly loop: Loop; readonly reportTime: string }) {
  const { t } = useTranslation();
  if (loop.failure !== null) return <Status tone="negative" label={loop.failure} />;
  if (isLate(loop, reportTime)) return <Status tone="warning" label={t('maintenance.late')} />;
  if (loop.lastTime === null) return <Status tone="quiet" label={t('maintenance.notYet')} />;
  return <Status tone="positive" label={t('maintenance.fine')} />;
}
