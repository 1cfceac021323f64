import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { HIT_PLACES, HIT_STATES } from '@sangam/contract/name-lists.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';

type HitsCall = typeof endpoints.nameList.getNameHits;
type Hit = RowOf<HitsCall>;
type Verdict = InputOf<typeof endpoints.nameList.judgeNameHit>['verdict'];

interface HitsListProps {
  readonly title: string;
  readonly parts: ReactNode;
  readonly isNear: boolean;
}

const TONES: Readonly<Record<Hit['state'], Tone>> = { open: 'pending', same: 'negative', other: 'quiet' };

function useColumns(): readonly ListColumn<Hit>[] {
  const { t } = useTranslation();
  const name = useNames();
  return [
    { key: 'name', title: t('nameBlacklist.name'), names: true, render: (hit) => hit.name || '–' },
    { key: 'listed', title: t('nameBlacklist.listed'), render: (hit) => hit.listed || '–' },
    {
      key: 'list',
      words: 'nameLists',
      title: t('nameBlacklist.list'),
      render: ({ list }) => name('nameLists', list),
    },
    {
      key: 'score',
      title: t('nameBlacklist.score'),
      align: 'right',
      render: ({ by, score }) => (by === 'name' ? `${score} %` : name('nameMarks', by)),
    },
    {
      key: 'place',
      words: 'hitPlaces',
      title: t('nameBlacklist.place'),
      render: (hit) => name('hitPlaces', hit.place),
    },
    { key: 'subject', title: t('audit.subject'), render: (hit) => hit.subject },
    { key: 'count', title: t('nameBlacklist.count'), align: 'right', render: (hit) => hit.count },
    { key: 'lastTime', title: t('nameBlacklist.last'), render: (hit) => <Moment time={hit.lastTime} /> },
    {
      key: 'state',
      words: 'hitStates',
      title: t('nameBlacklist.state'),
      render: ({ state }) => <Status tone={TONES[state]} label={name('hitStates', state)} />,
    },
    { key: 'decidedBy', title: t('todo.decidedBy'), optional: true, render: (hit) => hit.decidedBy ?? '–' },
  ];
}

/** Hits, or near matches that a person has to judge (`isNear`). */
export function HitsList({ title, parts, isNear }: HitsListProps) {
  const { t } = useTranslation();
  const name = useNames();
  const [asked, setAsked] = useState<{ readonly hit: Hit; readonly verdict: Verdict }>();
  const definition: ListDefinition<Hit, InputOf<HitsCall>> = {
    name: isNear ? 'nameBlacklist.near' : 'nameBlacklist.hits',
    title,
    call: endpoints.nameList.getNameHits,
    fixed: { isNear },
    keyOf: (hit) => hit.id,
    emptyText: t(isNear ? 'nameBlacklist.noNear' : 'nameBlacklist.noHits'),
    waiting: { about: { kind: 'nameListChange' } },
    tools: parts,
    filters: [
      { name: 'name', param: 'q', kind: 'text', label: t('nameBlacklist.name'), pinned: true },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('nameBlacklist.state'),
        pinned: true,
        values: HIT_STATES,
        options: HIT_STATES.map((value) => ({ value, label: name('hitStates', value) })),
      },
      {
        name: 'place',
        param: 'pt',
        kind: 'choice',
        label: t('nameBlacklist.place'),
        values: HIT_PLACES,
        options: HIT_PLACES.map((value) => ({ value, label: name('hitPlaces', value) })),
      },
    ],
    columns: useColumns(),
    actionsOf: (hit) =>
      hit.state === 'open'
        ? (['same', ...(hit.by === 'name' ? (['other'] as const) : [])] as const).map((verdict) => ({
            key: verdict,
            label: t(`nameBlacklist.judge.${verdict}`),
            run: () => setAsked({ hit, verdict }),
          }))
        : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked && <JudgeDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface JudgeDialogProps {
  readonly hit: Hit;
  readonly verdict: Verdict;
  readonly onClose: () => void;
}

function JudgeDialog({ hit, verdict, onClose }: JudgeDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const send = useSend(endpoints.nameList.getNameHits);
  const title = t(`nameBlacklist.judge.${verdict}`);
  return (
    <FormDialog
      title={title}
      facts={[
        [t('nameBlacklist.name'), hit.name],
        [t('nameBlacklist.listed'), `${hit.listed} · ${name('nameLists', hit.list)}`],
      ]}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true }]}
      consequence={t(`nameBlacklist.consequence.${verdict}`)}
      okText={title}
      danger={verdict === 'other'}
      onSubmit={async ({ reason }) => {
        const input = { id: hit.id, verdict, reason: reason as string };
        await send(endpoints.nameList.judgeNameHit, input, t('people.saved'));
      }}
      onClose={onClose}
    />
  );
}
