import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { NothingYet } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { RowOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import type { Group } from './group-dialog.tsx';
import { UnknownSenders } from './unknown-senders.tsx';

type Chat = RowOf<typeof endpoints.bot.getUnknownChats>;

interface UnknownChatsProps {
  /** Undefined where the viewer may not add a group to the white list. */
  readonly onAdd: ((group: Partial<Group>) => void) | undefined;
  readonly onClose: () => void;
}

/**
 * Chats and senders that wrote to a bot and got no answer, with a count. An operator finds the id of a new group, or of a new sender, here.
 */
export function UnknownChats({ onAdd, onClose }: UnknownChatsProps) {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.bot.getUnknownChats, { pageSize: 100 }, { everyMs: 5_000 });
  return (
    <RowDrawer width={720} onClose={onClose} title={t('botScreens.unknown')}>
      {data?.list.length === 0 && <NothingYet text={t('botScreens.noUnknown')} />}
      {data && data.list.length > 0 && (
        <PlainTable
          rows={data.list}
          keyOf={({ id }) => id}
          columns={[
            { title: t('botScreens.bot'), cell: ({ bot }) => t(`botScreens.bots.${bot}`) },
            { title: t('botScreens.title'), cell: ({ title }) => title },
            { title: t('botScreens.chatId'), cell: ({ chatId }) => chatId },
            { title: t('botScreens.times'), right: true, cell: ({ count }) => count },
            { title: t('botScreens.lastTime'), cell: ({ lastTime }) => <Moment time={lastTime} /> },
            ...(onAdd
              ? [
                  {
                    title: t('botScreens.add'),
                    cell: ({ bot, chatId, title }: Chat) => (
                      <Button size="small" onClick={() => onAdd({ bot, chatId, title })}>
                        {t('botScreens.add')}
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      <UnknownSenders />
    </RowDrawer>
  );
}
