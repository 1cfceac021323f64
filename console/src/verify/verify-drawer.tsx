import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Facts, NothingYet, Raw, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';

type RunsCall = typeof endpoints.fund.getVerifyRuns;

/** One run, with the first bad row of every failed check. */
export function VerifyDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const run = useListedRow<InputOf<RunsCall>, RowOf<RunsCall>>(endpoints.fund.getVerifyRuns, id);
  return (
    <RowDrawer width={640} onClose={onClose} title={run ? t(`verify.scopeOf.${run.scope}`) : id}>
      {run ? (
        <>
          <Facts
            facts={[
              [t('verify.time'), <Moment time={run.startTime} exact />],
              [t('verify.checks'), run.checks],
            ]}
          />
          <Section title={t('verify.firstRow')} count={run.broken.length}>
            {run.broken.length === 0 && <NothingYet text={t('verify.allHold')} />}
            {run.broken.map(({ name, detail }) => (
              <Raw key={name} title={name} text={detail} />
            ))}
          </Section>
        </>
      ) : (
        <NothingYet text={t('callbacks.notOnPage')} />
      )}
    </RowDrawer>
  );
}
