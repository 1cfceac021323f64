import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { BOTS } from '@sangam/contract/bots.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import { type Group, GroupDialog } from './group-dialog.tsx';
import { UnknownChats } from './unknown-chats.tsx';

type GroupsCall = typeof endpoints.bot.getBotGroups;

type Asked =
  | { readonly what: 'edit'; readonly group: Partial<Group> }
  | { readonly what: 'remove'; readonly group: Group }
  | { readonly what: 'unknown' };

/** The groups that the bots answer. Other chats get no answer. */
export function WhiteListScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const send = useSend(endpoints.bot.getBotGroups);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const mayChange = mayCall(endpoints.bot.saveBotGroup);
  const definition: ListDefinition<RowOf<GroupsCall>, InputOf<GroupsCall>> = {
    name: 'botGroups',
    title: title(screen),
    call: endpoints.bot.getBotGroups,
    keyOf: ({ id }) => id,
    emptyText: t('botScreens.noGroups'),
    waiting: { about: { kind: 'botGroup' } },
    tools: (
      <>
        <Button onClick={() => setAsked({ what: 'unknown' })}>{t('botScreens.unknown')}</Button>
        {mayChange && (
          <Button onClick={() => setAsked({ what: 'edit', group: {} })}>{t('botScreens.add')}</Button>
        )}
      </>
    ),
    filters: [
      {
        name: 'bot',
        param: 'b',
        kind: 'choice',
        label: t('botScreens.bot'),
        pinned: true,
        values: BOTS,
        options: BOTS.map((value) => ({ value, label: t(`botScreens.bots.${value}`) })),
      },
      { name: 'title', param: 'q', kind: 'text', label: t('botScreens.title'), pinned: true },
    ],
    columns: useGroupColumns(),
    actionsOf: (group) =>
      mayChange
        ? [
            { key: 'edit', label: t('botScreens.edit'), run: () => setAsked({ what: 'edit', group }) },
            {
              key: 'test',
              label: t('botScreens.test'),
              run: () =>
                void send(endpoints.bot.sendBotTest, { groupId: group.id }, t('botScreens.testSent')).catch(
                  () => undefined,
                ),
            },
            { key: 'remove', label: t('botScreens.remove'), run: () => setAsked({ what: 'remove', group }) },
          ]
        : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked?.what === 'unknown' && (
        <UnknownChats
          onAdd={mayChange ? (group) => setAsked({ what: 'edit', group }) : undefined}
          onClose={close}
        />
      )}
      {asked?.what === 'edit' && <GroupDialog group={asked.group} onClose={close} />}
      {asked?.what === 'remove' && (
        <FormDialog
          title={`${t('botScreens.remove')} · ${asked.group.title}`}
          fields={[{ name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true }]}
          consequence={t('botScreens.removeConsequence')}
          okText={t('botScreens.remove')}
          danger
          onSubmit={async ({ reason }) => {
            await send(
              endpoints.bot.deleteBotGroup,
              { id: asked.group.id, reason: String(reason) },
              t('people.saved'),
            );
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function useGroupColumns(): readonly ListColumn<Group>[] {
  const { t } = useTranslation();
  return [
    { key: 'title', title: t('botScreens.title'), names: true, render: (group) => group.title },
    { key: 'bot', title: t('botScreens.bot'), render: ({ bot }) => t(`botScreens.bots.${bot}`) },
    { key: 'chatId', title: t('botScreens.chatId'), render: ({ chatId }) => chatId },
    {
      key: 'ownerName',
      title: t('botScreens.party'),
      render: ({ ownerName, ownerId }) => (ownerName === null ? '–' : `${ownerName} · ${ownerId}`),
    },
    {
      key: 'kinds',
      title: t('botScreens.kinds'),
      render: ({ kinds }) => t('botScreens.kindCount', { count: kinds.length }),
    },
    {
      key: 'senders',
      title: t('botScreens.senders'),
      render: ({ senders }) => (senders.length === 0 ? '–' : senders.join(', ')),
    },
    {
      key: 'perMinute',
      title: t('botScreens.perMinute'),
      align: 'right',
      render: ({ perMinute }) => perMinute,
    },
    {
      key: 'sentToday',
      title: t('botScreens.sentToday'),
      align: 'right',
      render: ({ sentToday }) => sentToday,
    },
    { key: 'waiting', title: t('botScreens.waiting'), align: 'right', render: ({ waiting }) => waiting },
    {
      key: 'enabled',
      title: t('botScreens.state'),
      width: 130,
      render: ({ enabled, lastError }) =>
        !enabled ? (
          <Status tone="quiet" label={t('botScreens.off')} />
        ) : lastError === null ? (
          <Status tone="positive" label={t('botScreens.enabled')} />
        ) : (
          <Status tone="negative" label={lastError} />
        ),
    },
    {
      key: 'createTime',
      title: t('botScreens.created'),
      optional: true,
      render: ({ createTime }) => <Moment time={createTime} />,
    },
  ];
}
